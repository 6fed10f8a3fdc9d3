import { afterEach, expect, it, vi } from 'vitest';
import type { Verdict } from '../destinations/breaker.ts';
import { createLanes } from './lanes.ts';

type Item = { destination_id: string; n: number };
const RULES = { failures: 3, firstPauseMs: 1000, longestPauseMs: 3000 };
const LIMITS = {
  inFlightPerLane: 2,
  slots: { quick: 3, all: 5, longMs: 100 },
  perLane: 4,
  waiting: 100,
};

function start() {
  const lanes = createLanes<Item>(RULES, LIMITS);
  const sent: string[] = [];
  const unused: string[] = [];
  const changes: string[] = [];
  const ends: ((verdict: Verdict) => void)[] = [];
  let rooms = 0;
  const nameOf = ({ destination_id, n }: Item) => `${destination_id}${n}`;
  lanes.open({
    send(item) {
      sent.push(nameOf(item));
      return new Promise<Verdict>((ok) => ends.push(ok));
    },
    onRoom: () => rooms++,
    onLimitedRoom: () => undefined,
    onUnused: (items) => unused.push(...items.map(nameOf)),
    onBreaker: ({ destination_id }, change) => changes.push(`${destination_id} ${change}`),
  });
  const push = (destination_id: string, ...ns: number[]) => {
    for (const n of ns) lanes.push({ destination_id, n });
  };
  const finish = async (index: number, verdict: Verdict = 'ALIVE') => {
    ends[index]?.(verdict);
    await new Promise<void>((ok) => process.nextTick(ok));
  };
  /** Makes this many attempts of a lane, one after the other, all failing. */
  const fail = async (id: string, times: number) => {
    for (let n = 0; n < times; n++) {
      push(id, n);
      await finish(ends.length - 1, 'FAILED');
    }
  };
  return { lanes, sent, unused, changes, push, finish, fail, last: () => ends.length - 1, rooms: () => rooms };
}

afterEach(() => {
  vi.useRealTimers();
});

it('sends a limited number per lane, in order, and a full lane delays no other', async () => {
  const { sent, push, finish } = start();
  push('a', 1, 2, 3, 4);
  push('b', 1, 2);
  expect(sent).toEqual(['a1', 'a2', 'b1']);
  await finish(2);
  expect(sent).toEqual(['a1', 'a2', 'b1', 'b2']);
  await finish(0);
  await finish(3);
  expect(sent).toEqual(['a1', 'a2', 'b1', 'b2', 'a3']);
});

it('slow attempts release their slots to others, up to a limit', () => {
  vi.useFakeTimers();
  const { sent, push } = start();
  for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) push(id, 1);
  expect(sent).toEqual(['a1', 'b1', 'c1']);
  vi.advanceTimersByTime(101);
  expect(sent).toEqual(['a1', 'b1', 'c1', 'd1', 'e1']);
  vi.advanceTimersByTime(1000);
  expect(sent).toHaveLength(5);
});

it('has no room while a lane is full, or behind the table', async () => {
  const { lanes, push } = start();
  expect(lanes.hasRoom('a')).toBe(true);
  push('a', 1, 2, 3, 4);
  expect(lanes.hasRoom('a')).toBe(false);
  expect(lanes.fetching()).toMatchObject({ without: ['a'], room: 98 });
  lanes.spilled('b');
  expect(lanes.hasRoom('b')).toBe(false);
  lanes.fetched(lanes.fetching(), new Map([['b', 2]]), 2, null);
  expect(lanes.hasRoom('b')).toBe(false);
  lanes.fetched(lanes.fetching(), new Map([['b', 1]]), 2, null);
  expect(lanes.hasRoom('b')).toBe(true);
});

it('stays in the backlog for deliveries added during a fetch, and those that a full fetch did not reach', () => {
  const { lanes } = start();
  for (const id of ['a', 'b', 'c']) lanes.spilled(id);
  const fetch = lanes.fetching();
  lanes.spilled('a');
  expect(lanes.fetched(fetch, new Map([['a', 1]]), 2, 'b')).toBe(true);
  expect(['a', 'b', 'c'].map(lanes.hasRoom)).toEqual([false, false, false]);
});

