import { expect, it } from 'vitest';
import { type AnyNumber, isJsonObject, objectIn, orderOf, parseExactly } from './exact-json.ts';

it.each([
  '{"id":12345678901234567890,"n":[1e400,-0.10000000000000000001,9007199254740993]}',
  '18446744073709551615',
  '9007199254740993',
  '12345678901.12345678',
  '{"a":1,"b":"12345678901234567890","c":{"__proto__":1e999}}',
])('preserves %s', (text) => {
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
])('parses %s as a plain number', (text) => {
  expect(parseExactly(`[${text}]`)).toEqual([Number(text)]);
});

it.each(['1', '0', '1.', ', 1e', '0'.repeat(20)])('parses many repetitions of %j in linear time', (part) => {
  const text = part.repeat(1_000_000 / part.length);
  expect(parseExactly(JSON.stringify(text))).toBe(text);
  const number = `1${'0'.repeat(500_000)}1`;
  expect(JSON.stringify(parseExactly(number))).toBe(number);
});

it('throws on invalid JSON', () => {
  expect(() => parseExactly('{"a":1234567890123456789')).toThrow(SyntaxError);
});

it('does not treat a long number as an object', () => {
  expect(objectIn('{"a":12345678901234567890}')).toHaveProperty('a');
  for (const text of ['12345678901234567890', '7', '[]', 'null', '{']) expect(objectIn(text)).toBeUndefined();
  expect(isJsonObject(parseExactly('12345678901234567890'))).toBe(false);
});

it('orders long and plain numbers', () => {
  const ordered = [
    '-1e400',
    '-12345678901234567891',
    '-12345678901234567890',
    '-3',
    '0',
    '1e-400',
    '0.10000000000000000001',
    '3',
    '9007199254740992',
    '9007199254740993',
    '12345678901234567890',
    '12345678901234567890.5',
    '12345678901234567891',
    '1e300',
    '1e400',
  ].map((text) => parseExactly(text) as AnyNumber);
  for (const [i, a] of ordered.entries())
    for (const [j, b] of ordered.entries()) expect(Math.sign(orderOf(a, b)), `${a} and ${b}`).toBe(Math.sign(i - j));
  expect(orderOf(parseExactly('12e399') as AnyNumber, parseExactly('1.20E400') as AnyNumber)).toBe(0);
});
