import { expect, it } from 'vitest';
import { createBatcher } from './batcher.ts';

it('sends the first item alone and batches those that arrive meanwhile', async () => {
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

it('withdraws a waiting item, and none in flight', async () => {
  const first = Promise.withResolvers<void>();
  const worked: string[] = [];
  const batcher = createBatcher(
    async (items: string[]) => {
      worked.push(...items);
      await first.promise;
      return items;
    },
    { max: 3, atOnce: 1, sizeOf: (text) => text.length, maxSize: 100 },
  );
  const running = batcher.add('running');
  await new Promise((ok) => setImmediate(ok));
  const [waiting, other] = [batcher.add('waiting'), batcher.add('other')];
  batcher.withdraw('running');
  batcher.withdraw('waiting');
  await expect(waiting).rejects.toThrow('withdrawn');
  expect(batcher.waitingSize()).toBe('other'.length);
  first.resolve();
  expect(await Promise.all([running, other])).toEqual(['running', 'other']);
  expect(worked).toEqual(['running', 'other']);
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

it('limits batches by the size of their items, and sends an oversized item alone', async () => {
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

it('gathers only after a large batch, if asked to', async () => {
  const sizes: number[] = [];
  const batcher = createBatcher(
    async (items: number[]) => {
      sizes.push(items.length);
      return items;
    },
    { max: 10, atOnce: 1, gatherMs: 3_600_000, gatherAfter: 3 },
  );
  await batcher.add(1);
  await Promise.all([2, 3].map((n) => batcher.add(n)));
  await Promise.all([4, 5, 6].map((n) => batcher.add(n)));
  expect(sizes).toEqual([1, 2, 3]);
  const gathered = batcher.add(7);
  await new Promise((ok) => setImmediate(ok));
  expect(batcher.waiting()).toBe(1);
  await batcher.idle();
  expect(await gathered).toBe(7);
  await batcher.add(8);
  expect(sizes).toEqual([1, 2, 3, 1, 1]);
});

it('gathers items until the batch is full or `idle` is called', async () => {
  const sizes: number[] = [];
  const batcher = createBatcher(
    async (items: number[]) => {
      sizes.push(items.length);
      return items;
    },
    { max: 3, atOnce: 1, gatherMs: 3_600_000 },
  );
  await Promise.all([1, 2, 3].map((n) => batcher.add(n)));
  const few = [4, 5].map((n) => batcher.add(n));
  await new Promise((ok) => setImmediate(ok));
  expect(batcher.waiting()).toBe(2);
  await batcher.idle();
  expect(await Promise.all(few)).toEqual([4, 5]);
  const last = batcher.add(6);
  await batcher.idle();
  await last;
  expect(sizes).toEqual([3, 2, 1]);
});

it('starts a batch after the gathering time', async () => {
  const batcher = createBatcher(async (items: number[]) => items.map(() => items.length), {
    max: 10,
    atOnce: 1,
    gatherMs: 5,
  });
  expect(await Promise.all([batcher.add(1), batcher.add(2)])).toEqual([2, 2]);
  expect(await batcher.add(3)).toBe(1);
});
