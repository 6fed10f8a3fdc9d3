/** The envelope and IDs are those of Paddle's webhook reference; entities contain only common fields. */
import { eventTypes, parameters } from '../source.ts';

const event = (event_type: string, data: object) => ({
  event_id: 'evt_01gks14ge726w50ch2tmaw2a1x',
  event_type,
  occurred_at: '2024-10-12T07:20:50.52Z',
  notification_id: 'ntf_01ghbkd0frb9k95cnhwd1bxpvk',
  data,
});
const transaction = (status: string) => ({ id: 'txn_01h04vsbhqc62t8hmd4z3b578c', status });
const subscription = (status: string) => ({ id: 'sub_01h04vsc0qhwtsbsxh3422wjs4', status });
const completed = event('transaction.completed', transaction('completed'));

export const paddleEvents = eventTypes(parameters({}), {
  transaction: ['Anything that happens to a transaction.', completed],
  'transaction.billed': ['A transaction was billed.', event('transaction.billed', transaction('billed'))],
  'transaction.paid': ['A transaction was paid.', event('transaction.paid', transaction('paid'))],
  'transaction.completed': ['A transaction was completed.', completed],
  subscription: ['Anything that happens to a subscription.', event('subscription.created', subscription('active'))],
  'subscription.created': ['A subscription was created.', event('subscription.created', subscription('active'))],
  'subscription.updated': ['A subscription changed.', event('subscription.updated', subscription('active'))],
  'subscription.canceled': ['A subscription was canceled.', event('subscription.canceled', subscription('canceled'))],
  '*': ['Every event that the destination sends.', completed],
});
