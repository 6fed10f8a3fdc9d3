import { bearerKey, defineApp, get, hmac, oauth2, secret } from '../definition.ts';

export const todoist = defineApp({
  app: 'todoist',
  name: 'Todoist',
  description: 'Tasks, projects and labels.',
  category: 'productivity',
  base_url: 'https://api.todoist.com',
  docs_url: 'https://developer.todoist.com/api/v1/',
  icon: 'siTodoist',
  methods: [
    bearerKey(secret('api_key', 'API token', 'Settings → Integrations → Developer.')),
    oauth2({
      authorize_url: 'https://todoist.com/oauth/authorize',
      token_url: 'https://todoist.com/oauth/access_token',
      pkce: false,
      scopes: ['data:read_write'],
      scope_separator: ',',
    }),
  ],
  probe: get('/api/v1/user'),
  // Keyed with the client secret of the app.
  webhook: hmac({
    header: 'X-Todoist-Hmac-SHA256',
    encoding: 'base64',
    docs_url: 'https://developer.todoist.com/api/v1/#tag/Webhooks',
  }),
  evidence: {
    verified: '2026-11',
    vendor: ['Doist/todoist-api-typescript src/consts/endpoints.ts', 'https://developer.todoist.com/api/v1/'],
    others: [
      'nextauthjs/next-auth packages/core/src/providers/todoist.ts',
      'botpress/botpress integrations/todoist/src/webhook-events/handler-dispatcher.ts',
    ],
  },
});
