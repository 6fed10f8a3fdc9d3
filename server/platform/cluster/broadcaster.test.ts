import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createBroadcaster, dispatch, type Listener } from './broadcaster.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function start() {
  const sent: string[] = [];
  const dispatched: unknown[] = [];
  let works = true;
  const { broadcast } = createBroadcaster({
    nodeId: 'one',
    maxBytes: 300,
    async send(message) {
      if (works) sent.push(message);
      return works;
    },
  });
  const listener: Listener = {
    onLive: (account_id, changes) => dispatched.push([account_id, changes.length]),
    onChange: (account_id, { noun }) => dispatched.push([account_id, noun]),
    onNudge: (worker) => dispatched.push(worker),
    onResync: () => dispatched.push('resync'),
    onGap: () => dispatched.push('gap'),
  };
  /** The messages that another node has dispatched after this time. */
  const after = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms);
    for (const message of sent.splice(0)) dispatch(message, 'two', listener);
    return dispatched.splice(0);
  };
  const change = (n: number) => ({ noun: 'trigger' as const, trigger_id: String(n) });
  const fail = (fails: boolean) => {
    works = !fails;
  };
  return { broadcast, after, change, sent, listener, dispatched, fail };
}

it('a message is sent at once, and later ones are batched for 100 ms', async () => {
  const { broadcast, after, change, sent } = start();
  broadcast({ change: { noun: 'api_key', hash: 'k' }, account_id: 'a' });
  expect(await after(1)).toEqual([['a', 'api_key']]);
  for (let n = 0; n < 3; n++) {
    broadcast({ live: [change(n)], account_id: 'a' });
    broadcast({ change: { noun: 'api_key', hash: 'k' }, account_id: 'a' });
    broadcast({ nudge: 'deliverer' });
  }
  await vi.advanceTimersByTimeAsync(98);
  expect(sent).toEqual([]);
  expect(await after(2)).toEqual([['a', 'api_key'], 'deliverer', ['a', 3]]);
});

it('live changes beyond the limit become one resync per second; other messages are sent', async () => {
  const { broadcast, after, change } = start();
  const burst = () => {
    broadcast({ live: Array.from({ length: 20 }, (_, n) => change(n)), account_id: 'a' });
    broadcast({ nudge: 'deliverer' });
  };
  burst();
  expect(await after(1)).toEqual(['deliverer', 'resync']);
  burst();
  expect(await after(100)).toEqual(['deliverer']);
  expect(await after(800)).toEqual([]);
  expect(await after(1000)).toEqual(['resync']);
  expect(await after(5000)).toEqual([]);
});

it('a message that could not be sent, or does not fit, becomes a gap', async () => {
  const { broadcast, after, fail } = start();
  fail(true);
  broadcast({ change: { noun: 'api_key', hash: 'lost' }, account_id: 'a' });
  await after(1);
  fail(false);
  expect(await after(100)).toEqual(['gap']);
  for (let n = 0; n < 20; n++) broadcast({ change: { noun: 'app', app: `app-${n}` }, account_id: 'a' });
  expect(await after(100)).toEqual(['gap']);
});

it('ignores its own messages, and treats an unreadable one as a gap', () => {
  const { listener, dispatched } = start();
  dispatch(JSON.stringify({ from: 'two', nudge: ['deliverer'] }), 'two', listener);
  expect(dispatched).toEqual([]);
  dispatch('what?', 'two', listener);
  expect(dispatched).toEqual(['gap']);
});
