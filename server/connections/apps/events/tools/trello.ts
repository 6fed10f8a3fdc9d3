/** Recorded by Zulip's integration (zerver/webhooks/trello/fixtures), shortened. */
import { eventTypes, parameters } from '../../source.ts';

const board = { shortLink: 'iqXXzYEj', name: 'Welcome Board', id: '53582e2da0fac5676a714277' };
const person = {
  id: '53582e2da0fac5676a714276',
  avatarHash: null,
  fullName: 'TomaszKolek',
  initials: 'T',
  username: 'tomaszkolek',
};
const newCard = { shortLink: 'xPKXoSTQ', idShort: 3, name: 'New card', id: '53582e2da0fac5676a714280' };
const card = { shortLink: 'r33ylX2Z', idShort: 2, name: 'Card name', id: '53582e2da0fac5676a71427f' };

const action = (type: string, id: string, date: string, data: object) => ({
  model: {
    id: board.id,
    name: board.name,
    desc: '',
    closed: false,
    url: 'https://trello.com/b/iqXXzYEj/welcome-board',
    shortUrl: 'https://trello.com/b/iqXXzYEj',
  },
  action: { id, idMemberCreator: person.id, data: { ...data, board }, type, date, memberCreator: person },
});
const moved = action('updateCard', '572a340644ed9c7d8b6f9a30', '2016-05-04T17:40:22.254Z', {
  listAfter: { name: 'Intermediate', id: '53582e2da0fac5676a71427a' },
  listBefore: { name: 'Basics', id: '53582e2da0fac5676a714279' },
  card: { ...card, name: 'This is a card.', idList: '53582e2da0fac5676a71427a' },
  old: { idList: '53582e2da0fac5676a714279' },
});

export const trelloEvents = eventTypes(
  parameters({
    board: {
      type: 'string',
      title: 'Board',
      description: 'Only actions on the board with this ID.',
      pattern: '^[0-9a-z]{24}$',
      examples: [board.id],
    },
  }),
  {
    updateCard: ['A card changed or was moved.', moved],
    commentCard: [
      'A card was commented on.',
      action('commentCard', '5735bd3a54bf8d93c35149bb', '2016-05-13T11:40:42.612Z', {
        list: { name: 'Basics', id: '53582e2da0fac5676a714279' },
        card: newCard,
        text: 'New comment',
      }),
    ],
    addLabelToCard: [
      'A label was added to a card.',
      action('addLabelToCard', '572a3733549f0fa0e7398918', '2016-05-04T17:53:55.770Z', {
        label: { color: 'green', name: '', id: '54642de974d650d56763bc32' },
        card,
        text: 'text value',
        value: 'green',
      }),
    ],
    addAttachmentToCard: [
      'A file or link was attached to a card.',
      action('addAttachmentToCard', '5735940584b4870a92c9d2db', '2016-05-13T08:44:53.897Z', {
        card: newCard,
        attachment: { url: 'http://url.com', name: 'attachment_name', id: '5735940584b4870a92c9d2da' },
      }),
    ],
    createList: [
      'A list was created.',
      action('createList', '5735b78f3fbdc04509aff9f2', '2016-05-13T11:16:31.028Z', {
        list: { name: 'New list', id: '5735b78f3fbdc04509aff9f1' },
      }),
    ],
    '*': ['Every action that is sent to the URL.', moved],
  },
);
