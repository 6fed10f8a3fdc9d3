import { bearerKey, defineApp, secret } from '../definition.ts';

export const stripe = defineApp({
  app: 'stripe',
  name: 'Stripe',
  description: 'Payments, customers and subscriptions.',
  category: 'finance',
  base_url: 'https://api.stripe.com',
  docs_url: 'https://docs.stripe.com/api',
  icon: 'siStripe',
  methods: [
    bearerKey(
      secret(
        'api_key',
        'Secret key',
        'Dashboard → Developers → API keys. A restricted key (rk_…) limits what can be done with it.',
        '(?:sk|rk)_[A-Za-z0-9_]+',
      ),
    ),
  ],
});
