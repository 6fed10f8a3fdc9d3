/** The objects are Stripe's own fixtures (stripe/openapi), shortened, in the state after the event. */
import { eventTypes, parameters } from '../source.ts';

const event = (type: string, object: object, previous_attributes?: object) => ({
  id: 'evt_1Pgc76B7WZ01zgkWwyRHS12y',
  object: 'event',
  api_version: '2024-06-20',
  created: 1721954054,
  data: { object, ...(previous_attributes ? { previous_attributes } : {}) },
  livemode: false,
  pending_webhooks: 1,
  request: { id: null, idempotency_key: null },
  type,
});

const session = {
  id: 'cs_test_a1YS1URlnyQCN5fUUduORoQ7Pw41PJqDWkIVQCpJPqkfIhd6tVY8XB1OLY',
  object: 'checkout.session',
  amount_total: 1099,
  currency: 'usd',
  customer: null,
  customer_details: { email: 'example@example.com', name: null, phone: null },
  metadata: {},
  mode: 'payment',
  payment_status: 'paid',
  status: 'complete',
};
const payment_intent = {
  id: 'pi_1PgafyB7WZ01zgkWSjxsAJo3',
  object: 'payment_intent',
  amount: 1099,
  amount_received: 1099,
  currency: 'usd',
  customer: null,
  description: null,
  last_payment_error: null as object | null,
  livemode: false,
  metadata: {},
  payment_method_types: ['card'],
  status: 'succeeded',
};
const charge = {
  id: 'ch_1PgafuB7WZ01zgkWXYmPNZs8',
  object: 'charge',
  amount: 100,
  amount_refunded: 0,
  billing_details: { email: null, name: 'Jenny Rosen', phone: null },
  captured: true,
  currency: 'usd',
  customer: null,
  description: 'My First Test Charge (created for API docs)',
  failure_code: null as string | null,
  failure_message: null as string | null,
  metadata: {},
  paid: true,
  payment_method: 'card_1PgaftB7WZ01zgkWm3waTcFp',
  refunded: false,
  status: 'succeeded',
};
const failed = { paid: false, captured: false, status: 'failed' };
const declined = { failure_code: 'card_declined', failure_message: 'Your card was declined.' };
const dispute = {
  id: 'dp_1Pgc71B7WZ01zgkWMevJiAUx',
  object: 'dispute',
  amount: 1000,
  charge: 'ch_1PgafuB7WZ01zgkWXYmPNZs8',
  currency: 'usd',
  evidence_details: { due_by: 1723679999, has_evidence: false, past_due: false, submission_count: 0 },
  reason: 'general',
  status: 'warning_needs_response',
};
const refund = {
  id: 're_1Pgc72B7WZ01zgkWqPvrRrPE',
  object: 'refund',
  amount: 100,
  charge: 'ch_1PgafuB7WZ01zgkWXYmPNZs8',
  currency: 'usd',
  reason: null,
  status: 'succeeded',
};
const customer = {
  id: 'cus_QXg1o8vcGmoR32',
  object: 'customer',
  balance: 0,
  created: 1721948530,
  currency: 'usd',
  delinquent: false,
  description: null as string | null,
  email: null,
  metadata: {},
  name: null,
  phone: null,
};
const subscription = {
  id: 'sub_1Pgc6rB7WZ01zgkWNy0Cn5nw',
  object: 'subscription',
  cancel_at_period_end: false,
  collection_method: 'charge_automatically',
  currency: 'usd',
  customer: customer.id,
  ended_at: null as number | null,
  items: {
    object: 'list',
    data: [
      {
        id: 'si_QXhVnC2h0Jczwc',
        object: 'subscription_item',
        price: { id: 'price_1PgafmB7WZ01zgkW6dKueIc5', object: 'price', currency: 'usd', unit_amount: 2000 },
        quantity: 1,
      },
    ],
  },
  metadata: {},
  status: 'active',
};
const invoice = {
  id: 'in_1Pgc6tB7WZ01zgkWu9fdqL6I',
  object: 'invoice',
  amount_due: 1000,
  amount_paid: 0,
  amount_remaining: 1000,
  attempt_count: 0,
  billing_reason: 'manual',
  collection_method: 'charge_automatically',
  currency: 'usd',
  customer: customer.id,
  metadata: {},
  status: 'draft',
};
const payout = {
  id: 'po_1Pgc79B7WZ01zgkWu1KToYf4',
  object: 'payout',
  amount: 1100,
  arrival_date: 1721954054,
  automatic: true,
  currency: 'usd',
  description: 'STRIPE PAYOUT',
  destination: 'ba_1Pgc79B7WZ01zgkWoU5vBiXt',
  method: 'standard',
  status: 'paid',
  type: 'bank_account',
};
const payment_method = {
  id: 'pm_1Pgc75B7WZ01zgkWlHVgdEGJ',
  object: 'payment_method',
  card: { brand: 'visa', country: 'US', exp_month: 8, exp_year: 2030, funding: 'credit', last4: '4242' },
  customer: customer.id,
  metadata: { order_id: '123456789' },
  type: 'card',
};

