import { expect, it } from 'vitest';
import { expiryOf } from './token-expiry.ts';

it.each<[unknown, string | null]>([
  [3600, '2026-01-01T01:00:00.000Z'],
  ['3600', '2026-01-01T01:00:00.000Z'],
  [0, '2026-01-01T00:00:00.000Z'],
  [1_800_000_000, '2027-01-15T08:00:00.000Z'],
  [1_800_000_000_000, '2027-01-15T08:00:00.000Z'],
  ['2027-01-15T08:00:00+00:00', '2027-01-15T08:00:00.000Z'],
  ['+020000-01-01T00:00:00Z', null],
  [Number.POSITIVE_INFINITY, null],
  ['soon', null],
  [undefined, null],
  [null, null],
])('reads %s as %s', (stated, expected) => {
  expect(expiryOf(stated, Date.UTC(2026, 0))).toBe(expected);
});
