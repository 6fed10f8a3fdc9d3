import type { HookApi } from '../hook-api.ts';

const SUBSCRIPTION = ['created', 'updated', 'deleted', 'paused', 'resumed', 'trial_will_end'].map(
  (what) => `customer.subscription.${what}`,
);
const CUSTOMER = ['customer.created', 'customer.updated', 'customer.deleted'];
const INVOICE = [
  'created',
  'finalized',
  'paid',
  'payment_failed',
  'sent',
  'updated',
  'voided',
  'overdue',
  'deleted',
].map((what) => `invoice.${what}`);

/** https://docs.stripe.com/api/webhook_endpoints */
export const stripeHooks: readonly HookApi[] = [
  {
    needs: [],
    events: {
      names: { customer: [...CUSTOMER, ...SUBSCRIPTION], 'customer.subscription': SUBSCRIPTION, invoice: INVOICE },
      otherwise: 'same',
    },
    before: null,
    add: {
      method: 'POST',
      path: '/v1/webhook_endpoints',
      form: true,
      body: { url: '{url}', 'enabled_events[]': '{events}' },
    },
    id: { at: 'id' },
    secret: { at: 'secret' },
    list: {
      request: { method: 'GET', path: '/v1/webhook_endpoints?limit=100', body: null },
      items: 'data',
      id: { at: 'id' },
      url: 'url',
    },
    remove: { method: 'DELETE', path: '/v1/webhook_endpoints/{id}', body: null },
    refusedAt: [],
    refusals: {
      403: 'The key is not allowed to manage webhook endpoints: a restricted key needs the permission Webhook Endpoints (write).',
    },
  },
];