const updated = event('customer.updated', { ...customer, description: 'New description' }, { description: null });
const begun = event('customer.subscription.created', subscription);
const changed = event(
  'customer.subscription.updated',
  { ...subscription, cancel_at_period_end: true },
  { cancel_at_period_end: false },
);

export const stripeEvents = eventTypes(
  parameters({
    account: {
      type: 'string',
      title: 'Connected account',
      description: 'With Connect: only events of this account.',
      pattern: '^acct_[A-Za-z0-9]{1,50}$',
      examples: ['acct_1032D82eZvKYlo2C'],
    },
  }),
  {
    'checkout.session.completed': ['A checkout was completed.', event('checkout.session.completed', session)],
    'checkout.session.expired': [
      'A checkout expired.',
      event('checkout.session.expired', { ...session, payment_status: 'unpaid', status: 'expired' }),
    ],
    'payment_intent.succeeded': ['A payment succeeded.', event('payment_intent.succeeded', payment_intent)],
    'payment_intent.payment_failed': [
      'A payment failed.',
      event('payment_intent.payment_failed', {
        ...payment_intent,
        amount_received: 0,
        last_payment_error: { type: 'card_error', code: 'card_declined' },
        status: 'requires_payment_method',
      }),
    ],
    'charge.succeeded': ['A charge succeeded.', event('charge.succeeded', charge)],
    'charge.failed': ['A charge failed.', event('charge.failed', { ...charge, ...failed, ...declined })],
    'charge.refunded': [
      'A charge was refunded, in whole or in part.',
      event('charge.refunded', { ...charge, amount_refunded: 100, refunded: true }, { amount_refunded: 0 }),
    ],
    'charge.dispute.created': ['A customer disputes a charge.', event('charge.dispute.created', dispute)],
    'refund.created': ['A refund was created.', event('refund.created', refund)],
    customer: ['Anything that happens to a customer, including subscriptions.', updated],
    'customer.created': ['A customer was created.', event('customer.created', customer)],
    'customer.updated': ['A customer changed.', updated],
    'customer.deleted': ['A customer was deleted.', event('customer.deleted', customer)],
    'customer.subscription': ['Anything that happens to a subscription.', begun],
    'customer.subscription.created': ['A subscription was created.', begun],
    'customer.subscription.updated': ['A subscription changed.', changed],
    'customer.subscription.deleted': [
      'A subscription ended.',
      event('customer.subscription.deleted', { ...subscription, ended_at: 1721954054, status: 'canceled' }),
    ],
    invoice: ['Anything that happens to an invoice.', event('invoice.created', invoice)],
    'invoice.created': ['An invoice was created.', event('invoice.created', invoice)],
    'invoice.paid': [
      'An invoice was paid.',
      event('invoice.paid', { ...invoice, amount_paid: 1000, amount_remaining: 0, attempt_count: 1, status: 'paid' }),
    ],
    'invoice.payment_failed': [
      'An invoice could not be paid.',
      event('invoice.payment_failed', { ...invoice, attempt_count: 1, status: 'open' }),
    ],
    'payment_method.attached': [
      'A way to pay was kept for a customer.',
      event('payment_method.attached', payment_method),
    ],
    'payout.paid': ['A payout arrived.', event('payout.paid', payout)],
    'payout.failed': ['A payout failed.', event('payout.failed', { ...payout, status: 'failed' })],
    '*': ['Every event that the destination sends.', event('charge.succeeded', charge)],
  },
);
