import { replaceEqualDeep } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { LongNumber, parseExactly } from '../../contract/text/exact-json.ts';
import { summaryOf } from '../components/events/event-summary.ts';
import { readPayload } from '../components/events/payload-text.ts';

const TEXT = '{"id":12345678901234567890,"list":[1e400,{"n":0.5}]}';

it('preserves numbers as received and as typed', () => {
  expect(JSON.stringify(parseExactly(TEXT))).toBe(TEXT);
  const read = readPayload(TEXT);
  expect(JSON.stringify('payload' in read && read.payload)).toBe(TEXT);
  expect(summaryOf('payload' in read ? read.payload : {})).toBe('12345678901234567890 · 1e400 · 0.5');
});

it('parses numbers that a double represents as numbers', () => {
  expect(parseExactly('[1, 1.50, 1e3, 100000000000000000000]')).toEqual([1, 1.5, 1000, 1e20]);
});

it('is a single value for structural sharing in the cache', () => {
  const before = parseExactly('{"id":12345678901234567890}');
  const after: unknown = replaceEqualDeep(before, parseExactly('{"id":12345678901234567891}'));
  expect(after).toHaveProperty('id', expect.any(LongNumber));
  expect(JSON.stringify(after)).toBe('{"id":12345678901234567891}');
});
