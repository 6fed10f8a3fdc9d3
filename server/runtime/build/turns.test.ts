import { expect, test } from 'vitest';
import { createTurns, TooManyBuilds } from './turns.ts';

/** Work that ends on demand, and the order in which it started. */
function works() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    end: (name: string) => ends.get(name)?.(),
    work: (name: string) => () => {
      begun.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    },
  };
}
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('an account has one turn at a time, and accounts take turns', async () => {
  const turns = createTurns({ total: 2, waiting: 10, waitMs: 60_000 });
  const { begun, end, work } = works();
  const all = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) => turns.run(name[0] ?? '', work(name)));
  await settle();
  expect(begun).toEqual(['a1', 'b1']);
  for (const name of ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']) {
    end(name);
    await settle();
  }
  expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'c1']);
});

test('failed work ends its turn', async () => {
  const turns = createTurns({ total: 1, waiting: 10, waitMs: 60_000 });
  await expect(turns.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await turns.run('a', async () => 1)).toBe(1);
});

test('an account with too much queued work is rejected, others are not', async () => {
  const turns = createTurns({ total: 2, waiting: 2, waitMs: 60_000 });
  const { begun, end, work } = works();
  const first = ['a1', 'a2', 'a3'].map((name) => turns.run('a', work(name)));
  await expect(turns.run('a', work('a4'))).rejects.toThrow(TooManyBuilds);
  const other = turns.run('b', work('b1'));
  await settle();
  expect(begun).toEqual(['a1', 'b1']);
  for (const name of ['a1', 'a2', 'a3', 'b1']) {
    end(name);
    await settle();
  }
  await Promise.all([...first, other]);
});

test('work that waits too long is rejected and never starts', async () => {
  const turns = createTurns({ total: 1, waiting: 10, waitMs: 1 });
  const { begun, end, work } = works();
  const first = turns.run('a', work('a1'));
  await expect(turns.run('b', work('b1'))).rejects.toThrow(TooManyBuilds);
  end('a1');
  await first;
  await settle();
  expect(begun).toEqual(['a1']);
});
