/**
 * Matches a code query against lines. Only RE2 runs a user's expression. V8 runs nothing but escaped text, and
 * sequences of escaped characters with bounded length (needs.ts).
 */
import { RE2JS } from 're2js';
import { toRe2 } from '../../../contract/text/re2-syntax.ts';
import type { Text } from '../kernels/byte-finder.ts';
import { cpuBudgetFor, hasTimeFor, type MayContinue } from './cpu-budget.ts';
import {
  eachLineWith,
  endOfLine,
  type Finder,
  finderOf,
  isAscii,
  lowerOf,
  type Matcher,
  mayHaveOf,
  type TextQuery,
} from './finder.ts';
import { inAllCases } from './letter-cases.ts';
import { isMultiLine, multiLineMatcher } from './multi-line.ts';
import { type Around, type Need, needOf, prefilterOf, rowsOf } from './needs.ts';
import { compileRegex } from './regex.ts';

/** Compiles a query; throws RegexError. */
export function compileMatcher(asked: TextQuery): Matcher {
  const { mode, query, caseSensitive } = asked;
  if (isMultiLine(asked)) return multiLineMatcher(asked);
  if (mode === 'regex') return regexMatcher(query, caseSensitive);
  const need = { text: query, fold: !caseSensitive };
  const { find, inBytes } = finderOf([need]);
  const test = (text: string) => find(text, 0) >= 0;
  return {
    need: inAllCases(need),
    test,
    mayMatchBytes: mayHaveOf(inBytes),
    mayMatch: test,
    eachLine: (text, visit) => eachLineWith(find, text, visit),
    indexIn: (line) => Math.max(0, find(line, 0)),
  };
}

/** RE2 takes much longer to locate a match than to detect one: a long line is searched in parts. */
const PART_CHARS = 32 * 1024;
const SHARED_CHARS = 2 * 1024;
/** At most in this many parts, and in the last one. */
const MOST_PARTS = 8;
/** The longest text searched in one go, and the characters between calls of `mayContinue`. */
const WHOLE_MAX_CHARS = 256 * 1024;
const ASK_CHARS = 8 * 1024;
/** Nor is a text searched in one go that takes longer. */
const WHOLE_MAX_MS = 50;
/**
 * Texts of this length are selective enough for the index; below `LEAST_CHARS`, sequences of characters are used
 * instead.
 */
