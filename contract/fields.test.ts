import { expect, it } from 'vitest';
import { limit, TimestampInput } from './fields.ts';

it.each([
  ['2026-01-31T09:00:00Z', '2026-01-31T09:00:00Z'],
  ['2026-01-31T09:00:00.123456+02:00', '2026-01-31T09:00:00.123456+02:00'],
  ['2026-01-31T09:00', '2026-01-31T09:00Z'],
  ['2028-02-29T23:59:59.9', '2028-02-29T23:59:59.9Z'],
])('accepts a time, as UTC if it has no offset: %s', (written, read) => {
  expect(TimestampInput.parse(written)).toBe(read);
});

it.each([
  '2026-02-29T00:00:00Z',
  '2026-04-31T00:00:00Z',
  '2026-01-31',
  '2026-01-31 09:00:00Z',
  '2026-01-31T09:00:00 GMT',
  '1769850000',
])('rejects an invalid time: %s', (written) => {
  expect(TimestampInput.safeParse(written).error?.issues[0]?.message).toMatch(/^expected an ISO 8601 time/);
});

it.each([
  ['0', 50],
  ['00', 50],
  ['7', 7],
  ['201', 200],
  ['18446744073709551617', 200],
])('reads the limit %s as %i', (written, read) => {
  expect(limit({ default: 50, max: 200 }).parse(written)).toBe(read);
});
