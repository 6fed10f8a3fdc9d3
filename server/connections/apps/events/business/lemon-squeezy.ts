/** The examples of Lemon Squeezy's documentation of webhooks, shortened. */
import { eventTypes, parameters } from '../../source.ts';

const order = (event_name: string, status = 'paid') => ({
  meta: { event_name },
  data: {
    type: 'orders',
    id: '1',
    attributes: {
      store_id: 1,
      identifier: '636f855c-1fb9-4c07-b75c-3a10afef010a',
      order_number: 1,
      user_name: 'Darlene Daugherty',
      currency: 'USD',
      currency_rate: '1.0000',
      subtotal: 999,
      discount_total: 0,
      tax: 200,
      total: 1199,
      subtotal_usd: 999,
      discount_total_usd: 0,
      tax_usd: 200,
      total_usd: 1199,
      tax_name: 'VAT',
      tax_rate: '20.00',
      status,
    },
  },
});
const subscription = (event_name: string, status = 'on_trial', cancelled = false) => ({
  meta: { event_name },
  data: {
    type: 'subscriptions',
    id: '1',
    attributes: {
      store_id: 2,
      customer_id: 2,
      order_id: 2,
      order_item_id: 2,
      product_id: 2,
      variant_id: 2,
      product_name: 'Subscription One',
      variant_name: 'Default',
      user_name: 'Dan R',
      status,
      card_brand: 'visa',
      pause: null,
      cancelled,
      trial_ends_at: '2023-01-24T12:43:48.000000Z',
      billing_anchor: 24,
    },
  },
});

const inStore = (example: string) =>
  parameters({
    store: {
      type: 'string',
      title: 'Store',
      description: 'Only events of the store with this ID.',
      pattern: '^[0-9]{1,20}$',
      examples: [example],
    },
  });

export const lemonSqueezyEvents = [
  ...eventTypes(inStore('1'), {
    order_created: ['An order was paid.', order('order_created')],
    order_refunded: ['An order was refunded.', order('order_refunded', 'refunded')],
    '*': ['Every event that is sent to the URL.', order('order_created')],
  }),
  ...eventTypes(inStore('2'), {
    subscription_created: ['A subscription was created.', subscription('subscription_created')],
    subscription_updated: ['A subscription changed in any way.', subscription('subscription_updated')],
    subscription_cancelled: ['A subscription was canceled.', subscription('subscription_cancelled', 'cancelled', true)],
    subscription_expired: ['A subscription ended.', subscription('subscription_expired', 'expired')],
  }),
];
