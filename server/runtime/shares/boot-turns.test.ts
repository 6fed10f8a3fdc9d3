import { expect, it } from 'vitest';
import { createBootTurns } from './boot-turns.ts';

it('an account has a few turns at a time, in order, and another account its own', async () => {
  const turns = createBootTurns(2);
  const order: string[] = [];
  expect(turns.take('a')).toBeUndefined();
  expect(turns.take('a')).toBeUndefined();
  const third = turns.take('a')?.then(() => order.push('third'));
  const fourth = turns.take('a')?.then(() => order.push('fourth'));
  expect(turns.take('b')).toBeUndefined();
  turns.end('b');
  expect(order).toEqual([]);
  turns.end('a');
  await third;
  expect(order).toEqual(['third']);
  turns.end('a');
  await fourth;
  turns.end('a');
  turns.end('a');
  expect(turns.take('a')).toBeUndefined();
});
