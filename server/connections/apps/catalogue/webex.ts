import { bearerKey, defineApp, get, hmac, oauth2, secret } from '../definition.ts';

export const webex = defineApp({
  app: 'webex',
  name: 'Webex',
  description: 'Rooms, messages and meetings.',
  category: 'communication',
  base_url: 'https://webexapis.com',
  docs_url: 'https://developer.webex.com/docs/getting-started',
  icon: 'siWebex',
  methods: [
    bearerKey(secret('api_key', 'Bot access token', 'My Webex Apps → your bot.')),
    oauth2({
      authorize_url: 'https://webexapis.com/v1/authorize',
      token_url: 'https://webexapis.com/v1/access_token',
      pkce: false,
      scopes: ['spark:all'],
    }),
  ],
  probe: get('/v1/people/me'),
  webhook: hmac({
    header: 'X-Spark-Signature',
    algorithm: 'sha1',
    docs_url: 'https://developer.webex.com/docs/api/guides/webhooks',
  }),
  evidence: {
    verified: '2026-11',
    vendor: ['https://developer.webex.com/docs/api/guides/integrations-and-authorization'],
    others: [
      'SocialiteProviders/Providers src/Webex/Provider.php',
      'nextauthjs/next-auth packages/core/src/providers/webex.ts',
      'WebexCommunity/webex-node-bot-framework lib/webhook.js',
    ],
  },
});
