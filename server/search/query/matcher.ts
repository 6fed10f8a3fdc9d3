/**
 * Matches a code query against lines. Only RE2 runs a user's expression. V8 runs nothing but escaped text, and
 * sequences of escaped characters with bounded length (needs.ts).
 */
import { RE2JS } from 're2js';
import { toRe2 } from '../../../contract/text/re2-syntax.ts';
import { type ByteFinder, byteFinderOf, rarityOf, type Text } from '../kernels/byte-finder.ts';
import { cpuBudgetFor, hasTimeFor, type MayContinue } from './cpu-budget.ts';
import { type Around, type Need, needOf, prefilterOf, rowsOf } from './needs.ts';
import { compileRegex } from './regex.ts';

export type CodeQuery = { mode: 'literal' | 'regex'; query: string; caseSensitive: boolean };

export type Matcher = {
  /** What a line must contain to match, for the index. */
  need: Need;
  /** Whether a line, without its newline, has a match. */
  test(line: string): boolean;
  /** False when no line of this text, in UTF-8, can match. Used where it is cheaper than decoding the text. */
  mayMatchBytes(bytes: Buffer): boolean;
  /** False when no line of the text can match; cheaper than testing each line. */
  mayMatch(text: string): boolean;
  /**
   * Visits the matching lines in order, until `visit` or `mayContinue` returns false; the latter is called regularly. A
   * long line without enough time left is skipped.
   */
  eachLine(text: string, visit: (start: number, end: number) => boolean, mayContinue?: MayContinue): void;
  /** The position of the first match; 0 when it would take long to find. */
  indexIn(line: string): number;
};

/** Compiles a query; throws RegexError. */
export function compileMatcher({ mode, query, caseSensitive }: CodeQuery): Matcher {
  if (mode === 'regex') return regexMatcher(query, caseSensitive);
  const need = { text: query, fold: !caseSensitive };
  const { find, inBytes } = finderOf([need]);
  const test = (text: string) => find(text, 0) >= 0;
  return {
    need,
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
    need: isSelective || rows.need === null ? need : need === null ? rows.need : { all: [need, rows.need] },
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

/** Limit of places checked per document. */
const MOST_PLACES = 500;

/** Whether the bytes of a document may contain one of the texts, with the required characters around it. */
function mayHaveOf(inBytes: Finder['inBytes'], around?: Around): Matcher['mayMatchBytes'] {
  if (!inBytes) return () => true;
  const hasAround = (finder: ByteFinder, code: Buffer, first: number) => {
    if (!around) return true;
    let at = first;
    for (let looked = 0; at >= 0 && looked < MOST_PLACES; looked++) {
      const from = Math.max(0, at - 1);
      const part = code.toString('latin1', from, at + around.reach);
      if (around.mayBe(part, at - from) || !isAscii(part)) return true;
      at = finder.find(code, at + 1);
    }
    return at >= 0;
  };
  return (code) =>
    inBytes.some((finder) => {
      const first = finder.find(code, 0);
      return (first >= 0 && hasAround(finder, code, first)) || finder.mayHaveOtherwise(code);
    });
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

function eachLineWith(find: Finder['find'], text: string, visit: (start: number, end: number) => boolean): void {
  for (let at = find(text, 0); at >= 0; ) {
    const end = endOfLine(text, at);
    if (!visit(text.lastIndexOf('\n', at - 1) + 1, end) || end >= text.length) return;
    at = find(text, end + 1);
  }
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

/**
 * Finds literal texts. When case is ignored and the texts are ASCII, it searches a lower-case copy: many times faster
 * than a regular expression that folds every character.
 */
type Finder = {
  /** The first occurrence of one of the texts from a position on; -1 when none exists. */
  find(text: string, from: number): number;
  /**
   * One finder of bytes per text; undefined when bytes cannot decide, or when searching the decoded text is faster,
   * as for more texts than the limit.
   */
  inBytes: ByteFinder[] | undefined;
};

/** More texts are searched together, in the decoded text. */
const MOST_BYTE_TEXTS = 3;

export function finderOf(texts: readonly Text[]): Finder {
  const [only, more] = texts;
  const isFolded = texts.some(({ fold }) => fold);
  // One text that ignores case makes all of them ignore case.
  const parts = texts.slice(0, MOST_BYTE_TEXTS).map(({ text }) => byteFinderOf({ text, fold: isFolded }));
  const known = parts.filter((part) => part !== undefined);
  const inBytes = known.length === texts.length ? known : undefined;
  if (only && !more && !only.fold) return { find: findOne(only.text), inBytes };
  const exactly = findWith(texts, isFolded ? 'giu' : 'g');
  const canLower = texts.every(({ text, fold }) => fold && isAscii(text));
  return { find: canLower ? findLowered(texts, exactly) : exactly, inBytes };
}

/** The position of the rarest character of a text. */
function rarestOf(text: string): number {
  let rarest = 0;
  let most = -1;
  for (let at = 0; at < text.length; at++) {
    const rarity = rarityOf(text.charAt(at));
    if (rarity > most) [rarest, most] = [at, rarity];
  }
  return rarest;
}

/**
 * `indexOf` stops at every occurrence of the first character, and code is full of blanks and the letter e. So it
 * searches from the rarest character on, then compares the part before it.
 */
function findOne(text: string): Finder['find'] {
  const lead = rarestOf(text);
  if (lead === 0) return (code, from) => code.indexOf(text, from);
  const before = text.slice(0, lead);
  const rest = text.slice(lead);
  return (code, from) => {
    for (let at = code.indexOf(rest, from + lead); at >= 0; at = code.indexOf(rest, at + 1))
      if (code.startsWith(before, at - lead)) return at - lead;
    return -1;
  };
}

function findWith(texts: readonly Text[], flags: string): Finder['find'] {
  const escaped = texts.map(({ text }) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|');
  const expression = new RegExp(escaped, flags);
  return (text, from) => {
    expression.lastIndex = from;
    return expression.exec(text)?.index ?? -1;
  };
}

function findLowered(texts: readonly Text[], otherwise: Finder['find']): Finder['find'] {
  const lowered = texts.map(({ text }) => ({ text: text.toLowerCase(), fold: false }));
  const [only, more] = lowered;
  const find = only && !more ? findOne(only.text) : findWith(lowered, 'g');
  let last = '';
  let lower: string | undefined = '';
  return (text, from) => {
    if (from === 0 || text !== last) {
      last = text;
      lower = lowerOf(text);
    }
    return lower === undefined ? otherwise(text, from) : find(lower, from);
  };
}

/** The text in lower case with the same positions; undefined when that differs from case folding. */
function lowerOf(text: string): string | undefined {
  // Case folding turns the long s into s. The capital I with a dot is the only character that becomes two.
  if (text.includes('\u017f')) return undefined;
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : undefined;
}

export const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);
