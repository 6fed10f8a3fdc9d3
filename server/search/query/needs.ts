/**
 * Derives from a query what a line must contain to match, without running it: a tree of texts; and, where the query has
 * no literal text, sequences of character sets: `[A-Z_]+ = \\d` has a capital, ` = ` and a digit. The index is queried
 * for the grams of both, and code is scanned for them before RE2 sees a line.
 */
import { FOLD } from '../index/grams.ts';
import type { Text } from '../kernels/byte-finder.ts';
import { type Node, readRegex, withCases } from './regex.ts';

/** A text; all of several; one of several; or unknown (null). */
export type Need = Text | { all: Need[] } | { any: Need[] } | null;
/** `exact`: every match of the part is one of these. Otherwise a match contains `need`. */
type Known = { exact: Text[]; need?: undefined } | { exact?: undefined; need: Need };

const MOST_TEXTS = 16;
const LONGEST_TEXT = 200;
const MOST_PREFILTERS = 32;
const NOTHING: Known = { need: null };
const NO_TEXT: Known = { exact: [{ text: '', fold: false }] };

/** What a regular expression requires; `fold`: ignore case. */
export function needOf(source: string, fold: boolean): Need {
  const tree = readRegex(source, fold);
  return tree ? asNeed(knownOf(tree)) : null;
}

function knownOf(node: Node): Known {
  if (node.kind === 'any') return NOTHING;
  if (node.kind === 'empty') return NO_TEXT;
  if (node.kind === 'chars') return ofChars(node.chars, node.fold);
  if (node.kind === 'cat') return inRow(node.parts.map(knownOf));
  if (node.kind === 'alt') return either(node.parts.map(knownOf));
  return repeated(knownOf(node.part), node.min, node.max);
}

function ofChars(chars: string[], fold: boolean): Known {
  return { exact: chars.map((text) => ({ text, fold })) };
}

function inRow(parts: Known[]): Known {
  const needs: Need[] = [];
  let exact: Text[] = [{ text: '', fold: false }];
  let wasCut = false;
  const cut = () => {
    needs.push(asNeed({ exact }));
    exact = [{ text: '', fold: false }];
    wasCut = true;
  };
  for (const part of parts) {
    const longer = part.exact && product(exact, part.exact);
    if (longer) exact = longer;
    else {
      cut();
      if (part.exact) exact = part.exact;
      else needs.push(part.need);
    }
  }
  if (!wasCut) return { exact };
  cut();
  const known = needs.filter((need) => need !== null);
  return { need: known.length > 1 ? { all: known } : (known[0] ?? null) };
}

function product(left: Text[], right: Text[]): Text[] | undefined {
  if (left.length * right.length > MOST_TEXTS) return undefined;
  const made = left.flatMap((a) => right.map((b) => ({ text: a.text + b.text, fold: a.fold || b.fold })));
  return made.some(({ text }) => text.length > LONGEST_TEXT) ? undefined : made;
}

function either(parts: Known[]): Known {
  const exact = parts.flatMap((part) => part.exact ?? []);
  if (parts.every((part) => part.exact) && exact.length <= MOST_TEXTS) return { exact };
  const needs = parts.map(asNeed);
  const known = needs.filter((need) => need !== null);
  return known.length < needs.length ? NOTHING : { need: { any: known } };
}

function repeated(part: Known, min: number, max: number): Known {
  if (min === 0) return max === 1 && part.exact ? either([NO_TEXT, part]) : max === 0 ? NO_TEXT : NOTHING;
  if (min === 1 && max === 1) return part;
  const [only, more] = part.exact ?? [];
  if (!only || more) return { need: asNeed(part) };
  const text = only.text.repeat(Math.max(1, Math.min(min, Math.floor(LONGEST_TEXT / (only.text.length || 1)))));
  const again = { text, fold: only.fold };
  return min === max && text.length === only.text.length * min
    ? { exact: [again] }
    : { need: asNeed({ exact: [again] }) };
}

function asNeed({ exact, need = null }: Known): Need {
  if (!exact) return need;
  if (exact.some(({ text }) => text === '')) return null;
  return exact.length > 1 ? { any: exact } : (exact[0] ?? null);
}

/**
 * Texts of which every matching line has at least one: the set whose shortest text is longest. Empty when none is
 * known.
 */
export function prefilterOf(need: Need): Text[] {
  if (need === null) return [];
  if ('text' in need) return [need];
  if ('any' in need) {
    const sets = need.any.map(prefilterOf);
    return sets.some((set) => set.length === 0) || sets.flat().length > MOST_PREFILTERS ? [] : sets.flat();
  }
  const shortest = (set: Text[]) => (set.length === 0 ? 0 : Math.min(...set.map(({ text }) => text.length)));
  return need.all.map(prefilterOf).reduce((best, set) => (shortest(set) > shortest(best) ? set : best), []);
}

/** `min` to `max` characters of the set `of` in a row; or no character, but a condition at this place (`edge`). */
type Item = { of: string; min: number; max: number; edge?: 'word' | 'other' };
/** Null allows any characters, or none. */
type Items = (Item | null)[];
/** For each character of a sequence, the set of possible ones. */
type Row = string[];

