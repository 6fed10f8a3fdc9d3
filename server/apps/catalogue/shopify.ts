import { defineApp, get, headerKey, hmac, oauth2, secret, text } from '../definition.ts';

const shop = text('shop', 'Shop', 'The part before .myshopify.com.', '[a-z0-9][a-z0-9-]*');
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
    { ...token, fields: [shop, ...token.fields] },
    oauth2({
      fields: [shop],
      authorize_url: 'https://{shop}.myshopify.com/admin/oauth/authorize',
      token_url: 'https://{shop}.myshopify.com/admin/oauth/access_token',
      pkce: false,
      scopes: ['read_products', 'read_orders'],
      scope_separator: ',',
      put: [{ in: 'header', name: 'X-Shopify-Access-Token', template: '{access_token}' }],
    }),
  ],
  probe: get('/admin/oauth/access_scopes.json'),
  webhook: hmac({
    header: 'X-Shopify-Hmac-Sha256',
    encoding: 'base64',
    docs_url: 'https://shopify.dev/docs/apps/build/webhooks/subscribe/https',
  }),
});
