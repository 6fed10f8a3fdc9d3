import { defineApp, get, headerKey, hmac, oauth2, secret, text } from '../definition.ts';
import { shopifyEvents } from '../events/shopify.ts';
import { shopifyHooks } from '../hooks/shopify.ts';
import { push } from '../source.ts';

const shop = text('shop', 'Shop', 'The part before .myshopify.com.', '[a-z0-9][a-z0-9-]*');
const token = headerKey(
  secret('api_key', 'Admin API access token', 'The token of a custom app in the shop’s admin.'),
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
  source: push({
    secret: 'theirs',
    // A topic, for example orders/create.
    event: [{ header: 'X-Shopify-Topic' }],
    id: [{ header: 'X-Shopify-Webhook-Id' }],
    match: { shop: { at: { header: 'X-Shopify-Shop-Domain' }, suffix: '.myshopify.com', caseless: true } },
    steps: [
      'Open Settings → Notifications → Webhooks in the shop’s admin and choose Create webhook.',
      'Select the event, JSON as format, and enter {url} as URL.',
      'Copy the signing secret shown on that page and enter it here. Webhooks of an app are signed with the app’s client secret.',
    ],
    docs: {
      id: 'Redeliveries have the same ID. `X-Shopify-Event-Id` is not used, because all topics of one action share it.',
      facts: [
        'https://shopify.dev/docs/apps/build/webhooks/ignore-duplicates',
        'Shopify/shopify-app-js packages/apps/shopify-api/lib/utils/hmac-validator.ts',
      ],
    },
  }),
  hooks: shopifyHooks,
  event_types: shopifyEvents,
  evidence: {
    verified: '2026-11',
    vendor: [
      'Shopify/shopify-app-js packages/apps/shopify-api/lib/auth/oauth/oauth.ts',
      'Shopify/shopify-app-js packages/apps/shopify-api/lib/utils/hmac-validator.ts',
    ],
    others: [
      'pennersr/django-allauth allauth/socialaccount/providers/shopify/views.py',
      'trufflesecurity/trufflehog pkg/detectors/shopify/shopify.go',
      'hookdeck/webhook-skills skills/shopify-webhooks/references/verification.md',
    ],
  },
});