const MOST_IN_ROW = 16;
const MOST_GRAMS = 128;
/** A sequence is selective with this many bits: the sum over its characters, by the frequency of each in code. */
const LEAST_BITS = 10;
const MOST_ITEMS = 200;
/**
 * Longer sequences are found by their most selective part of this length; the index is queried for at most
 * `MOST_PARTS`.
 */
const FOUND_IN_ROW = 4;
const MOST_PARTS = 6;

/** Limits for expressions that V8 runs: repetitions per set, and sets with a variable number of repetitions. */
const MOST_REPEATED = 16;
const MOST_OPEN = 2;

export type Rows = {
  /** What every match contains, for the index; null when unknown. */
  need: Need;
  /** The next place where a match may begin; undefined without a selective sequence. */
  find: ((text: string, from: number) => number) | undefined;
  /** What surrounds a text in every match that has it; undefined when unknown. */
  around(text: Text): Around | undefined;
};
export type Around = {
  /** Whether a match can have its text at this place, judged by the characters around it. */
  mayBe(code: string, at: number): boolean;
  /** The same judged by the two bytes next to the text in UTF-8: excludes most places, and takes little time. */
  mayBeBytes(code: Uint8Array, at: number): boolean;
  /** How many characters from there on `mayBe` reads at most; it also reads one before them. */
  reach: number;
  /** It decides alone: such a place is a match, and each match has one. */
  isSure: boolean;
};

export function rowsOf(source: string, fold: boolean): Rows {
  const tree = readRegex(source, fold);
  const items = tree ? itemsOf(tree) : [];
  const rows = rowsIn(items);
  const best = rows.reduce((best, row) => (bitsOf(row) > bitsOf(best) ? row : best), []);
  return {
    need: needOfRows(rows),
    find: bitsOf(best) < LEAST_BITS ? undefined : findRow(best),
    around: (text) => aroundOf(items, text),
  };
}

function itemsOf(node: Node): Items {
  if (node.kind === 'empty') return [{ of: '', min: 0, max: 0, edge: node.edge }];
  if (node.kind === 'any') return [node.of ? { of: node.of, min: 1, max: 1 } : null];
  if (node.kind === 'alt') return [null];
  if (node.kind === 'chars') {
    const all = node.chars.join('');
    // A character beyond ASCII may be two UTF-16 units, and may have other cases.
    if (!/^[\0-\x7f]+$/.test(all)) return [null];
    return [{ of: node.fold ? withCases(all) : all, min: 1, max: 1 }];
  }
  if (node.kind === 'cat') return joinedItems(node.parts.map(itemsOf));
  const { min, max } = node;
  const items = itemsOf(node.part);
  const [only, more] = items;
  if (only && more === undefined) {
    if (only.min === 1 && only.max === 1) return [{ of: only.of, min, max }];
    if (min > 0 && only.max === Number.POSITIVE_INFINITY) return [{ ...only, min: only.min * min }];
  }
  if (min === 0) return [null];
  return max === 1 ? items : [...items, null, ...items];
}

/** Concatenates items; adjacent items of the same set become one. */
function joinedItems(parts: Items[]): Items {
  const all: Items = [];
  for (const item of parts.flat().slice(0, MOST_ITEMS)) {
    const last = all.at(-1);
    const isSame = item && last && item.of === last.of && item.max !== item.min && last.max !== last.min;
    if (isSame) all[all.length - 1] = { of: item.of, min: last.min + item.min, max: last.max + item.max };
    else all.push(item);
  }
  return parts.flat().length > MOST_ITEMS ? [...all, null] : all;
}

function rowsIn(items: Items): Row[] {
  const rows: Row[] = [];
  let row: Row = [];
  for (const item of items) {
    const least = item ? Array<string>(Math.min(item.min, MOST_IN_ROW)).fill(item.of) : [];
    row.push(...least);
    if (item && item.max === least.length) continue;
    rows.push(row);
    row = [...least];
  }
  return [...rows, row].map((each) => each.slice(-MOST_IN_ROW));
}

const shareOf = (char: string) => (char === ' ' ? 1 / 4 : /[a-z]/.test(char) ? 1 / 40 : 1 / 200);
const bitsOf = (row: Row) =>
  row.reduce((bits, of) => bits - Math.log2([...new Set(of)].reduce((sum, char) => sum + shareOf(char), 0)), 0);

function needOfRows(rows: Row[]): Need {
  const all: { any: Text[] }[] = [];
  for (const row of rows) {
    const codes = row.map((of) => [...new Map([...of].map((char) => [FOLD[char.charCodeAt(0)], char])).values()]);
    for (let at = 0; at + 3 <= codes.length; at++) {
      const texts = textsOf(codes.slice(at, at + 4)) ?? textsOf(codes.slice(at, at + 3));
      if (texts) all.push({ any: texts });
    }
  }
  if (all.length === 0) return null;
  return { all: all.sort((a, b) => a.any.length - b.any.length).slice(0, MOST_PARTS) };
}

