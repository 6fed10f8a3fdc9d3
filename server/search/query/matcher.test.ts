import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { reserveCode, type Text } from '../kernels/byte-finder.ts';
import { finderOf, type TextQuery } from './finder.ts';
import { compileMatcher } from './matcher.ts';
import { RegexError } from './regex.ts';

const regex = (query: string, caseSensitive = true): TextQuery => ({ mode: 'regex', query, caseSensitive });
const literal = (query: string, caseSensitive = true): TextQuery => ({ mode: 'literal', query, caseSensitive });
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
  it('matches its characters literally', () => {
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
  ])('%s finds the same lines as RE2 alone', (query) => {
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
        // A final newline starts no further line.
        expect(found).toEqual(lines.at(-1) === '' ? expected.filter((at) => at < lines.length - 1) : expected);
        for (const [at, line] of lines.entries())
          if (found.includes(at)) expect(matcher.indexIn(line)).toBe(startOf(alone, line));
      }),
      { numRuns: 300 },
    );
  });

  it('locates its match', () => {
    expect(compileMatcher(regex('b+')).indexIn('aabb')).toBe(2);
  });

  it('locates it in a long line, where the edge of a part is not the edge of the line', () => {
    const line = `${'x '.repeat(50_000)}hit${' y'.repeat(50_000)} z`;
    for (const query of ['h[it]+', '^.*?h[it]', 'h[it]+ y', 'hit.*', 'h.*z$']) {
      const at = compileMatcher(regex(query)).indexIn(line);
      expect(at, query).toBe(query.startsWith('^') ? 0 : 100_000);
    }
    expect(compileMatcher(regex('[a-z]$')).indexIn(line)).toBe(line.length - 1);
    expect(compileMatcher(regex('^x')).indexIn(line)).toBe(0);
  });

  it.each([
    ['a(b', 1, /closing \)/],
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
    ['[(?=]a(', 6, /closing \)/],
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
  ])('%s is rejected at %i', (query, position, message) => {
    const error = errorOf(query);
    expect(error.message).toMatch(message);
    expect(error.position).toBe(position);
    expect(() => compileMatcher(regex(query, false))).toThrow(error.message);
  });
});

