import { bearerKey, defineApp, get, hmac, oauth2, secret } from '../definition.ts';
import { squareEvents } from '../events/business/square.ts';
import { push } from '../source.ts';

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
  source: push({
    secret: 'theirs',
    event: [{ body: 'type' }],
    id: [{ body: 'event_id' }],
    match: { merchant: { at: { body: 'merchant_id' } } },
    steps: [
      'Open your application in Square’s Developer Console and choose Webhooks → Subscriptions → Add subscription.',
      'Enter {url} as notification URL, select the events, and save it.',
      'Open the subscription, choose Show at Signature key, and enter the key here.',
    ],
    docs: {
      verified: 'The URL is the one registered at Square, including the query.',
      facts: [
        'https://developer.squareup.com/docs/webhooks/step3validate',
        'https://developer.squareup.com/docs/webhooks/step4manage',
        'square/square-nodejs-sdk src/wrapper/WebhooksHelper.ts',
        'triggerdotdev/trigger.dev packages/core/src/v3/webhooks/index.ts',
      ],
    },
  }),
  event_types: squareEvents,
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