const SELECTIVE_CHARS = 5;
const LEAST_CHARS = 3;
/** Anchors of the text, and flags in the expression: the whole text could lack a match that one of its lines has. */
const LINE_ONLY = /\\[AzZ]|\(\?/;
/** An optional wildcard at the end, unless a backslash changes its meaning. */
const IDLE_END = /^((?:[^\\]|\\[^Q])*)\.\*\??$/s;

function regexMatcher(source: string, caseSensitive: boolean): Matcher {
  const flags = caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE;
  const { text: written } = toRe2(source);
  const all = compileRegex(source, flags);
  const [, begun] = IDLE_END.exec(source) ?? [];
  // Without it, a match is detected and located sooner.
  const line = begun === undefined ? all : compileRegex(begun, flags);
  const need = needOf(written, !caseSensitive);
  const texts = prefilterOf(need);
  const rows = rowsOf(written, !caseSensitive);
  const isSelective = texts.length > 0 && texts.every(({ text }) => text.length >= SELECTIVE_CHARS);
  const common = {
    // If a text is selective, sequences of characters add little.
    need: inAllCases(isSelective || rows.need === null ? need : need === null ? rows.need : { all: [need, rows.need] }),
    test: (text: string) => line.test(text),
    indexIn: (text: string) => placeIn(text, line),
  };
  // A sequence of characters is more selective than a text of one or two.
  const isShort = texts.every(({ text }) => text.length < LEAST_CHARS);
  const byRow = isShort ? rows.find : undefined;
  const whole = isShort && !LINE_ONLY.test(source) ? compileRegex(source, flags | RE2JS.MULTILINE) : undefined;
  const mayMatchWhole = (text: string) =>
    !whole ||
    text.length > WHOLE_MAX_CHARS ||
    !hasTimeFor(whole, text, (ms = 0) => ms <= WHOLE_MAX_MS) ||
    whole.test(text);
  const hasMatch = (each: string, mayContinue: MayContinue | undefined) =>
    (!mayContinue || hasTimeFor(line, each, mayContinue)) && line.test(each);
  if (byRow || texts.length > 0) {
    const found = finderOf(texts);
    const [only, more] = texts;
    const around = only && !more && isAscii(only.text) ? rows.around(only) : undefined;
    const find = byRow ?? (around ? findWithin(found.find, around) : found.find);
    const mayHave = byRow ? () => true : mayHaveOf(found.inBytes, around);
    const mayHold = othersOf(need, texts);
    const isSure = !byRow && around?.isSure === true;
    return {
      ...common,
      mayMatchBytes: mayHave,
      mayMatch: (text) => find(text, 0) >= 0 && (!byRow || mayMatchWhole(text)),
      eachLine(text, visit, mayContinue) {
        const hasBudget = nowAndThen(mayContinue);
        eachLineWith(find, text, (start, end) => {
          const each = text.slice(start, end);
          const isMatch = isSure || (mayHold(each) && hasMatch(each, mayContinue));
          return (!isMatch || visit(start, end)) && hasBudget(end - start);
        });
      },
    };
  }
  return {
    ...common,
    mayMatchBytes: () => true,
    mayMatch: mayMatchWhole,
    eachLine(text, visit, mayContinue) {
      const hasBudget = nowAndThen(mayContinue);
      for (let start = 0; start < text.length; ) {
        const end = endOfLine(text, start);
        if (hasMatch(text.slice(start, end), mayContinue) && !visit(start, end)) return;
        if (!hasBudget(end - start)) return;
        start = end + 1;
      }
    },
  };
}

/** The position of the match in a line; 0 when it would take long to find. */
function placeIn(line: string, expression: RE2JS): number {
  const isInTime = cpuBudgetFor(0);
  const last = Math.max(0, line.length - PART_CHARS);
  let asked = 0;
  for (let from = 0; ; from = Math.min(from + PART_CHARS - SHARED_CHARS, last)) {
    const part = line.slice(from, from + PART_CHARS);
    if (expression.test(part)) {
      const place = placeInPart(line, { part, from, isLast: from === last }, expression);
      if (place !== undefined) return place;
      asked += 1;
    }
    if (!isInTime()) return 0;
    if (from === last) break;
    if (asked === MOST_PARTS) from = last;
  }
  // The match is longer than a part.
  const matcher = line.length > WHOLE_MAX_CHARS ? undefined : expression.matcher(line);
  return matcher?.find() ? matcher.start() : 0;
}

type Part = { part: string; from: number; isLast: boolean };

function placeInPart(line: string, { part, from, isLast }: Part, expression: RE2JS): number | undefined {
  const matcher = expression.matcher(part);
  while (matcher.find()) {
    const start = matcher.start();
    // The previous part contains this match too, or it mistakes the start of the part for that of the line.
    if (start === 0 && from > 0) continue;
    const place = from + start;
    if (isLast || matcher.end() < part.length || beginsWith(line.slice(place, place + PART_CHARS), expression))
      return place;
  }
  return undefined;
}

/** Whether the expression matches at the start: a match that ends a part may mistake that for the end of the line. */
function beginsWith(text: string, expression: RE2JS): boolean {
  const matcher = expression.matcher(text);
  return matcher.find() && matcher.start() === 0;
}

function findWithin(find: Finder['find'], { mayBe }: Around): Finder['find'] {
  return (text, from) => {
    let at = find(text, from);
    while (at >= 0 && !mayBe(text, at)) at = find(text, at + 1);
    return at;
  };
}

/** Calls `mayContinue` once per `ASK_CHARS` characters. */
function nowAndThen(mayContinue: () => boolean = () => true): (chars: number) => boolean {
  let since = 0;
  return (chars) => {
    since += chars + 1;
    if (since < ASK_CHARS) return true;
    since = 0;
    return mayContinue();
  };
}

/** Whether a line with one of `texts` also has the other required texts; RE2 takes longer to exclude it. */
function othersOf(need: Need, texts: readonly Text[]): (line: string) => boolean {
  if (need === null || !('all' in need)) return () => true;
  const others = need.all.filter((each): each is Text => each !== null && 'text' in each && !texts.includes(each));
  const asIs = others
    .filter(({ text, fold }) => !fold || !/[^\0-\x40\x5b-\x60\x7b-\x7f]/.test(text))
    .map(({ text }) => text);
  const lowered = others
    .filter(({ text, fold }) => fold && isAscii(text) && !asIs.includes(text))
    .map(({ text }) => text.toLowerCase());
  return (line) => {
    if (!asIs.every((text) => line.includes(text))) return false;
    if (lowered.length === 0) return true;
    const lower = lowerOf(line);
    return lower === undefined || lowered.every((text) => lower.includes(text));
  };
}
