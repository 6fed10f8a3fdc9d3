import { expect, it } from 'vitest';
import { restAfter } from './paced.ts';

it('rests the longer the longer drawing took, and never so long that it is noticed', () => {
  expect(restAfter(2)).toBe(28);
  expect(restAfter(20)).toBe(280);
  expect(restAfter(500)).toBe(300);
});
