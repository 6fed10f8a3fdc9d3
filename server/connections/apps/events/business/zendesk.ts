/**
 * The user is the example of Zendesk's documentation of webhook event types; the ticket is the one that Prismatic's
 * Zendesk connector publishes. Shortened.
 */
import { eventTypes, parameters } from '../../source.ts';

const user = {
  type: 'zen:event-type:user.active_changed',
  account_id: 12514403,
  id: '2b24ef10-19d4-4740-93cf-8f98ec4776c0',
  time: '2099-07-04T05:33:18Z',
  zendesk_event_version: '2022-06-20',
  subject: 'zen:user:6596848315901',
  detail: {
    created_at: '2099-07-04T05:27:58Z',
    external_id: '',
    default_group_id: '0',
    id: '6596848315901',
    organization_id: '0',
    role: 'end-user',
    updated_at: '2099-07-04T05:33:18Z',
  },
  event: { current: false, previous: true },
};
const ticket = {
  type: 'zen:event-type:ticket.created',
  account_id: 88888888,
  id: '01HNXXXX-CTEXAMPLE',
  time: '2024-04-17T17:18:10Z',
  zendesk_event_version: '2022-11-06',
  subject: 'zen:ticket:35436',
  detail: {
    id: '35436',
    status: 'Open',
    via: { channel: 'web' },
    created_at: '2024-04-17T17:18:10Z',
    updated_at: '2024-04-17T17:18:10Z',
  },
  event: { current: { status: 'Open' } },
};

const ofAccount = (example: string) =>
  parameters({
    account: {
      type: 'string',
      title: 'Account',
      description: 'Only events of the Zendesk account with this number.',
      pattern: '^[0-9]{1,20}$',
      examples: [example],
    },
  });

export const zendeskEvents = [
  ...eventTypes(ofAccount('88888888'), {
    'zen.event-type.ticket': ['Anything that happens to a ticket.', ticket],
    'zen.event-type.ticket.created': ['A ticket was created.', ticket],
  }),
  ...eventTypes(ofAccount('12514403'), {
    'zen.event-type.user': ['Anything that happens to a user.', user],
    'zen.event-type.user.active_changed': ['A user was activated or deactivated.', user],
    '*': ['Every event that is sent to the URL.', user],
  }),
];
