import { basic, defineApp, get, hmac, secret, text } from '../definition.ts';
import { woocommerceEvents } from '../events/business/woocommerce.ts';
import { push } from '../source.ts';

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
  source: push({
    secret: 'ours',
    event: [{ header: 'X-WC-Webhook-Topic' }],
    steps: [
      'Open WooCommerce → Settings → Advanced → Webhooks and choose Add webhook.',
      'Select Active as status and the topic, enter {url} as Delivery URL and {secret} as Secret, and save it.',
      'WooCommerce then sends a test request without a signature. The message that the delivery URL returned code 401 can be ignored: the webhook is saved.',
    ],
    docs: {
      id: '`X-WC-Webhook-Delivery-ID` is a hash of the webhook and the second, so events in the same second share it.',
      samples: 'The body is the resource of the topic, as in WooCommerce’s REST API. A deleted one has only its ID.',
      facts: [
        'woocommerce/woocommerce-rest-api-docs source/includes/wp-api-v3/_webhooks.md',
        'woocommerce/woocommerce plugins/woocommerce/includes/class-wc-webhook.php',
        'hookdeck/webhook-skills skills/woocommerce-webhooks/references/verification.md',
      ],
    },
  }),
  event_types: woocommerceEvents,
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
