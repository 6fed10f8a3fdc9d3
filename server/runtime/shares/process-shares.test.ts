import { expect, it } from 'vitest';
import { AtCapacity, ShareUsed } from '../at-capacity.ts';
import { createProcessShares } from './process-shares.ts';

/** How many processes the account gets. */
function fill(shares: ReturnType<typeof createProcessShares>, account_id: string): number {
  for (let count = 0; ; count++) {
    try {
      shares.enter(account_id);
    } catch (error) {
      expect(error).toBeInstanceOf(AtCapacity);
      return count;
    }
  }
}

it('an account alone gets its share, and every further one still finds a free process', () => {
  const shares = createProcessShares(100, 75, 'processes');
  expect(fill(shares, 'a')).toBe(75);
  expect(() => shares.enter('a')).toThrow(ShareUsed);
  expect(fill(shares, 'b')).toBe(19);
  expect(() => shares.enter('b')).toThrow(/others are for other accounts/);
  expect(fill(shares, 'c')).toBeGreaterThan(1);
  expect(fill(shares, 'd')).toBe(1);
});

it('only an account without a process gets the error of a full node', () => {
  const shares = createProcessShares(1, 1, 'processes');
  shares.enter('a');
  expect(() => shares.enter('b')).toThrow(expect.objectContaining({ name: 'AtCapacity' }));
  expect(() => shares.enter('a')).toThrow(expect.objectContaining({ name: 'ShareUsed' }));
});

it('a process that is left is free again', () => {
  const shares = createProcessShares(4, 3, 'processes');
  expect(fill(shares, 'a')).toBe(3);
  shares.leave('a');
  expect(fill(shares, 'a')).toBe(1);
  expect(fill(shares, 'b')).toBe(1);
});