it('continues after a full fetch, then starts from the first lane again', () => {
  const { lanes } = start();
  for (const id of ['1', '2', '3']) lanes.spilled(id);
  const first = lanes.fetching();
  expect(lanes.fetched(first, new Map([['1', 1]]), 2, '2')).toBe(true);
  expect(['1', '2', '3'].map(lanes.hasRoom)).toEqual([true, false, false]);
  const second = lanes.fetching();
  expect(second.after).toBe('2');
  expect(lanes.fetched(second, new Map(), 2, null)).toBe(true);
  expect(['1', '2', '3'].map(lanes.hasRoom)).toEqual([true, false, true]);
  const third = lanes.fetching();
  expect(third.after).toBe(first.after);
  expect(lanes.fetched(third, new Map(), 2, null)).toBe(false);
  expect(lanes.hasRoom('2')).toBe(true);
});

it('stays in the backlog while a fetch excludes it', async () => {
  const { lanes, push, finish } = start();
  push('a', 1, 2, 3, 4);
  lanes.spilled('a');
  const fetch = lanes.fetching();
  await finish(0);
  lanes.fetched(fetch, new Map(), 2, null);
  expect(lanes.hasRoom('a')).toBe(false);
});

it('requests a fetch when a lane in the backlog runs low', async () => {
  const { lanes, push, finish, rooms } = start();
  push('a', 1);
  await finish(0);
  expect(rooms()).toBe(0);
  push('a', 2);
  lanes.spilled('a');
  await finish(1);
  expect(rooms()).toBe(1);
});

it('requests nothing from the table while it has enough, or its breaker is open', async () => {
  const { lanes, push, finish, fail } = start();
  expect(lanes.wants('a')).toBe(true);
  push('a', 1, 2, 3);
  expect(lanes.wants('a')).toBe(true);
  push('a', 4);
  expect(lanes.wants('a')).toBe(false);
  expect(lanes.wants('b')).toBe(true);
  await finish(0);
  expect(lanes.wants('a')).toBe(true);
  await fail('c', RULES.failures);
  expect(lanes.wants('c')).toBe(false);
});

it('continues after waiting deliveries were taken back', async () => {
  const { lanes, sent, push, finish } = start();
  push('a', 1, 2, 3, 4);
  expect(lanes.takeBack().map(({ n }) => n)).toEqual([3, 4]);
  await finish(0);
  push('a', 5);
  expect(sent).toEqual(['a1', 'a2', 'a5']);
});

it('when closed, returns waiting and later deliveries, and is idle once attempts in flight end', async () => {
  const { lanes, sent, unused, push, finish } = start();
  push('a', 1, 2, 3, 4);
  lanes.close();
  expect(lanes.takeBack().map(({ n }) => n)).toEqual([3, 4]);
  expect(lanes.hasRoom('b')).toBe(false);
  push('b', 1);
  lanes.pushUrgent({ destination_id: 'b', n: 2 });
  expect(unused).toEqual(['b1', 'b2']);
  const idle = lanes.idle();
  await finish(0);
  await finish(1);
  await idle;
  expect(sent).toEqual(['a1', 'a2']);
});

it('repeated failures open the breaker, and waiting deliveries return to the table', async () => {
  const { lanes, sent, unused, changes, push, finish } = start();
  push('a', 1, 2, 3, 4, 5, 6);
  for (const n of [0, 1, 2]) await finish(n, 'FAILED');
  expect(sent).toEqual(['a1', 'a2', 'a3', 'a4']);
  expect(unused).toEqual(['a5', 'a6']);
  expect(changes).toEqual(['a OPENED']);
  expect(lanes.hasRoom('a')).toBe(false);
  expect(lanes.fetching()).toMatchObject({ without: ['a'], probed: [] });
  push('a', 7);
  expect(unused).toEqual(['a5', 'a6', 'a7']);
  expect(lanes.hasRoom('b')).toBe(true);
});

it('after its pause a few deliveries probe; failing doubles the pause, up to the longest', async () => {
  vi.useFakeTimers();
  const { lanes, sent, fail, push, finish, last, rooms } = start();
  await fail('a', 3);
  for (const pauseMs of [1000, 2000, 3000, 3000]) {
    const before = { sent: sent.length, rooms: rooms() };
    vi.advanceTimersByTime(pauseMs - 1);
    expect(lanes.fetching()).toMatchObject({ without: ['a'], probed: [] });
    expect(rooms()).toBe(before.rooms);
    vi.advanceTimersByTime(1);
    expect(rooms()).toBe(before.rooms + 1);
    expect(lanes.fetching()).toMatchObject({ without: [], probed: ['a'] });
    push('a', 8);
    push('a', 9);
    expect(sent).toHaveLength(before.sent + 2);
    expect(lanes.fetching()).toMatchObject({ without: ['a'], probed: [] });
    await finish(last() - 1, 'FAILED');
    await finish(last(), 'FAILED');
  }
  lanes.close();
});