const piece = fc.constantFrom(
  'fetch',
  'ORDER',
  'sK',
  'ſ',
  '\u212a',
  'İ',
  'ı',
  '日本',
  '\n',
  'x',
  'É',
  'é',
  '.(',
  '😀',
  '\r',
);
const textOf = (maxLength: number) => fc.array(piece, { minLength: 1, maxLength }).map((pieces) => pieces.join(''));
const escaped = (text: string) => text.replace(/[.(]/g, '\\$&');

/** Whether the bytes of a text may contain one of these. */
function mayHave(texts: Text[], text: string): boolean {
  const { inBytes } = finderOf(texts);
  const code = Buffer.from(text);
  return inBytes?.some((finder) => finder.find(code, 0) >= 0 || finder.mayHaveOtherwise(code)) ?? true;
}

describe('a finder', () => {
  it('finds each occurrence of its texts, with or without case, and nothing else', () => {
    const sought = fc.array(fc.record({ text: textOf(2), fold: fc.boolean() }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(textOf(12), sought, (text, given) => {
        // One text that ignores case makes all of them ignore case; each line is tested afterwards.
        const fold = given.some((each) => each.fold);
        const texts = given.map((each) => ({ text: each.text, fold }));
        const expected = [
          ...text.matchAll(new RegExp(texts.map((each) => escaped(each.text)).join('|'), fold ? 'giu' : 'gu')),
        ];
        const { find } = finderOf(texts);
        const found: number[] = [];
        for (let at = find(text, 0); at >= 0; at = find(text, at + (expected[found.length - 1]?.[0].length ?? 1)))
          found.push(at);
        expect(found).toEqual(expected.map(({ index }) => index));
        if (expected.length > 0) expect(mayHave(texts, text)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('finds a text by its rarest character at any position', () => {
    const texts = ['  = ', ' =', 'eeZee', 'ZZ', 'e e', '==', ' ~ ', '日 = ', '😀e😃', 'aaZ', ' 1'];
    const code = `${texts.join('')}${texts.toReversed().join(' ')}eZeeZZ ==Z  =   = 😀😀e😃 `;
    for (const text of texts) {
      const sought = [{ text, fold: false }];
      const { find } = finderOf(sought);
      for (let from = 0; from <= code.length; from++) expect(find(code, from), text).toBe(code.indexOf(text, from));
      for (let to = 0; to <= code.length; to++) {
        const part = code.slice(0, to);
        if (part.includes(text)) expect(mayHave(sought, part), text).toBe(true);
        else if (part.isWellFormed()) expect(mayHave(sought, part), text).toBe(false);
      }
    }
  });

  it('excludes documents by their bytes', () => {
    const mayBeIn = (text: string, fold: boolean, code: string) => mayHave([{ text, fold }], code);
    expect(mayBeIn('日本', false, 'in 日本')).toBe(true);
    expect(mayBeIn('日本', false, 'in 日木')).toBe(false);
    expect(mayBeIn('日本x', true, 'in 日本X')).toBe(true);
    expect(mayBeIn('日本x', true, 'in 日本Y')).toBe(false);
    expect(mayBeIn('[]', true, 'in {}')).toBe(false);
    expect(mayBeIn('skip', true, `${'é'.repeat(100)} ſKIP`)).toBe(true);
    expect(mayBeIn('skip', true, `${'é'.repeat(100)} SKOP`)).toBe(false);
  });

  it('searches all bytes and none beyond, for a text of any position and length', () => {
    for (const length of [1, 2, 3, 15, 16, 17, 33, 300]) {
      const sought = `${'a'.repeat(length - 1)}Z`;
      for (let before = 0; before < 40; before++) {
        for (const behind of [0, 1, 40]) {
          const code = `${'.'.repeat(before)}${sought}${'.'.repeat(behind)}`;
          for (const fold of [false, true]) expect(mayHave([{ text: sought, fold }], code), code).toBe(true);
          const { inBytes: [finder] = [] } = finderOf([{ text: sought, fold: true }]);
          const room = reserveCode(code.length);
          room.write(code.toLowerCase());
          expect(finder?.find(room, 0)).toBe(before);
          if (length > 256) continue;
          expect(finder?.find(room, before + 1)).toBe(-1);
          expect(finder?.find(room.subarray(0, before + length - 1), 0)).toBe(-1);
        }
      }
    }
  });
});

describe('what a line must contain besides the text that found it', () => {
  const count = (query: string, text: string, caseSensitive = true) => {
    let lines = 0;
    compileMatcher({ mode: 'regex', query, caseSensitive }).eachLine(text, () => {
      lines += 1;
      return true;
    });
    return lines;
  };

  it('excludes no line that matches', () => {
    expect(count('orders.*[(]', 'orders.get(\norders.get\n(orders\n')).toBe(1);
    expect(count('orders.*Ship\\(', 'ORDERS.ſhip(\nOrders.SHIP(\norders.shop(\n', false)).toBe(2);
    expect(count('orders.*\u212aeep', 'Orders keep\norders KEEP\norders \u212aeep\norders kept\n', false)).toBe(3);
    expect(count('orders.*é+x', 'Orders ÉX\norders éx\norders ex\n', false)).toBe(2);
    expect(count('orders.*(?i:ship)', 'orders SHIP\nORDERS ship\n')).toBe(1);
  });

  it('includes what must follow that text, or a sequence of characters, of any length', () => {
    const many = (char: string, times: number) => char.repeat(times);
    for (const times of [0, 1, 15, 16, 17, 18, 300]) {
      expect(count('ab\\w*\\s*\\(', `ab${many('x', times)}${many(' ', times)}(\nab${many('x', times)}.(\n`)).toBe(1);
      expect(count('ab\\w*[.]', `AB${many('\u212a', times)}.\nabé.\n`, false)).toBe(1);
      expect(count('ab[a-z]{0,17}[(]', `ab${many('x', times)}(\n`)).toBe(times > 17 ? 0 : 1);
    }
    expect(count('\\d{20}$', `${many('1', 20)}\n${many('1', 19)}\nx${many('1', 30)}\n`)).toBe(2);
    expect(count('(x+x+)+y', 'xxy\nxy\nxxxxy\nxxz\n')).toBe(2);
    expect(count('[ks]{3}[)]', '\u212aſs)\nKS)\n', false)).toBe(1);
    expect(count('[A-Z_]{2,} = \\d', 'A_B = 1\na = 1\nAB = x\r\nx AB = 7')).toBe(2);
  });
});
