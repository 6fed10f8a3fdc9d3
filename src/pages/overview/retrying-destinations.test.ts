import { expect, test } from 'vitest';
import type { EventRow, Outcome } from '../../api/entities.ts';
import { retryingDestinations } from './retrying-destinations.ts';

const outcome = (name: string, status: Outcome['status'], last_response_status: number | null = 503): Outcome => ({
  delivery_id: name,
  destination_id: name,
  destination_name: name,
  status,
  attempts: 1,
  last_response_status,
});
const event = (...outcomes: Outcome[]): EventRow => ({
  event_id: 'e',
  trigger_id: 't',
  trigger_name: 'orders',
  source: 'schedule',
  event_type: 'schedule.elapsed',
  received_at: '2026-11-21T00:00:00.000000Z',
  payload: {},
  replay_of: null,
  trace_id: null,
  pin: null,
  delivery_counts: { total: outcomes.length, succeeded: 0, failed: 0 },
  outcomes,
});

test('destinations are counted by waiting events, highest first, with the latest response', () => {
  const found = retryingDestinations([
    event(outcome('crm', 'RETRYING', null), outcome('erp', 'RETRYING', 502)),
    event(outcome('crm', 'SUCCEEDED'), outcome('erp', 'RETRYING', 503)),
  ]);
  expect(found.map(({ name, events, lastStatus }) => [name, events, lastStatus])).toEqual([
    ['erp', 2, 502],
    ['crm', 1, null],
  ]);
});
