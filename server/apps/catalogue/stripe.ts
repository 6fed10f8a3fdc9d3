import { bearerKey, defineApp, get, hmac, oauth2, secret } from '../definition.ts';

const key = secret(
  'api_key',
  'Secret key',
  'Dashboard → Developers → API keys. A restricted key (rk_…) limits what can be done with it.',
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
});