/** Every text of these characters; the index ignores case. */
function textsOf(codes: string[][]): Text[] | undefined {
  if (codes.reduce((count, { length }) => count * length, 1) > MOST_GRAMS) return undefined;
  const texts = codes.reduce((begun, next) => begun.flatMap((text) => next.map((char) => text + char)), ['']);
  return texts.map((text) => ({ text, fold: true }));
}

const escaped = (char: string) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`;

/** A set of characters, with the long s and the Kelvin sign, which equal s and k without case. */
function setOf(of: string): string {
  const more = `${/[sS]/.test(of) ? '\\u017f' : ''}${/[kK]/.test(of) ? '\\u212a' : ''}`;
  return `[${[...new Set(of)].map(escaped).join('')}${more}]`;
}

/** Finds the most selective part first, then checks the whole sequence. */
function findRow(row: Row): Rows['find'] {
  const parts = row.map((_, at) => row.slice(at, at + FOUND_IN_ROW));
  const best = parts.reduce((best, part) => (bitsOf(part) > bitsOf(best) ? part : best));
  const lead = parts.indexOf(best);
  const part = new RegExp(best.map(setOf).join(''), 'g');
  const whole = new RegExp(row.map(setOf).join(''), 'y');
  return (text, from) => {
    part.lastIndex = from;
    // All matches have the same length; `test` and `lastIndex` avoid a result object for each place.
    while (part.test(text)) {
      const at = part.lastIndex - best.length;
      whole.lastIndex = at - lead;
      if (at >= lead && whole.test(text)) return at - lead;
      part.lastIndex = at + 1;
    }
    return -1;
  };
}

function aroundOf(items: Items, { text, fold }: Text): Around | undefined {
  const chars = [...text].map((char) => (fold ? withCases(char) : char));
  const isAt = (from: number) =>
    chars.every((of, at) => {
      const item = items[from + at];
      return item?.of === of && item.min === 1 && item.max === 1;
    });
  const from = items.findIndex((_, at) => isAt(at));
  if (from < 0) return undefined;
  const before = items[from - 1]?.edge === 'word' ? WORD_EDGE : '';
  const rest = items.slice(from + chars.length);
  const tail = tailOf(rest, MOST_OPEN);
  if (before + tail.source === '') return undefined;
  const following = bytesFollowing(rest);
  const isInWord = before !== '' && /^\w/.test(text);
  const expression = new RegExp(`${before}[^]{${chars.length}}${tail.source}`, 'y');
  return {
    mayBe(code, at) {
      expression.lastIndex = at;
      return expression.test(code);
    },
    mayBeBytes(code, at) {
      if (isInWord && at > 0 && IS_WORD[code[at - 1] ?? 0] === 1) return false;
      const next = code[at + chars.length];
      return next === undefined || following === undefined || following[next] === 1;
    },
    // A word edge at the end depends on the next character.
    reach: chars.length + tail.reach + 1,
    isSure: tail.isAll && from === (before === '' ? 0 : 1),
  };
}

const WORD_EDGE = '\\b';
const BYTES = 256;
const BEYOND_ASCII = 128;
/** 1 for each byte of a word character. */
const IS_WORD = Uint8Array.from({ length: BYTES }, (_, byte) => Number(/\w/.test(String.fromCharCode(byte))));

/** 1 for each byte that may follow: the first of these items, or any beyond ASCII; undefined if it may be any. */
function bytesFollowing(items: Items): Uint8Array | undefined {
  const following = new Uint8Array(BYTES).fill(1, BEYOND_ASCII);
  for (const item of items) {
    if (item === null || item.edge) return undefined;
    for (const char of item.of) following[char.charCodeAt(0)] = 1;
    if (item.min > 0) return following;
  }
  return undefined;
}

/** `isAll`: the source covers all items. */
type Tail = { source: string; reach: number; isAll: boolean };

/** An expression for the beginning of these items; anything may follow a part that exceeds the limits. */
function tailOf([item, ...rest]: Items, open: number): Tail {
  if (item === undefined) return { source: '', reach: 0, isAll: true };
  if (item === null || item.min > MOST_REPEATED || item.edge === 'other') return { source: '', reach: 0, isAll: false };
  if (item.edge) {
    const next = tailOf(rest, open);
    return { ...next, source: `${WORD_EDGE}${next.source}` };
  }
  const { min, max } = item;
  const set = setOf(item.of);
  const isFixed = max === min;
  if (!isFixed && open === 0) return { source: `${set}{${min}}`, reach: min, isAll: false };
  const next = tailOf(rest, isFixed ? open : open - 1);
  const most = Math.min(max, MOST_REPEATED + min);
  const reach = most + next.reach;
  // The set includes both cases, and more repetitions than checked may follow: the tail is not exact.
  if (isFixed) return { source: `${set}{${min}}${next.source}`, reach, isAll: false };
  const fewer = `${set}{${min},${most}}${next.source}`;
  return { source: most === max ? fewer : `(?:${set}{${most}}|${fewer})`, reach, isAll: false };
}
