import { expect, it } from 'vitest';
import { NO_PACE } from '../destinations/pace.ts';
import { createFlow } from './replay-flow.ts';

/** How many deliveries a destination may open now. */
function roomOf(flow: ReturnType<typeof createFlow>, id: string, limits = NO_PACE): number {
  let room = 0;
  while (flow.take(id, limits)) room++;
  return room;
}

it('a destination has as many deliveries open as it closed in two seconds, and at least twice what may be in flight', () => {
  const flow = createFlow();
  expect(flow.anyFull()).toBe(false);
  expect(roomOf(flow, 'a')).toBe(16);
  expect([flow.isFull('a'), flow.isFull('b'), flow.anyFull()]).toEqual([true, false, true]);
  flow.closed(new Map([['a', 100]]));
  flow.setOpen(new Map([['a', 40]]));
  expect(flow.anyFull()).toBe(false);
  expect(roomOf(flow, 'a')).toBe(60);
});

it.each([
  [{ rate_requests: 1, rate_per: 'hour' as const }, 2],
  [{ rate_requests: 3, rate_per: 'second' as const }, 7],
  [{ rate_requests: 1000, rate_per: 'second' as const }, 16],
  [{ max_in_flight: 1 }, 2],
])('limits of the destination: %o', (limits, room) => {
  expect(roomOf(createFlow(), 'a', { ...NO_PACE, ...limits })).toBe(room);
});
