import { defineApp, headerKey, oauth2, query, secret } from '../definition.ts';

export const monday = defineApp({
  app: 'monday',
  name: 'monday.com',
  description: 'Boards, items and updates.',
  category: 'productivity',
  base_url: 'https://api.monday.com',
  docs_url: 'https://developer.monday.com/api-reference/docs/authentication',
  methods: [
    headerKey(secret('api_key', 'API token', 'Profile picture → Developers → API token.'), 'Authorization'),
    oauth2({
      authorize_url: 'https://auth.monday.com/oauth2/authorize',
      token_url: 'https://auth.monday.com/oauth2/token',
      pkce: false,
      scopes: ['boards:read', 'boards:write', 'me:read'],
      put: [{ in: 'header', name: 'Authorization', template: '{access_token}' }],
    }),
  ],
  probe: query('/v2', '{ me { id } }'),
  webhook: {
    signature: {
      kind: 'other',
      header: 'Authorization',
      how: 'A JSON Web Token (HS256), signed with the signing secret of the app. The response to the first request must contain its challenge.',
    },
    docs_url: 'https://developer.monday.com/api-reference/reference/webhooks',
  },
  evidence: {
    verified: '2026-11',
    vendor: ['https://developer.monday.com/apps/docs/oauth', 'mondaycom/monday-sdk-js src/constants-test.js'],
    others: [
      'SocialiteProviders/Providers src/Monday/Provider.php',
      'simstudioai/sim apps/sim/lib/auth/connectors/providers.ts',
      'simstudioai/sim apps/sim/lib/webhooks/providers/monday.ts',
    ],
  },
});
