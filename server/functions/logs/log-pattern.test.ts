import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PatternError } from '../../../contract/filter-pattern/reader.ts';
import { readPattern } from './log-pattern.ts';

type Case = { pattern: string; message: string; expected: boolean | 'ERR'; basis: string };
const cases = JSON.parse(readFileSync(new URL('filter-pattern-cases.json', import.meta.url), 'utf8')) as Case[];

const matches = (pattern: string, message: string) => readPattern(pattern).test(message);
const positionOf = (pattern: string): number => {
  try {
    readPattern(pattern);
  } catch (error) {
    if (error instanceof PatternError) return error.position;
    throw error;
  }
  throw new Error(`${pattern} was taken`);
};

describe('the cases of the log service', () => {
  it.each(cases)('$pattern on $message', ({ pattern, message, expected }) => {
    if (expected === 'ERR') expect(() => readPattern(pattern)).toThrow(PatternError);
    else expect(matches(pattern, message)).toBe(expected);
  });
});

describe('terms', () => {
  it('count ? only without plain terms', () => {
    expect(matches('?ERROR ?ARGUMENTS REQUEST', '[INFO] REQUEST FAILED')).toBe(true);
    expect(matches('?ERROR ?ARGUMENTS', 'INFO')).toBe(false);
    expect(matches('?ERROR -REQUEST', 'INFO')).toBe(false);
  });

  it('are substrings, with phrases, regexes and exclusions of any kind', () => {
    expect(matches('Exception', 'InvalidQueryException')).toBe(true);
    expect(matches('-%^GET% ok', 'POST ok')).toBe(true);
    expect(matches('-%^GET% ok', 'GET ok')).toBe(false);
    expect(matches('"a\\\\b"', 'x a\\b')).toBe(true);
  });
});

describe('regexes', () => {
  it.each([
    ['%a{,2}b%', 'b', true],
    ['%^a{3}$%', 'aaaa', false],
    ['%\\x28%', 'f(', true],
    ['%\\[.\\]%', 'x [7]', true],
    ['%^starting|^shutting down%', 'shutting down now', true],
    ['%}$%', '{a}', true],
    ['%key:value%', 'key:value', true],
  ])('%s on %s', (pattern, message, expected) => expect(matches(pattern, message)).toBe(expected));

  it.each(['%something!%', '%café%', '%\\p%', '%%', '%abc', '%a{3,%', '%[abc%', '%a**%', '%(?=x)%'])(
    'refuses %s',
    (pattern) => expect(() => readPattern(pattern)).toThrow(PatternError),
  );
});

describe('JSON', () => {
  const event = JSON.stringify({ 'a.b': 'flat', n: 12, flag: true, none: null, list: ['x', 'y'], s: '12', o: {} });
  it.each([
    ["{ $.['a.b'] = flat }", true],
    ['{ $["a.b"] = fl* }', true],
    ['{ $.n = 1* && $.n >= 12 }', true],
    ['{ $.n = "12" && $.s = 12 }', true],
    ['{ $.flag IS TRUE && $.none IS NULL }', true],
    ['{ $.none = "*" }', false],
    ['{ $.list[*] = y }', true],
    ['{ $.list[2] NOT EXISTS }', true],
    ['{ $.o NOT EXISTS }', false],
    ['{ $.o != 1 }', false],
    ['{ $.n != 13 || ($.n = 1 && $.s = 2) }', true],
    ['{ $.__proto__ NOT EXISTS }', true],
    ['{ $.constructor NOT EXISTS }', true],
  ])('%s', (pattern, expected) => expect(matches(pattern, event)).toBe(expected));

  it.each([
    '{ $.a = }',
    '{ $.a }',
    '{ $.a = 1',
    '{ $.a = 1 } trailing',
    '{ a = 1 }',
    '{ $.a == 1 }',
    '{ $.a = 1 && }',
    '{ ($.a = 1 }',
    '{ $.a IS MAYBE }',
    '{ $.a EXISTS }',
    '{ $.a[x] = 1 }',
    '{ $.a[-1] = 1 }',
    '{ $..a = 1 }',
    '{ $.a = "x }',
    '{ $.a = a@b }',
    '{ $.a > "x" }',
    '{ !($.a = 1) }',
    '{ $.a > 0 AND $.a < 2 }',
    '{ $.*[*] = 1 }',
    '{ $.a[*] = 1 || $.b[*] = 1 || $.c[*] = 1 || $.d[*] = 1 }',
    '{ $.a = %x% || $.a = %y% || $.a = %z% }',
    `{ ${'('.repeat(100)}$.a = 1${')'.repeat(100)} }`,
  ])('refuses %s', (pattern) => expect(() => readPattern(pattern)).toThrow(PatternError));
});

