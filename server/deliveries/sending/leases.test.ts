import { expect, it } from 'vitest';
import { shareOf } from './leases.ts';

it.each([
  [0, 64],
  [1, 64],
  [2, 32],
  [3, 21],
  [4, 16],
  [5, 16],
  [10_000, 16],
])('with %i destinations behind, a claim takes at most %i deliveries of each', (behind, share) => {
  expect(shareOf({ behind })).toBe(share);
});
