import { bearerKey, defineApp, hmac, oauth2, secret } from '../definition.ts';

export const slack = defineApp({
  app: 'slack',
  name: 'Slack',
  description: 'Channels, messages and people of a workspace.',
  category: 'communication',
  base_url: 'https://slack.com',
  docs_url: 'https://docs.slack.dev/apis/web-api/',
  methods: [
    bearerKey(
      secret('api_key', 'Bot or user token', 'OAuth & Permissions of your app. It starts with xoxb- or xoxp-.'),
    ),
    oauth2({
      authorize_url: 'https://slack.com/oauth/v2/authorize',
      token_url: 'https://slack.com/api/oauth.v2.access',
      pkce: false,
      scopes: ['channels:read', 'chat:write', 'users:read'],
      scope_separator: ',',
    }),
  ],
  // Slack says 200 to everything.
  probe: { method: 'POST', path: '/api/auth.test', body: null, ok: 'ok' },
  webhook: hmac({
    header: 'X-Slack-Signature',
    prefix: 'v0=',
    timestamp_header: 'X-Slack-Request-Timestamp',
    timestamp_unit: 's',
    tolerance_seconds: 300,
    signed: 'v0:{timestamp}:{body}',
    docs_url: 'https://docs.slack.dev/authentication/verifying-requests-from-slack/',
  }),
});
