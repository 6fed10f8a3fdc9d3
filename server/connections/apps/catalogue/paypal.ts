import { clientCredentials, defineApp } from '../definition.ts';

export const paypal = defineApp({
  app: 'paypal',
  name: 'PayPal',
  description: 'Orders, payments and payouts.',
  category: 'finance',
  base_url: 'https://api-m.paypal.com',
  docs_url: 'https://developer.paypal.com/api/rest/',
  icon: 'siPaypal',
  methods: [clientCredentials({ token_url: 'https://api-m.paypal.com/v1/oauth2/token', client_auth: 'basic' })],
  evidence: {
    verified: '2026-11',
    vendor: ['paypal/paypal-rest-api-specifications openapi/checkout_orders_v2.json'],
    others: ['amp-labs/connectors providers/paypal.go', 'SocialiteProviders/Providers src/PayPal/Provider.php'],
  },
});
