import { defineApp, get, headerKey, oauth2, secret } from '../definition.ts';

export const figma = defineApp({
  app: 'figma',
  name: 'Figma',
  description: 'Design files, comments and components.',
  category: 'design',
  base_url: 'https://api.figma.com',
  docs_url: 'https://developers.figma.com/docs/rest-api/',
  icon: 'siFigma',
  methods: [
    headerKey(secret('api_key', 'Personal access token', 'Settings → Security.'), 'X-Figma-Token'),
    oauth2({
      authorize_url: 'https://www.figma.com/oauth',
      token_url: 'https://api.figma.com/v1/oauth/token',
      refresh_url: 'https://api.figma.com/v1/oauth/refresh',
      client_auth: 'basic',
      scopes: ['current_user:read', 'file_content:read', 'file_comments:read', 'file_comments:write'],
    }),
  ],
  probe: get('/v1/me'),
  webhook: {
    signature: {
      kind: 'other',
      header: null,
      how: 'The body contains the passcode of the webhook as passcode.',
    },
    docs_url: 'https://developers.figma.com/docs/rest-api/webhooks/',
  },
  evidence: {
    verified: '2026-11',
    vendor: ['figma/rest-api-spec openapi/openapi.yaml', 'https://developers.figma.com/docs/rest-api/authentication'],
    others: [
      'better-auth/better-auth packages/core/src/social-providers/figma.ts',
      'nextauthjs/next-auth packages/core/src/providers/figma.ts',
    ],
  },
});
