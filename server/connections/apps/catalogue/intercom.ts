import { bearerKey, defineApp, get, hmac, oauth2, secret } from '../definition.ts';

export const intercom = defineApp({
  app: 'intercom',
  name: 'Intercom',
  description: 'Conversations, contacts and tickets.',
  category: 'support',
  base_url: 'https://api.intercom.io',
  docs_url: 'https://developers.intercom.com/docs/references/rest-api/api.intercom.io',
  icon: 'siIntercom',
  methods: [
    bearerKey(secret('api_key', 'Access token', 'Developer Hub → your app → Authentication.')),
    oauth2({
      authorize_url: 'https://app.intercom.com/oauth',
      token_url: 'https://api.intercom.io/auth/eagle/token',
      pkce: false,
    }),
  ],
  probe: get('/me'),
  webhook: hmac({
    header: 'X-Hub-Signature',
    algorithm: 'sha1',
    prefix: 'sha1=',
    docs_url: 'https://developers.intercom.com/docs/webhooks/setting-up-webhooks',
  }),
  gateway: { hosts: { eu: 'https://api.eu.intercom.io', au: 'https://api.au.intercom.io' } },
  evidence: {
    verified: '2026-11',
    vendor: [
      'intercom/Intercom-OpenAPI descriptions/2.11/api.intercom.io.yaml',
      'https://developers.intercom.com/building-apps/docs/rest-apis',
      'https://developers.intercom.com/intercom-api-reference/v1.0/reference/signed-notifications',
    ],
    others: [
      'amp-labs/connectors providers/intercom.go',
      'SocialiteProviders/Providers src/Intercom/Provider.php',
      'triggerdotdev/trigger.dev packages/core/src/v3/webhooks/index.ts',
    ],
  },
});
