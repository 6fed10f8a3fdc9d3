import { basic, defineApp, get, hmac, secret, text } from '../definition.ts';

const keys = basic(
  secret('consumer_key', 'Consumer key', 'WooCommerce → Settings → Advanced → REST API. It starts with ck_.'),
  secret('consumer_secret', 'Consumer secret', 'Shown once, next to the key. It starts with cs_.'),
);

export const woocommerce = defineApp({
  app: 'woocommerce',
  name: 'WooCommerce',
  description: 'Products, orders and customers of a WordPress shop.',
  category: 'commerce',
  base_url: 'https://{store}',
  docs_url: 'https://woocommerce.github.io/woocommerce-rest-api-docs/',
  icon: 'siWoocommerce',
  methods: [
    {
      ...keys,
      fields: [
        text(
          'store',
          'Shop',
          'The domain of the shop, such as shop.example.com.',
          '(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\\.)+[a-z]{2,}',
        ),
        ...keys.fields,
      ],
    },
  ],
  probe: get('/wp-json/wc/v3/settings'),
  webhook: hmac({
    header: 'X-WC-Webhook-Signature',
    encoding: 'base64',
    docs_url: 'https://woocommerce.github.io/woocommerce-rest-api-docs/#webhooks',
  }),
  evidence: {
    verified: '2026-11',
    vendor: [
      'woocommerce/woocommerce-rest-api-docs source/includes/v2/_webhooks.md',
      'woocommerce/woocommerce-rest-api-docs source/includes/v2/_introduction.md',
    ],
    others: [
      'woocommerce/woocommerce-rest-api-js-lib index.mjs',
      'hookdeck/webhook-skills skills/woocommerce-webhooks/references/verification.md',
    ],
  },
});
