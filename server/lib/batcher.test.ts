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

it('keeps batches small by the size of their items, and takes one that is too large by itself', async () => {
  const batches: string[][] = [];
  const first = Promise.withResolvers<void>();
  const batcher = createBatcher(
    async (items: string[]) => {
      batches.push(items);
      if (batches.length === 1) await first.promise;
      return items;
    },
    { max: 10, atOnce: 1, sizeOf: (text) => text.length, maxSize: 4 },
  );
  const alone = batcher.add('a');
  await new Promise((ok) => setImmediate(ok));
  const rest = ['bb', 'cc', 'd', 'eeeeeeee', 'f'].map((text) => batcher.add(text));
  expect(batcher.waitingSize()).toBe(14);
  first.resolve();
  await Promise.all([alone, ...rest]);
  expect(batches).toEqual([['a'], ['bb', 'cc'], ['d'], ['eeeeeeee'], ['f']]);
  expect(batcher.waitingSize()).toBe(0);
});
