import { expect, it } from 'vitest';
import { restAfter } from './paced.ts';

it('pauses longer after slower renders, up to a limit', () => {
  expect(restAfter(2)).toBe(28);
  expect(restAfter(20)).toBe(280);
  expect(restAfter(500)).toBe(300);
});