describe('fields', () => {
  const apache = '127.0.0.1 Prod frank [10/Oct/2000:13:25:15 -0700] "GET /index.html HTTP/1.0" 404 1534';
  it.each([
    ['[]', true],
    ['[ip, user, rest = frank*1534]', true],
    ['[ip]', true],
    ['[ip = 127.0.0.1]', false],
    ['[ip=%127\\.0\\.0\\.[1-9]%, ..., bytes > 1000]', true],
    ['[..., status = 404 || status = 410, bytes >= 2000]', false],
    ['[a, b, c, time = 10/Oct*, ...]', true],
    ['[..., request=*.html*, status=4*,]', true],
    ['[a, b, c, d, e, f, g, h]', false],
    ['[a, b, c, d, e, f, g, h, ...]', false],
    ['[ip = "127*" && (ip != 1 || ip = 2), ...]', true],
  ])('%s', (pattern, expected) => expect(matches(pattern, apache)).toBe(expected));

  it.each([
    '[..., a, ...]',
    '[a = ]',
    '[a b]',
    '[a',
    '[a] b',
    '[a=1 AND a=2, b]',
    '[a==1, b]',
    '[a=1 || b=2, c]',
    '[a=1 && || a=2]',
  ])('refuses %s', (pattern) => expect(() => readPattern(pattern)).toThrow(PatternError));
});

describe('positions', () => {
  it.each([
    ['foo-bar', 3],
    ['ok "open', 3],
    ['%a(b)%', 2],
    ['{ $.a ~ 1 }', 6],
    ['{ $.a < abc }', 8],
    ['[a, b = 1', 9],
  ])('%s fails at %i', (pattern, position) => expect(positionOf(pattern)).toBe(position));
});

it('stays linear on hostile patterns and messages', () => {
  const message = `${'a'.repeat(200_000)}!`;
  expect(matches('%a*a*a*a*a*b$%', message)).toBe(false);
  expect(matches(`[w = "${'*a'.repeat(300)}*b"]`, message)).toBe(false);
});

describe('in words', () => {
  it.each([
    ['', 'Every line'],
    ['ERROR -"health check" -%^GET%', 'Lines with “ERROR”, without “health check” or a match of %^GET%'],
    ['?WARN ?ERROR', 'Lines with “WARN” or “ERROR”'],
    ['a ?b', 'Lines with “a”; terms with ? are ignored beside plain ones'],
    [
      '{ ($.status >= 500 || $.path != "/a*") && $.user.id = 7 && $.x NOT EXISTS }',
      'JSON lines where ($.status is at least 500 or $.path doesn’t look like “/a*”) and $.user.id is 7 and $.x is missing',
    ],
    ['{ $.ok IS FALSE }', 'JSON lines where $.ok is false'],
    [
      '[ip, ..., status = 4* || status = 500, bytes > 9]',
      'Lines of 3 words or more where (status looks like “4*” or status is 500) and bytes is more than 9',
    ],
    ['[]', 'Every line'],
  ])('%s', (pattern, words) => expect(readPattern(pattern).words).toBe(words));
});

describe('marks', () => {
  it.each([
    [
      'an %a.% -x',
      'an ant, a banana',
      [
        [0, 2],
        [3, 5],
        [8, 10],
        [11, 15],
      ],
    ],
    ['?nt ?ant', 'ant', [[0, 3]]],
    ['{ $.a = 1 }', '{"a":1}', []],
  ])('of %s in %s', (pattern, message, marks) => expect(readPattern(pattern).marks(message)).toEqual(marks));
});
