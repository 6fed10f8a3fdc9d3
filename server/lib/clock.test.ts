import { expect, it } from 'vitest';
import { fromNow, now, toTimestamp } from './clock.ts';

const FORM = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

it('never returns the same or an earlier time', () => {
  const moments = Array.from({ length: 2000 }, now);
  expect(moments.every((moment) => FORM.test(moment))).toBe(true);
  expect(moments.toSorted()).toEqual(moments);
  expect(new Set(moments).size).toBe(moments.length);
});

it('returns times before and after now', () => {
  expect(fromNow(-60_000) < now()).toBe(true);
  expect(fromNow(60_000) > now()).toBe(true);
  expect(fromNow(60_000)).toMatch(FORM);
});

it.each([
  ['2026-01-31T09:00:00Z', '2026-01-31T09:00:00.000000Z'],
  ['2026-01-31T09:00:00.25+02:00', '2026-01-31T07:00:00.250000Z'],
  ['2026-01-31T09:00:00.123456Z', '2026-01-31T09:00:00.123456Z'],
  ['2026-01-31T09:00:00.1234+01:00', '2026-01-31T08:00:00.123400Z'],
  ['1960-01-01T00:00:00.001Z', '1960-01-01T00:00:00.001000Z'],
  ['0500-06-01T00:00:00.001Z', '0500-06-01T00:00:00.001000Z'],
  ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00.000000Z'],
  ['9999-12-31T23:59:59-05:00', '9999-12-31T23:59:59.999000Z'],
])('reads %s', (written, read) => {
  expect(toTimestamp(written)).toBe(read);
});
