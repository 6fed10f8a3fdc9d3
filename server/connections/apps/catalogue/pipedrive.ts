import { defineApp, get, headerKey, oauth2, secret, text } from '../definition.ts';

const token = headerKey(secret('api_key', 'API token', 'Personal preferences → API.'), 'x-api-token');

export const pipedrive = defineApp({
  app: 'pipedrive',
  name: 'Pipedrive',
  description: 'Deals, contacts and pipelines.',
  category: 'crm',
  base_url: 'https://{company}.pipedrive.com',
  docs_url: 'https://developers.pipedrive.com/docs/api/v1',
  methods: [
    {
      ...token,
      fields: [text('company', 'Company', 'The part before .pipedrive.com.', '[a-z0-9][a-z0-9-]*'), ...token.fields],
    },
    {
      ...oauth2({
        authorize_url: 'https://oauth.pipedrive.com/oauth/authorize',
        token_url: 'https://oauth.pipedrive.com/oauth/token',
        client_auth: 'basic',
        pkce: false,
        capture: { api_domain: 'api_domain' },
      }),
      // The company's domain, from the token response.
      base_url: '{api_domain}',
    },
  ],
  probe: get('/api/v1/users/me'),
  evidence: {
    verified: '2026-11',
    vendor: [
      'pipedrive/client-nodejs src/versions/v1/configuration.ts',
      'https://pipedrive.readme.io/docs/core-api-concepts-authentication',
    ],
    others: [
      'nextauthjs/next-auth packages/core/src/providers/pipedrive.ts',
      'amp-labs/connectors providers/pipedrive.go',
    ],
  },
});
