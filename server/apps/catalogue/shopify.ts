import { defineApp, headerKey, secret, text } from '../definition.ts';

const token = headerKey(
  secret('api_key', 'Admin API access token', 'The token of a custom app of the shop.'),
  'X-Shopify-Access-Token',
);

export const shopify = defineApp({
  app: 'shopify',
  name: 'Shopify',
  description: 'Products, orders and customers of a shop.',
  category: 'commerce',
  base_url: 'https://{shop}.myshopify.com',
  docs_url: 'https://shopify.dev/docs/api/admin-rest',
  icon: 'siShopify',
  methods: [
    {
      ...token,
      fields: [text('shop', 'Shop', 'The part before .myshopify.com.', '[a-z0-9][a-z0-9-]*'), ...token.fields],
    },
  ],
});
