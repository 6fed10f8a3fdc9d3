import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { eachTrigram, eachTrigramOf, foldInto } from '../index/grams.ts';
import { compileMatcher } from './matcher.ts';
import { type Need, needOf, prefilterOf } from './needs.ts';

/** An expression, and a text that is likely to match it. */
type Sample = { source: string; text: string };

const ALPHABET = ['a', 'b', 'k', 'K', 's', 'é', 'É', 'ſ', '\u212a', '日', '.', '-', '{', '1', ' ', '😀'];
const char = fc.constantFrom(...ALPHABET);
const escaped = (text: string) => RE2JS.quote(text);

const literal = fc
  .array(char, { minLength: 1, maxLength: 5 })
  .map((chars): Sample => ({ source: chars.map(escaped).join(''), text: chars.join('') }));
const quoted = fc
  .array(char, { minLength: 1, maxLength: 4 })
  .map((chars): Sample => ({ source: `\\Q${chars.join('')}\\E`, text: chars.join('') }));
const charClass = fc
  .tuple(fc.array(char, { minLength: 1, maxLength: 3 }), fc.boolean(), char)
  .map(([chars, negated, other]): Sample => {
    const members = chars.map((each) => (each === '-' ? '\\-' : each)).join('');
    return { source: `[${negated ? '^' : ''}${members}]`, text: negated ? other : (chars[0] ?? '') };
  });
const other = fc.constantFrom<Sample>(
  { source: '.', text: 'x' },
  { source: '\\d', text: '1' },
  { source: '\\W', text: ' ' },
  { source: '\\b', text: '' },
  { source: '^', text: '' },
  { source: '$', text: '' },
  { source: '\\x{65e5}', text: '日' },
  { source: '\\x61', text: 'a' },
  { source: '\\141', text: 'a' },
  { source: '[a-c]', text: 'b' },
  { source: '[]a]', text: ']' },
  { source: '[A-Z_]', text: 'K' },
  { source: '[\\s.]', text: '.' },
  { source: '\\s', text: ' ' },
  { source: '\\w', text: 's' },
  { source: '[^k\\d]', text: '-' },
  { source: '[a-]', text: '-' },
  { source: '[[:alpha:]]', text: 'q' },
  { source: '[\\d.]', text: '.' },
  { source: '\\pL', text: 'é' },
  { source: '\\p{Lu}', text: 'É' },
  { source: '(?i)', text: '' },
  { source: '(?-i)', text: '' },
  { source: '(?i:Kas)', text: '\u212aAſ' },
);

const { sample } = fc.letrec<{ sample: Sample }>((tie) => ({
  sample: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    literal,
    quoted,
    charClass,
    other,
    fc
      .array(tie('sample'), { minLength: 2, maxLength: 4 })
      .map((parts) => ({ source: parts.map((p) => p.source).join(''), text: parts.map((p) => p.text).join('') })),
    fc.tuple(tie('sample'), tie('sample'), fc.constantFrom('(', '(?:', '(?P<n>')).map(([a, b, open]) => ({
      source: `${open === '(?P<n>' ? '(?:' : open}${a.source}|${b.source})`,
      text: b.text,
    })),
    fc
      .tuple(tie('sample'), fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '{0,2}', '{2,}', '*?', '{3}?'))
      .map(([{ source, text }, times]) => ({
        source: `(?:${source})${times}`,
        text: text.repeat(/[23]/.exec(times) ? Number(/[23]/.exec(times)) : 1),
      })),
  ),
}));

const around = fc.array(char, { maxLength: 4 }).map((chars) => chars.join(''));
const changed = fc.constantFrom('as it is', 'upper', 'lower');

const inLine = (line: string, { text, fold }: { text: string; fold: boolean }) =>
  fold ? new RegExp(escapeForV8(text), 'iu').test(line) : line.includes(text);
const escapeForV8 = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

function holds(line: string, need: Need): boolean {
  if (need === null) return true;
  if ('text' in need) return inLine(line, need);
  return 'all' in need ? need.all.every((each) => holds(line, each)) : need.any.some((each) => holds(line, each));
}

