import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { type CodeQuery, compileMatcher } from './matcher.ts';
import { RegexError } from './regex-error.ts';

const regex = (query: string, caseSensitive = true): CodeQuery => ({ mode: 'regex', query, caseSensitive });
const literal = (query: string, caseSensitive = true): CodeQuery => ({ mode: 'literal', query, caseSensitive });
const errorOf = (query: string): RegexError => {
  try {
    compileMatcher(regex(query));
  } catch (error) {
    if (error instanceof RegexError) return error;
    throw error;
  }
  throw new Error(`${query} was taken`);
};

function startOf(expression: RE2JS, line: string): number {
  const matcher = expression.matcher(line);
  return matcher.find() ? matcher.start() : 0;
}

describe('a literal', () => {
  it('means nothing but its characters', () => {
    expect(compileMatcher(literal('a.*(b)[c]')).test('x a.*(b)[c]')).toBe(true);
    expect(compileMatcher(literal('a.*(b)[c]', false)).test('x A.*(B)[C]')).toBe(true);
    expect(compileMatcher(literal('a.c', false)).test('abc')).toBe(false);
  });

  it('folds case beyond ASCII', () => {
    expect(compileMatcher(literal('straÿe', false)).test('STRAŸE')).toBe(true);
    expect(compileMatcher(literal('日本', false)).test('in 日本')).toBe(true);
  });
});

describe('a regex', () => {
  it.each([
    ['\\u0061b', 'ab', true],
    ['\\u{1F600}', '😀', true],
    ['\\\\u0061', '\\u0061', true],
    ['^a$', 'a', true],
    ['^a$', 'a\r', false],
    ['\\bfoo\\b', 'a foo b', true],
    ['\\uD83D\\uDE00', '😀', true],
    ['\\Q\\u0061\\E', '\\u0061', true],
  ])('%s on %s: %s', (query, line, expected) => expect(compileMatcher(regex(query)).test(line)).toBe(expected));

  it('never rules out a text that has a matching line', () => {
    const text = 'one\ntwo\nthree';
    for (const query of ['^two$', '\\Atwo\\z', '(?-m)^two$', '(?s)two.*', 't[^x]o'])
      expect(compileMatcher(regex(query)).mayMatch(text), query).toBe(true);
    expect(compileMatcher(regex('^four$')).mayMatch(text)).toBe(false);
  });

  it.each([
    ...[
      '\\bfoo\\b',
      '\\bfoo',
      'foo\\b',
      '\\bfoo\\w*\\b\\(',
      'foo\\b[.]x',
      '^\\bfoo\\b',
      '\\bfoo\\b$',
      '\\b\\bfoo',
      '\\Bfoo\\b',
    ],
    ...[
      'x\\bfoo',
      '\\bsk\\b',
      '\\b_\\b',
      '\\b[.]\\b',
      '(?:\\bfoo\\b)+',
      '\\b(?:foo)?x',
      'foo\\b.*',
      'foo\\.*',
      'foo\\\\.*',
      'foo|.*?',
      '\\Qfoo.*',
    ],
  ])('%s finds the lines that RE2 finds alone', (query) => {
    const pieces = ['foo', 'FOO', 'sk', '\u017fk', 'S\u212a', '_', 'x', ' ', '(', '.', '\\', 'é', '日', '\n'];
    const codes = fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((all) => all.join(''));
    fc.assert(
      fc.property(codes, fc.boolean(), (code, caseSensitive) => {
        const alone = RE2JS.compile(query, caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE);
        const lines = code.split('\n');
        const expected = lines.flatMap((line, at) => (alone.test(line) ? [at] : []));
        const matcher = compileMatcher(regex(query, caseSensitive));
        const found: number[] = [];
        if (matcher.mayMatchBytes(Buffer.from(code)) && matcher.mayMatch(code))
          matcher.eachLine(code, (start) => found.push(code.slice(0, start).split('\n').length - 1) > 0);
        // After the last newline there is no line.
        expect(found).toEqual(lines.at(-1) === '' ? expected.filter((at) => at < lines.length - 1) : expected);
        for (const [at, line] of lines.entries())
          if (found.includes(at)) expect(matcher.indexIn(line)).toBe(startOf(alone, line));
      }),
      { numRuns: 300 },
    );
  });

  it('says where its match begins', () => {
    expect(compileMatcher(regex('b+')).indexIn('aabb')).toBe(2);
  });

  it('says so in a long line too, and takes no cut of it for its beginning or end', () => {
    const line = `${'x '.repeat(50_000)}hit${' y'.repeat(50_000)} z`;
    for (const query of ['h[it]+', '^.*?h[it]', 'h[it]+ y', 'hit.*', 'h.*z$']) {
      const at = compileMatcher(regex(query)).indexIn(line);
      expect(at, query).toBe(query.startsWith('^') ? 0 : 100_000);
    }
    expect(compileMatcher(regex('[a-z]$')).indexIn(line)).toBe(line.length - 1);
    expect(compileMatcher(regex('^x')).indexIn(line)).toBe(0);
  });

  it.each([
    ['a(b', 3, /closing \)/],
    ['ab**', 2, /repetition/],
    ['x(?=y)', 1, /look-ahead/],
    ['x(?<!y)', 1, /look-ahead and look-behind/],
    ['(a)\\1', 3, /back-references/],
    ['\\u0041\\u0042*+', 12, /repetition/],
    ['a\\', 2, /backslash/],
    ['x{2000}', 1, /repeat/],
    ['*', 0, /repetition/],
    ['[a', 0, /closing \]/],
    ['\\xZZ', 0, /escape/],
    ['a)b', 1, /unexpected \)/],
    ['[)](\\))\\Q)\\E)b', 12, /unexpected \)/],
    ['[(?=]a(', 7, /closing \)/],
    ['a\\(?=b(?=c)', 6, /look-ahead/],
    ['[*+]*+', 4, /repetition/],
    ['a[b-a]', 2, /range/],
    ['\\u0041\\u{110000}', 6, /escape sequence: \\u\{110000/],
    ['(?P<n>a)(?P<n>b)', 12, /duplicate/],
    ['[(][', 3, /closing \]/],
    ['(a{500}){500}', 8, /repeat count/],
    ['[[:alpha:])]b)', 13, /unexpected \)/],
    ['x\\k<n>', 1, /back-references/],
    ['x(?P=n)', 1, /back-references/],
    ['\\x{0041}*+\\u0041', 8, /repetition/],
    ['\\uD83D\\uDE00*+', 12, /repetition/],
  ])('%s is refused at %i', (query, position, message) => {
    const error = errorOf(query);
    expect(error.message).toMatch(message);
    expect(error.position).toBe(position);
    expect(() => compileMatcher(regex(query, false))).toThrow(error.message);
  });
});
