/** Notifications as the examples of Twitch's reference of EventSub show them. */
import { eventTypes, parameters } from '../source.ts';

const notification = (type: string, event: object) => ({
  subscription: {
    id: 'f1c2a387-161a-49f9-a165-0f21d7a4e1c4',
    type,
    version: '1',
    status: 'enabled',
    cost: 0,
    condition: { broadcaster_user_id: '1337' },
    transport: { method: 'webhook', callback: 'https://example.com/webhooks/callback' },
    created_at: '2019-11-16T10:11:12.634234626Z',
  },
  event,
});
const broadcaster = {
  broadcaster_user_id: '1337',
  broadcaster_user_login: 'cool_user',
  broadcaster_user_name: 'Cool_User',
};
const online = notification('stream.online', {
  id: '9001',
  ...broadcaster,
  type: 'live',
  started_at: '2020-10-11T10:11:12.123Z',
});

export const twitchEvents = eventTypes(
  parameters({
    broadcaster: {
      type: 'string',
      title: 'Broadcaster',
      description: 'Only events of the channel with this user ID.',
      pattern: '^[0-9]{1,20}$',
      examples: ['1337'],
    },
  }),
  {
    'stream.online': ['A stream started.', online],
    'stream.offline': ['A stream ended.', notification('stream.offline', broadcaster)],
    '*': ['Every request to the URL, including revoked subscriptions.', online],
  },
);
