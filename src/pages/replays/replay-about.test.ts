import { expect, test } from 'vitest';
import type { ReplayItem } from '../../api/entities.ts';
import { aboutOf } from './replay-about.ts';

const item = (event_id: string, trigger_id: string, destination_id: string): ReplayItem => ({
  event_id,
  trigger_id,
  destination_id,
  delivery_id: '',
  state: 'DONE',
  before: { status: 'FAILED', response_status: 500 },
  after: null,
});
const OLDEST = '019a5f3e-0000-7000-8000-000000000001';
const NEXT = '019a5f3e-ffff-7000-8000-000000000002';
const triggers = new Map([['t1', 'orders']]);
const destinations = new Map([
  ['d1', 'erp'],
  ['d2', 'audit'],
  ['d3', 'mail'],
]);

test('a replay is described by names, count and start', () => {
  const items = [item(OLDEST, 't1', 'd1'), item(OLDEST, 't1', 'd2'), item(NEXT, 't1', 'd3')];
  expect(aboutOf({ items, next_token: null }, triggers, destinations)).toEqual({
    route: 'orders → erp, audit and 1 more',
    events: '2 from',
    oldest: new Date(0x019a5f3e0000).toISOString(),
  });
  expect(aboutOf({ items: items.slice(0, 1), next_token: null }, triggers, destinations)?.events).toBe('1 at');
});

test('an incomplete summary shows "and more", and unnamed resources show their ID', () => {
  const items = [item(OLDEST, '019a5f3e-1111-7000-8000-00000000abcd', 'd1')];
  expect(aboutOf({ items, next_token: 'more' }, triggers, destinations)).toMatchObject({
    route: '019a5f3e…abcd, … → erp, …',
    events: 'at least 1 from',
  });
  expect(aboutOf({ items: [], next_token: null }, triggers, destinations)).toBeUndefined();
});
