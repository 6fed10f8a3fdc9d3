import { expect, it } from 'vitest';
import { parseExactly } from './exact-json.ts';

it.each([
  '{"id":12345678901234567890,"n":[1e400,-0.10000000000000000001,9007199254740993]}',
  '18446744073709551615',
  '12345678901.12345678',
  '{"a":1,"b":"12345678901234567890","c":{"__proto__":1e999}}',
])('is written as it stood: %s', (text) => {
  expect(JSON.stringify(parseExactly(text))).toBe(text);
});

it.each([
  '1e3',
  '1.50',
  '-0.0',
  '9007199254740992',
  '100000000000000000000',
  '0.30000000000000004',
  '5e-324',
  '1.5E+2',
  '1e21',
])('is the number it is: %s', (text) => {
  expect(parseExactly(`[${text}]`)).toEqual([Number(text)]);
});

it.each(['1', '0', '1.', ', 1e', '0'.repeat(20)])('is read in time, however much of %j there is', (part) => {
  const text = part.repeat(1_000_000 / part.length);
  expect(parseExactly(JSON.stringify(text))).toBe(text);
  const number = `1${'0'.repeat(500_000)}1`;
  expect(JSON.stringify(parseExactly(number))).toBe(number);
});

it('refuses what is no JSON', () => {
  expect(() => parseExactly('{"a":1234567890123456789')).toThrow(SyntaxError);
});
