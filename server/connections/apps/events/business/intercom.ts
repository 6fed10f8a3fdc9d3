/** As recorded by Zulip's integration (zulip/zulip), shortened. */
import { eventTypes, parameters } from '../../source.ts';

const notification = (topic: string, id: string, app_id: string, created_at: number, item: object) => ({
  type: 'notification_event',
  app_id,
  data: { type: 'notification_event_data', item },
  links: {},
  id,
  topic,
  delivery_status: 'pending',
  delivery_attempts: 1,
  delivered_at: 0,
  first_sent_at: created_at,
  created_at,
  self: null,
});

const lead = {
  type: 'lead',
  id: '5c9553cb27e377f24eed49f7',
  user_id: '75067020-1204-495c-8edc-abb7d88bdd43',
  do_not_track: null,
};
const author = { type: 'user', id: '5c9553cb27e377f24eed49f7' };
const admin = { type: 'admin', id: '1957471', name: 'Eeshan Garg' };
const conversationCreated = notification(
  'conversation.user.created',
  'notif_3ac27816-d27c-45fd-a65a-bbaf021cf780',
  'i6wc9ipe',
  1553290198,
  {
    type: 'conversation',
    id: '21321941764',
    created_at: 1553290198,
    updated_at: 1553290198,
    user: lead,
    conversation_message: {
      type: 'conversation_message',
      id: '331494375',
      subject: '',
      body: '<p>Hello everyone!</p>',
      author,
    },
    conversation_parts: { type: 'conversation_part.list', conversation_parts: [], total_count: 0 },
    open: true,
    state: 'open',
    links: { conversation_web: 'https://app.intercom.io/a/apps/i6wc9ipe/conversations/21321941764' },
  },
);
const part = (id: string, part_type: string, body: string | null, created_at: number) => ({
  type: 'conversation_part.list',
  conversation_parts: [{ type: 'conversation_part', id, part_type, body, created_at, author: admin }],
  total_count: 1,
});
const conversation = {
  type: 'conversation',
  id: '21322009097',
  created_at: 1553290933,
  user: lead,
  conversation_message: {
    type: 'conversation_message',
    id: '331499307',
    subject: '',
    body: '<p>Hello</p>',
    author,
  },
  links: { conversation_web: 'https://app.intercom.io/a/apps/i6wc9ipe/conversations/21322009097' },
};
const replied = notification(
  'conversation.admin.replied',
  'notif_44d1f763-d3ad-4927-8e5c-da6cd6ca78d2',
  'i6wc9ipe',
  1553291112,
  {
    ...conversation,
    updated_at: 1553291111,
    conversation_parts: part('2824382500', 'assignment', '<p>Hey Eeshan! How can I help?</p>', 1553291111),
    open: true,
    state: 'open',
  },
);
const closed = notification(
  'conversation.admin.closed',
  'notif_2bc4bf3a-0064-4fb0-9e17-dc44d91bcb9b',
  'i6wc9ipe',
  1553291390,
  {
    ...conversation,
    updated_at: 1553291389,
    conversation_parts: part('2824395628', 'close', null, 1553291389),
    open: false,
    state: 'closed',
  },
);
const contactCreated = notification(
  'contact.user.created',
  'notif_c47f7aeb-bdeb-4d35-8fc7-eb945334fdad',
  'abc123def',
  1768018948,
  {
    type: 'contact',
    id: '6961d4041c1e12de4c5499cc',
    workspace_id: 'abc123def',
    external_id: '24',
    role: 'user',
    email: 'user@example.com',
    phone: null,
    name: 'Sample User',
    unsubscribed_from_emails: false,
    created_at: '2026-01-10T04:22:28.240+00:00',
    updated_at: '2026-01-10T04:22:28.238+00:00',
    custom_attributes: {},
  },
);
const ticketCreated = notification(
  'ticket.created',
  'notif_381b4609-2b35-4720-8389-605f220e402a',
  'abc123def',
  1768114251,
  {
    type: 'ticket',
    id: '215472629311235',
    ticket_id: '66040342',
    ticket_attributes: { _default_title_: "Unclear user message 'erf' with pending email response" },
    ticket_state: { type: 'ticket_state', id: '4517893', category: 'submitted', internal_label: 'Submitted' },
    contacts: {
      type: 'contact.list',
      contacts: [
        {
          type: 'contact',
          id: '696346bbaebb5a479d3851a3',
          external_id: 'f7c0bc1e-5ee2-46a0-b11a-ea473d1101a5',
        },
      ],
    },
    created_at: 1768113868,
    updated_at: 1768114250,
    open: true,
    category: 'Customer',
  },
);

const inWorkspace = (example: string) =>
  parameters({
    workspace: {
      type: 'string',
      title: 'Workspace',
      description: 'Only events of the workspace with this ID.',
      pattern: '^[a-z0-9_]{1,40}$',
      examples: [example],
    },
  });

export const intercomEvents = [
  ...eventTypes(inWorkspace('i6wc9ipe'), {
    conversation: ['Anything that happens to a conversation.', conversationCreated],
    'conversation.user.created': ['A user or lead started a conversation.', conversationCreated],
    'conversation.admin.replied': ['A teammate replied in a conversation.', replied],
    'conversation.admin.closed': ['A teammate closed a conversation.', closed],
  }),
  ...eventTypes(inWorkspace('abc123def'), {
    'contact.user.created': ['A user was created.', contactCreated],
    'ticket.created': ['A ticket was created.', ticketCreated],
    '*': ['Every topic that is sent to the URL.', contactCreated],
  }),
];
