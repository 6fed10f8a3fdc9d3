import { bearerKey, defineApp, get, hmac, oauth2, secret } from '../definition.ts';
import { stripeEvents } from '../events/stripe.ts';
import { stripeHooks } from '../hooks/stripe.ts';
import { push } from '../source.ts';

const key = secret(
  'api_key',
  'Secret key',
  'Dashboard → Developers → API keys. A restricted key (rk_…) limits its permissions.',
  '(?:sk|rk)_[A-Za-z0-9_]+',
);

export const stripe = defineApp({
  app: 'stripe',
  name: 'Stripe',
  description: 'Payments, customers and subscriptions.',
  category: 'finance',
  base_url: 'https://api.stripe.com',
  docs_url: 'https://docs.stripe.com/api',
  icon: 'siStripe',
  methods: [
    bearerKey(key),
    { method: 'BASIC', fields: [key], username: '{api_key}', password: '' },
    oauth2({
      authorize_url: 'https://connect.stripe.com/oauth/authorize',
      token_url: 'https://connect.stripe.com/oauth/token',
      pkce: false,
      scopes: ['read_write'],
    }),
  ],
  probe: get('/v1/account'),
  webhook: hmac({
    header: 'Stripe-Signature',
    pairs: { timestamp: 't', signature: 'v1' },
    timestamp_unit: 's',
    tolerance_seconds: 300,
    signed: '{timestamp}.{body}',
    docs_url: 'https://docs.stripe.com/webhooks/signature',
  }),
  source: push({
    secret: 'theirs',
    event: [{ body: 'type' }],
    id: [{ body: 'id' }],
    match: { account: { at: { body: 'account' } } },
    steps: [
      'Open Webhooks in the Dashboard’s Workbench and choose Add destination.',
      'Select the events that you need, then Webhook endpoint, and enter {url} as Endpoint URL.',
      'Reveal the signing secret of the new destination (it starts with whsec_) and enter it here.',
    ],
    docs: {
      verified: 'The header has one `v1` per secret.',
      facts: ['https://docs.stripe.com/webhooks/signature', 'stripe/openapi openapi/fixtures3.json'],
    },
  }),
  hooks: stripeHooks,
  event_types: stripeEvents,
  gateway: { hosts: { files: 'https://files.stripe.com' } },
  evidence: {
    verified: '2026-11',
    vendor: ['https://docs.stripe.com/api', 'stripe/stripe-node src/Webhooks.ts'],
    others: [
      'SocialiteProviders/Providers src/Stripe/Provider.php',
      'triggerdotdev/trigger.dev packages/core/src/v3/webhooks/index.ts',
    ],
  },
});
