/** Changes are batched; missed batches are kept, up to a limit. */
import { expect, test } from 'vitest';
import { createLive, type LiveBatch } from './live.ts';

const open = () => createLive('boot', { onBatch: () => undefined });
const run = (n: number) => ({ noun: 'run', run_id: `run ${n}`, function_id: 'function', status: 'OK' }) as const;

/** The next batch of `one`, once `publish` has been called. */
async function next(live: ReturnType<typeof open>, publish: () => void): Promise<LiveBatch> {
  const { promise, resolve } = Promise.withResolvers<LiveBatch>();
  const { stop } = live.subscribe('one', undefined, resolve);
  publish();
  const batch = await promise;
  stop();
  return batch;
}

test('a later change of a resource replaces the earlier one', async () => {
  const live = open();
  const { changes } = await next(live, () => {
    live.publish('one', { ...run(1), status: 'RUNNING' });
    live.publish('one', run(2));
    live.publish('one', run(1));
    live.publish('another', run(3));
  });
  expect(changes).toEqual([run(2), run(1)]);
});

test('a reader that reconnects receives missed changes, or a resync after too many', async () => {
  const live = open();
  const start = live.position();
  const few = await next(live, () => live.publish('one', run(0)));
  expect(live.subscribe('one', start, () => undefined).missed).toEqual([few]);
  const many = await next(live, () => {
    for (let n = 0; n < 5_000; n++) live.publish('one', run(n));
  });
  expect(many.changes).toHaveLength(5_000);
  expect(live.subscribe('one', few.id, () => undefined).missed).toBeNull();
  expect(live.subscribe('one', many.id, () => undefined).missed).toEqual([]);
});
