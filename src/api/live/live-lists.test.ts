import { expect, test } from 'vitest';
import type { EventRow } from '../entities.ts';
import { mergeHead } from './live-lists.ts';

function event(n: number, failed = 0): EventRow {
  return {
    event_id: `e${n}`,
    trigger_id: 't',
    trigger_name: 'trigger',
    source: 'schedule',
    event_type: 'schedule.elapsed',
    received_at: '2026-11-21T00:00:00.000000Z',
    payload: {},
    replay_of: null,
    trace_id: null,
    pin: null,
    delivery_counts: { total: 1, succeeded: 1 - failed, failed },
    outcomes: [],
  };
}
const page = (next_token: string | null, ...events: EventRow[]) => ({ events, next_token });
const known = { pages: [page('b', event(4), event(3)), page(null, event(2), event(1))], pageParams: [undefined, 'b'] };
const ids = (merged: ReturnType<typeof mergeHead>) =>
  merged?.pages.map(({ events }) => events?.map(({ event_id }) => event_id).join(' '));

test('new rows are added at the front, and no page is refetched', () => {
  const merged = mergeHead(known, page('b2', event(6), event(5), event(4)));
  expect(ids(merged)).toEqual(['e6 e5 e4 e3', 'e2 e1']);
  // the cursors of loaded pages still lead to the pages after them
  expect(merged?.pages[0]?.next_token).toBe('b');
});

test('changed rows are updated in place', () => {
  const merged = mergeHead(known, page('b2', event(4, 1), event(3)));
  expect(ids(merged)).toEqual(['e4 e3', 'e2 e1']);
  expect(merged?.pages[0]?.events?.[0]?.delivery_counts.failed).toBe(1);
});

test('a row that no longer matches the filter stays', () => {
  expect(ids(mergeHead(known, page(null, event(3))))).toEqual(['e4 e3', 'e2 e1']);
});

test('a row between two loaded ones is inserted by id', () => {
  const sparse = {
    pages: [page('b', event(9), event(5)), page(null, event(3), event(1))],
    pageParams: [undefined, 'b'],
  };
  expect(ids(mergeHead(sparse, page('b2', event(9), event(7), event(5), event(2))))).toEqual(['e9 e7 e5', 'e3 e2 e1']);
});

test('rows after the last loaded one are left to their page', () => {
  const open = { pages: [page('b', event(9), event(8))], pageParams: [undefined] };
  expect(ids(mergeHead(open, page('b2', event(9), event(8), event(7))))).toEqual(['e9 e8']);
});

test('if more rows are new than a page holds, the lists are not merged', () => {
  expect(mergeHead(known, page('b2', event(9), event(8)))).toBeUndefined();
});

test('an empty list gets its first rows', () => {
  const empty = { pages: [page(null)], pageParams: [undefined] };
  const merged = mergeHead(empty, page('b', event(1)));
  expect(ids(merged)).toEqual(['e1']);
  expect(merged?.pages[0]?.next_token).toBe('b');
});

test('a page without matches before its search limit changes nothing', () => {
  expect(mergeHead(known, page('b2'))).toBe(known);
});
