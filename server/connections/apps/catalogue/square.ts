import { bearerKey, defineApp, get, hmac, oauth2, secret } from '../definition.ts';

export const square = defineApp({
  app: 'square',
  name: 'Square',
  description: 'Payments, orders and the catalog of a shop.',
  category: 'commerce',
  base_url: 'https://connect.squareup.com',
  docs_url: 'https://developer.squareup.com/reference/square',
  icon: 'siSquare',
  methods: [
    bearerKey(secret('api_key', 'Access token', 'Developer Console → your application → Credentials → Production.')),
    oauth2({
      authorize_url: 'https://connect.squareup.com/oauth2/authorize',
      token_url: 'https://connect.squareup.com/oauth2/token',
      // Square accepts a code_verifier only instead of the client secret.
      pkce: false,
      scopes: ['MERCHANT_PROFILE_READ', 'PAYMENTS_READ', 'CUSTOMERS_READ'],
    }),
  ],
  probe: get('/v2/merchants'),
  webhook: hmac({
    header: 'x-square-hmacsha256-signature',
    encoding: 'base64',
    signed: '{url}{body}',
    docs_url: 'https://developer.squareup.com/docs/webhooks/step3validate',
  }),
  gateway: { hosts: { sandbox: 'https://connect.squareupsandbox.com' } },
  evidence: {
    verified: '2026-11',
    vendor: [
      'square/square-nodejs-sdk src/api/resources/oAuth/client/Client.ts',
      'square/square-nodejs-sdk src/wrapper/WebhooksHelper.ts',
      'https://developer.squareup.com/docs/testing/sandbox',
    ],
    others: [
      'amp-labs/connectors providers/square.go',
      'simov/grant config/oauth.json',
      'triggerdotdev/trigger.dev packages/core/src/v3/webhooks/index.ts',
    ],
  },
});
