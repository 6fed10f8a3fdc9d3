/** The test message of Telegram's guide to webhooks (core.telegram.org/bots/webhooks). */
import { eventTypes, parameters } from '../../source.ts';

const person = { last_name: 'Test Lastname', id: 1111111, first_name: 'Test', username: 'Test' };
const update = {
  update_id: 10000,
  message: { date: 1441645532, chat: person, message_id: 1365, from: person, text: '/start' },
};

export const telegramEvents = eventTypes(
  parameters({
    chat: {
      type: 'string',
      title: 'Chat',
      description: 'Only messages and posts in the chat with this ID.',
      pattern: '^-?[0-9]{1,20}$',
      examples: ['1111111'],
    },
  }),
  { update: ['The bot received an update, such as a message or a callback query.', update] },
);
