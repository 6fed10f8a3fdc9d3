import { bearerKey, defineApp, hmac, oauth2, secret } from '../definition.ts';
import { slackEvents } from '../events/slack.ts';
import { push } from '../source.ts';

export const slack = defineApp({
  app: 'slack',
  name: 'Slack',
  description: 'Channels, messages and users of a workspace.',
  category: 'communication',
  base_url: 'https://slack.com',
  docs_url: 'https://docs.slack.dev/apis/web-api/',
  methods: [
    bearerKey(secret('api_key', 'Bot or user token', 'Your app → OAuth & Permissions. It starts with xoxb- or xoxp-.')),
    oauth2({
      authorize_url: 'https://slack.com/oauth/v2/authorize',
      token_url: 'https://slack.com/api/oauth.v2.access',
      pkce: false,
      scopes: ['channels:read', 'chat:write', 'users:read'],
      scope_separator: ',',
    }),
  ],
  // Slack always returns 200.
  probe: { method: 'POST', path: '/api/auth.test', body: null, ok: 'ok' },
  gateway: { hosts: { files: 'https://files.slack.com' }, failure: { path: 'ok', success: true, error: 'error' } },
  webhook: hmac({
    header: 'X-Slack-Signature',
    prefix: 'v0=',
    timestamp_header: 'X-Slack-Request-Timestamp',
    timestamp_unit: 's',
    tolerance_seconds: 300,
    signed: 'v0:{timestamp}:{body}',
    docs_url: 'https://docs.slack.dev/authentication/verifying-requests-from-slack/',
  }),
  source: push({
    secret: 'theirs',
    // Slack's event names distinguish messages by channel type: message.channels has the channel_type "channel".
    event: [{ body: 'event.type' }, { body: 'event.channel_type' }],
    id: [{ body: 'event_id' }],
    match: {
      channel: {
        at: [
          { body: 'event.channel' },
          { body: 'event.channel.id' },
          { body: 'event.item.channel' },
          { body: 'event.channel_id' },
        ],
      },
      user: { at: [{ body: 'event.user' }, { body: 'event.user_id' }] },
    },
    handshake: { kind: 'challenge', when: { path: 'type', equals: 'url_verification' }, reply: 'challenge' },
    steps: [
      'Open your app at api.slack.com/apps, copy the Signing Secret under Basic Information and enter it here.',
      'Choose Event Subscriptions, turn on Enable Events, and enter {url} as Request URL. Slack verifies it at once.',
      'Add the events that you need under Subscribe to bot events, save, and reinstall the app to the workspace.',
    ],
    docs: {
      facts: [
        'https://docs.slack.dev/authentication/verifying-requests-from-slack/',
        'https://docs.slack.dev/reference/events',
        'slackapi/java-slack-sdk json-logs/samples/events',
      ],
    },
  }),
  event_types: slackEvents,
  evidence: {
    verified: '2026-11',
    vendor: [
      'https://docs.slack.dev/authentication/installing-with-oauth',
      'slackapi/bolt-js src/receivers/verify-request.ts',
    ],
    others: [
      'simstudioai/sim apps/sim/lib/auth/connectors/providers.ts',
      'triggerdotdev/trigger.dev packages/core/src/v3/webhooks/index.ts',
    ],
  },
});
