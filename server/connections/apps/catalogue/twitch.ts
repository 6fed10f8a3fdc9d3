import { clientCredentials, defineApp, get, hmac } from '../definition.ts';
import { twitchEvents } from '../events/twitch.ts';
import { push } from '../source.ts';

export const twitch = defineApp({
  app: 'twitch',
  name: 'Twitch',
  description: 'Streams, channels and clips.',
  category: 'communication',
  base_url: 'https://api.twitch.tv',
  docs_url: 'https://dev.twitch.tv/docs/api/reference/',
  icon: 'siTwitch',
  methods: [
    clientCredentials({
      token_url: 'https://id.twitch.tv/oauth2/token',
      put: [
        { in: 'header', name: 'Authorization', template: 'Bearer {access_token}' },
        { in: 'header', name: 'Client-Id', template: '{client_id}' },
      ],
    }),
  ],
  probe: get('/helix/streams?first=1'),
  webhook: hmac({
    header: 'Twitch-Eventsub-Message-Signature',
    prefix: 'sha256=',
    timestamp_header: 'Twitch-Eventsub-Message-Timestamp',
    timestamp_unit: 'rfc3339',
    tolerance_seconds: 600,
    signed: '{header:Twitch-Eventsub-Message-Id}{timestamp}{body}',
    docs_url: 'https://dev.twitch.tv/docs/eventsub/handling-webhook-events/',
  }),
  source: push({
    secret: 'ours',
    event: [{ body: 'subscription.type' }],
    id: [{ header: 'Twitch-Eventsub-Message-Id' }],
    match: { broadcaster: { at: { body: 'event.broadcaster_user_id' } } },
    handshake: {
      kind: 'challenge',
      when: { path: 'subscription.status', equals: 'webhook_callback_verification_pending' },
      reply: 'challenge',
    },
    steps: [
      'Twitch subscriptions can be created only with its API, with an app access token.',
      'Send POST https://api.twitch.tv/helix/eventsub/subscriptions with type, version, condition, and a transport with method webhook, callback {url} and secret {secret}.',
      'Twitch verifies the URL at once. It accepts only HTTPS on port 443.',
    ],
    docs: {
      facts: [
        'https://dev.twitch.tv/docs/eventsub/handling-webhook-events/',
        'twurple/twurple packages/eventsub-http/src/EventSubHttpBase.ts',
      ],
    },
  }),
  event_types: twitchEvents,
  evidence: {
    verified: '2026-11',
    vendor: [
      'twitchdev/twitch-cli internal/login/login.go',
      'twitchdev/twitch-cli internal/events/trigger/forward_event.go',
    ],
    others: [
      'twurple/twurple packages/api-call/src/apiCall.ts',
      'twurple/twurple packages/eventsub-http/src/EventSubHttpBase.ts',
    ],
  },
});
