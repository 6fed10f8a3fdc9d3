/** Finds texts in code: what all matchers of code search are made of. */
import { type ByteFinder, byteFinderOf, rarityOf, type Text } from '../kernels/byte-finder.ts';
import type { MayContinue } from './cpu-budget.ts';
import type { Around, Need } from './needs.ts';

export type TextQuery = { mode: 'literal' | 'regex'; query: string; caseSensitive: boolean };

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
   * long line without enough time left is skipped. `matchEnd`: the end of a match of several lines.
   */
  eachLine(
    text: string,
    visit: (start: number, end: number, matchEnd?: number) => boolean,
    mayContinue?: MayContinue,
  ): void;
  /** The position of the first match; 0 when it would take long to find. */
  indexIn(line: string): number;
};

/**
 * Finds literal texts. When case is ignored and the texts are ASCII, it searches a lower-case copy: many times faster
 * than a regular expression that folds every character.
 */
export type Finder = {
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
export function lowerOf(text: string): string | undefined {
  // Case folding turns the long s into s. The capital I with a dot is the only character that becomes two.
  if (text.includes('\u017f')) return undefined;
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : undefined;
}

export const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);

/** Limit of places checked per document. */
const MOST_PLACES = 500;

/** Whether the bytes of a document may contain one of the texts, with the required characters around it. */
export function mayHaveOf(inBytes: Finder['inBytes'], around?: Around): Matcher['mayMatchBytes'] {
  if (!inBytes) return () => true;
  const hasAround = (finder: ByteFinder, code: Buffer, first: number) => {
    if (!around) return true;
    let at = first;
    for (let looked = 0; at >= 0 && looked < MOST_PLACES; looked++) {
      if (around.mayBeBytes(code, at)) {
        const from = Math.max(0, at - 1);
        const part = code.toString('latin1', from, at + around.reach);
        if (around.mayBe(part, at - from) || !isAscii(part)) return true;
      }
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

/** Visits the lines that have what `find` finds. */
export function eachLineWith(find: Finder['find'], text: string, visit: (start: number, end: number) => boolean): void {
  for (let at = find(text, 0); at >= 0; ) {
    const end = endOfLine(text, at);
    if (!visit(text.lastIndexOf('\n', at - 1) + 1, end) || end >= text.length) return;
    at = find(text, end + 1);
  }
}

export function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}
