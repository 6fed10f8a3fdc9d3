/**
 * The body of a webhook is the resource of its topic, so samples are those of Shopify's Admin REST API, as its own
 * libraries carry them (Shopify/shopify-app-js), shortened.
 */
import { eventTypes, parameters } from '../source.ts';

const customer = {
  id: 207119551,
  email: 'bob.norman@mail.example.com',
  created_at: '2024-01-02T09:21:56-05:00',
  updated_at: '2024-01-02T09:21:56-05:00',
  first_name: 'Bob',
  last_name: 'Norman',
  orders_count: 1,
  state: 'disabled',
  total_spent: '199.65',
  last_order_id: 450789469,
  note: null,
  verified_email: true,
  tax_exempt: false,
  tags: 'Léon, Noël',
  last_order_name: '#1001',
  currency: 'USD',
  phone: '+16136120707',
};
const order = {
  id: 450789469,
  admin_graphql_api_id: 'gid://shopify/Order/450789469',
  buyer_accepts_marketing: false,
  cancel_reason: null as string | null,
  cancelled_at: null as string | null,
  cart_token: '68778783ad298f1c80c3bafcddeea02f',
  checkout_id: 901414060,
  confirmed: true,
  contact_email: 'bob.norman@mail.example.com',
  created_at: '2008-01-10T11:00:00-05:00',
  currency: 'USD',
  current_subtotal_price: '195.67',
  current_total_discounts: '3.33',
  customer,
};
const product = {
  id: 632910392,
  title: 'IPod Nano - 8GB',
  vendor: 'Apple',
  product_type: 'Cult Products',
  created_at: '2025-04-02T11:29:59-05:00',
  handle: 'ipod-nano',
  updated_at: '2025-04-02T11:29:59-05:00',
  published_at: '2007-12-31T19:00:00-05:00',
  template_suffix: null,
  published_scope: 'web',
  tags: 'Emotive, Flash Memory, MP3, Music',
  status: 'active',
  admin_graphql_api_id: 'gid://shopify/Product/632910392',
  variants: [{ id: 808950810, product_id: 632910392 }],
};

export const shopifyEvents = eventTypes(
  parameters({
    shop: {
      type: 'string',
      title: 'Shop',
      description: 'Only events of the shop with this name before .myshopify.com.',
      pattern: '^[A-Za-z0-9][A-Za-z0-9-]{0,100}$',
      examples: ['example-shop'],
    },
  }),
  {
    'orders.create': ['An order was placed.', order],
    'orders.updated': ['An order changed.', order],
    'orders.paid': ['An order was paid.', order],
    'orders.cancelled': [
      'An order was canceled.',
      { ...order, cancel_reason: 'customer', cancelled_at: '2008-01-11T11:00:00-05:00' },
    ],
    'orders.fulfilled': ['An order was fulfilled.', order],
    'orders.delete': ['An order was deleted.', { id: 450789469 }],
    'products.create': ['A product was created.', product],
    'products.update': ['A product or its stock changed.', product],
    'products.delete': ['A product was deleted.', { id: 632910392 }],
    'customers.create': ['A customer was created.', customer],
    'customers.update': ['A customer changed.', customer],
    'customers.delete': ['A customer was deleted.', { id: 207119551 }],
    '*': ['Every topic that is sent to the URL.', order],
  },
);
