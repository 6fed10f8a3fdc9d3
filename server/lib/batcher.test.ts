import { expect, it } from 'vitest';
import { createBatcher } from './batcher.ts';

it('lets one item leave alone and gathers what comes meanwhile', async () => {
  const sizes: number[] = [];
  const first = Promise.withResolvers<void>();
  const batcher = createBatcher(
    async (items: number[]) => {
      sizes.push(items.length);
      if (sizes.length === 1) await first.promise;
      return items.map((n) => n * 2);
    },
    { max: 3, atOnce: 1 },
  );
  const alone = batcher.add(1);
  await new Promise((ok) => setImmediate(ok));
  const rest = [2, 3, 4, 5].map((n) => batcher.add(n));
  expect(batcher.waiting()).toBe(4);
  first.resolve();
  expect(await alone).toBe(2);
  expect(await Promise.all(rest)).toEqual([4, 6, 8, 10]);
  expect(sizes).toEqual([1, 3, 1]);
  await batcher.idle();
});

it('fails the items of a failed batch only', async () => {
  const batcher = createBatcher(
    async (items: number[]) => {
      if (items.includes(1)) throw new Error('no');
      return items;
    },
    { max: 1, atOnce: 2 },
  );
  const results = await Promise.allSettled([batcher.add(1), batcher.add(2)]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  await batcher.idle();
});