it('a success closes the breaker, and the lane restarts with one at a time', async () => {
  vi.useFakeTimers();
  const { lanes, changes, fail, push, finish, last, sent } = start();
  await fail('a', 3);
  vi.advanceTimersByTime(1000);
  push('a', 10);
  lanes.spilled('a');
  await finish(last());
  expect(changes).toEqual(['a OPENED', 'a CLOSED']);
  const before = sent.length;
  push('a', 11, 12);
  expect(sent).toHaveLength(before + 1);
  for (let n = 0; n < 20; n++) {
    push('a', n);
    await finish(last());
  }
  expect(lanes.figures().inFlight).toBe(2);
});

it('counts no failure twice, and none from before the breaker opened', async () => {
  vi.useFakeTimers();
  const { lanes, changes, fail, push, finish, last } = start();
  push('a', 1);
  const slow = last();
  await fail('a', 3);
  vi.advanceTimersByTime(1000);
  await finish(slow, 'FAILED');
  expect(lanes.fetching().probed).toEqual(['a']);
  expect(changes).toEqual(['a OPENED']);
  lanes.close();
});

it('an outcome without a verdict changes nothing, and a success between failures resets the count', async () => {
  const { changes, fail, push, finish, last } = start();
  await fail('a', 2);
  push('a', 1);
  await finish(last(), undefined);
  push('a', 1);
  await finish(last(), 'ALIVE');
  await fail('a', 2);
  expect(changes).toEqual([]);
  await fail('a', 1);
  expect(changes).toEqual(['a OPENED']);
});

it('an overloaded receiver gets half once per set of attempts in flight, and one more after 20 successes', async () => {
  const { lanes, sent, push, finish, last } = start();
  push('a', 1, 2, 3);
  await finish(0, 'OVERLOADED');
  expect(sent).toEqual(['a1', 'a2']);
  await finish(1, 'OVERLOADED');
  expect(sent).toEqual(['a1', 'a2', 'a3']);
  await finish(2);
  for (let n = 0; n < 19; n++) {
    push('a', n);
    await finish(last());
  }
  push('a', 1, 2);
  expect(lanes.figures().inFlight).toBe(2);
});

it('a manual delivery is sent despite a full lane or open breaker, and its success closes the breaker', async () => {
  const { lanes, sent, changes, push, fail, finish, last } = start();
  push('b', 1, 2, 3);
  lanes.pushUrgent({ destination_id: 'b', n: 9 });
  expect(sent).toEqual(['b1', 'b2', 'b9']);
  await fail('a', 3);
  lanes.pushUrgent({ destination_id: 'a', n: 9 });
  expect(sent.at(-1)).toBe('a9');
  await finish(last(), 'FAILED');
  lanes.pushUrgent({ destination_id: 'a', n: 9 });
  await finish(last());
  expect(changes).toEqual(['a OPENED', 'a CLOSED']);
});

it('a changed destination starts without failures', async () => {
  const { lanes, fail, rooms } = start();
  await fail('a', 3);
  const before = rooms();
  lanes.changed('a');
  expect(lanes.hasRoom('a')).toBe(true);
  expect(rooms()).toBe(before + 1);
});

it('a breaker that opened on another node opens, and probes only if that node does not', async () => {
  vi.useFakeTimers();
  const { lanes, sent, unused, push } = start();
  push('a', 1, 2, 3);
  expect(sent).toEqual(['a1', 'a2']);
  lanes.opened('a', 1000);
  expect(unused).toEqual(['a3']);
  push('a', 4);
  expect(unused).toEqual(['a3', 'a4']);
  // The other node probes after its pause, and opens its breaker again.
  vi.advanceTimersByTime(2900);
  lanes.opened('a', 2000);
  vi.advanceTimersByTime(3900);
  expect(lanes.figures().broken).toBe(1);
  expect(lanes.hasRoom('a')).toBe(false);
  // It has ended: after its pause and up to four seconds, this node probes.
  vi.advanceTimersByTime(2200);
  expect(lanes.fetching().probed).toEqual([]);
  lanes.changed('a');
  expect(lanes.figures().broken).toBe(0);
});
