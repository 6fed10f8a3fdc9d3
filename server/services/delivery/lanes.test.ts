import { expect, it } from 'vitest';
import { createLanes } from './lanes.ts';

type Item = { destination_id: string; n: number };

function start(limits = { inFlightPerLane: 2, inFlight: 3, perLane: 4, waiting: 100 }) {
  const lanes = createLanes<Item>(limits);
  const sent: string[] = [];
  const ends: (() => void)[] = [];
  let rooms = 0;
  const open = () =>
    lanes.open({
      send(item) {
        sent.push(`${item.destination_id}${item.n}`);
        return new Promise<void>((ok) => ends.push(ok));
      },
      onRoom: () => rooms++,
    });
  const push = (destination_id: string, n: number) => lanes.push({ destination_id, n });
  const finish = async (index: number) => {
    ends[index]?.();
    await new Promise((ok) => setImmediate(ok));
  };
  open();
  return { lanes, sent, push, finish, rooms: () => rooms };
}

it('lets a few of a lane out, in order, and a full lane holds up no other', async () => {
  const { sent, push, finish } = start();
  for (const n of [1, 2, 3, 4]) push('a', n);
  push('b', 1);
  push('b', 2);
  expect(sent).toEqual(['a1', 'a2', 'b1']);
  await finish(2);
  expect(sent).toEqual(['a1', 'a2', 'b1', 'b2']);
  await finish(0);
  await finish(3);
  expect(sent).toEqual(['a1', 'a2', 'b1', 'b2', 'a3']);
});

it('has no room while a lane is full, or behind the table', async () => {
  const { lanes, push } = start();
  expect(lanes.hasRoom('a')).toBe(true);
  for (const n of [1, 2, 3, 4]) push('a', n);
  expect(lanes.hasRoom('a')).toBe(false);
  expect(lanes.fetching().without).toEqual(['a']);
  lanes.spilled('b');
  expect(lanes.hasRoom('b')).toBe(false);
  lanes.fetched(lanes.fetching(), new Map([['b', 2]]), 2, false);
  expect(lanes.hasRoom('b')).toBe(false);
  lanes.fetched(lanes.fetching(), new Map([['b', 1]]), 2, false);
  expect(lanes.hasRoom('b')).toBe(true);
});

it('stays behind for what spilled during a fetch, and what a cut fetch did not reach', () => {
  const { lanes } = start();
  lanes.spilled('a');
  lanes.spilled('b');
  const fetch = lanes.fetching();
  lanes.spilled('a');
  lanes.fetched(fetch, new Map([['a', 1]]), 2, true);
  expect(lanes.hasRoom('a')).toBe(false);
  expect(lanes.hasRoom('b')).toBe(false);
});

it('stays behind while it was left out of the fetch', async () => {
  const { lanes, push, finish } = start();
  for (const n of [1, 2, 3, 4]) push('a', n);
  lanes.spilled('a');
  const fetch = lanes.fetching();
  await finish(0);
  lanes.fetched(fetch, new Map(), 2, false);
  expect(lanes.hasRoom('a')).toBe(false);
});

it('asks for more as a lane that is behind runs dry', async () => {
  const { lanes, push, finish, rooms } = start();
  push('a', 1);
  await finish(0);
  expect(rooms()).toBe(0);
  push('a', 2);
  lanes.spilled('a');
  await finish(1);
  expect(rooms()).toBe(1);
});

it('goes on after what waited was taken back', async () => {
  const { lanes, sent, push, finish } = start();
  for (const n of [1, 2, 3, 4]) push('a', n);
  expect(lanes.takeBack().map(({ n }) => n)).toEqual([3, 4]);
  await finish(0);
  push('a', 5);
  expect(sent).toEqual(['a1', 'a2', 'a5']);
});

it('closed, gives back what waited and is idle once the rest is done', async () => {
  const { lanes, sent, push, finish } = start();
  for (const n of [1, 2, 3, 4]) push('a', n);
  lanes.close();
  expect(lanes.takeBack().map(({ n }) => n)).toEqual([3, 4]);
  expect(lanes.hasRoom('b')).toBe(false);
  const idle = lanes.idle();
  await finish(0);
  await finish(1);
  await idle;
  expect(sent).toEqual(['a1', 'a2']);
});