function indexHolds(line: string, need: Need): boolean {
  if (need === null) return true;
  if ('all' in need) return need.all.every((each) => indexHolds(line, each));
  if ('any' in need) return need.any.some((each) => indexHolds(line, each));
  const bytes = Buffer.from(line);
  const codes = new Uint8Array(bytes.length);
  const known = new Set<string>();
  eachTrigram(codes, foldInto(bytes, codes), (trigram, follower) =>
    known.add(`${trigram}`).add(`${trigram} ${follower}`),
  );
  let isHeld = true;
  eachTrigramOf(need.text, need.fold, (trigram, follower) => {
    isHeld &&= known.has(follower === undefined ? `${trigram}` : `${trigram} ${follower}`);
  });
  return isHeld;
}

const compiled = (source: string, fold: boolean): RE2JS | undefined => {
  try {
    return RE2JS.compile(source, fold ? RE2JS.CASE_INSENSITIVE : 0);
  } catch {
    return undefined;
  }
};

/** Numbers of the matching lines, found like in a search. */
function linesOf(re: RE2JS, { source, fold }: { source: string; fold: boolean }, text: string): number[] {
  const matcher = compileMatcher({ mode: 'regex', query: source, caseSensitive: !fold });
  const found: number[] = [];
  if (matcher.mayMatchBytes(Buffer.from(text)) && matcher.mayMatch(text))
    matcher.eachLine(text, (start) => found.push(text.slice(0, start).split('\n').length - 1) > 0);
  for (const line of text.split('\n'))
    if (re.test(line))
      expect(indexHolds(line, matcher.need), `${source} on ${line} by the grams of its rows`).toBe(true);
  return found;
}

describe('what an expression requires', () => {
  it('is in every line that matches it, for the index and for the prefilter', () => {
    let matches = 0;
    let known = 0;
    fc.assert(
      fc.property(sample, around, around, fc.boolean(), changed, ({ source, text }, before, after, fold, change) => {
        const re = compiled(source, fold);
        const plain = before + text + after;
        const line = change === 'upper' ? plain.toUpperCase() : change === 'lower' ? plain.toLowerCase() : plain;
        if (!re?.test(line)) return;
        const lines = linesOf(re, { source, fold }, `\n${line}\nab\n${line}\n`);
        const expected = ['', line, 'ab', line].flatMap((each, at) => (re.test(each) ? [at] : []));
        expect(lines, `${source} on ${line} by lines`).toEqual(expected);
        const need = needOf(source, fold);
        matches += 1;
        if (need) known += 1;
        expect(holds(line, need), `${source} on ${line}`).toBe(true);
        expect(indexHolds(line, need), `${source} on ${line} by trigrams`).toBe(true);
        const texts = prefilterOf(need);
        if (texts.length > 0) expect(texts.some((each) => inLine(line, each))).toBe(true);
      }),
      { numRuns: 10_000 },
    );
    expect(matches).toBeGreaterThan(2000);
    expect(known).toBeGreaterThan(matches / 4);
  });

  it.each<[string, boolean, Need]>([
    ['foo.*bar', false, { all: [t('foo'), t('bar')] }],
    ['(?:get|set)Item', false, { any: [t('getItem'), t('setItem')] }],
    ['ab+c', false, { all: [t('a'), t('b'), t('c')] }],
    ['[ab]{2}', false, { any: [t('a'), t('b')] }],
    ['x{3}y', false, t('xxxy')],
    ['a?b', false, { any: [t('b'), t('ab')] }],
    ['(?i)Fetch', false, t('Fetch', true)],
    ['été', true, t('été', true)],
    ['\\Qa.b\\E*', false, t('a.')],
    ['(a|b*)', false, null],
    ['\\w+', false, null],
  ])('of %s', (source, fold, need) => expect(needOf(source, fold)).toEqual(need));

  it('is unknown for an unreadable expression', () => {
    expect(needOf(`${'('.repeat(500)}abc${')'.repeat(500)}`, false)).toBeNull();
  });
});

describe('the text that lines are scanned for', () => {
  it('is the longest that every match contains', () => {
    expect(prefilterOf(needOf('a.*longer.*bc', false))).toEqual([t('longer')]);
    expect(prefilterOf(needOf('\\d+', false))).toEqual([]);
  });
});

function t(text: string, fold = false) {
  return { text, fold };
}
