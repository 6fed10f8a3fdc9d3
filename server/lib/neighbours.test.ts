import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createNeighbours, hear, type Listener } from './neighbours.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function start() {
  const sent: string[] = [];
  const heard: unknown[] = [];
  let works = true;
  const { tell } = createNeighbours({
    nodeId: 'one',
    maxBytes: 300,
    async send(message) {
      if (works) sent.push(message);
      return works;
    },
  });
  const listener: Listener = {
    onLive: (account_id, changes) => heard.push([account_id, changes.length]),
    onForget: (kind, id) => heard.push([kind, id]),
    onNudge: (worker) => heard.push(worker),
    onResync: () => heard.push('resync'),
    onGap: () => heard.push('gap'),
  };
  /** After so long, what another node has heard since. */
  const after = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms);
    for (const message of sent.splice(0)) hear(message, 'two', listener);
    return heard.splice(0);
  };
  const change = (n: number) => ({ noun: 'trigger' as const, trigger_id: String(n) });
  const fail = (fails: boolean) => {
    works = !fails;
  };
  return { tell, after, change, sent, listener, heard, fail };
}

it('news leaves at once, and what comes then gathers for a tenth of a second', async () => {
  const { tell, after, change, sent } = start();
  tell({ forget: 'key', id: 'k' });
  expect(await after(1)).toEqual([['key', 'k']]);
  for (let n = 0; n < 3; n++) {
    tell({ live: [change(n)], account_id: 'a' });
    tell({ forget: 'key', id: 'k' });
    tell({ nudge: 'deliverer' });
  }
  await vi.advanceTimersByTimeAsync(98);
  expect(sent).toEqual([]);
  expect(await after(2)).toEqual([['key', 'k'], 'deliverer', ['a', 3]]);
});

it('live changes that do not fit become one word to read again, once a second; the rest goes through', async () => {
  const { tell, after, change } = start();
  const burst = () => {
    tell({ live: Array.from({ length: 20 }, (_, n) => change(n)), account_id: 'a' });
    tell({ nudge: 'deliverer' });
  };
  burst();
  expect(await after(1)).toEqual(['deliverer', 'resync']);
  burst();
  expect(await after(100)).toEqual(['deliverer']);
  expect(await after(800)).toEqual([]);
  expect(await after(1000)).toEqual(['resync']);
  expect(await after(5000)).toEqual([]);
});

it('what could not be sent, or does not fit, may have been anything', async () => {
  const { tell, after, fail } = start();
  fail(true);
  tell({ forget: 'key', id: 'lost' });
  await after(1);
  fail(false);
  expect(await after(100)).toEqual(['gap']);
  for (let n = 0; n < 20; n++) tell({ forget: 'upstreams', id: `account-${n}` });
  expect(await after(100)).toEqual(['gap']);
});

it('hears nothing new from itself, and takes what it cannot read for a gap', () => {
  const { listener, heard } = start();
  hear(JSON.stringify({ from: 'two', nudge: ['deliverer'] }), 'two', listener);
  expect(heard).toEqual([]);
  hear('what?', 'two', listener);
  expect(heard).toEqual(['gap']);
});
