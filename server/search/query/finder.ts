/**
 * Finds plain texts in code. Where case isn't heeded and the texts are ASCII, it is looked for in lower case: that is a
 * copy and a plain look-up, many times faster than a regular expression that folds each character it passes.
 */

import type { Text } from '../kernels/byte-finder.ts';
import { type ByteFinder, byteFinderOf, rarityOf } from '../kernels/byte-finder.ts';

export type Finder = {
  /** The first occurrence of one of the texts from a place on; -1 when there is none. */
  find(text: string, from: number): number;
  /** The same in bytes, each separately; undefined where these don't decide, or there are too many, so that the text decides sooner. */
  inBytes: ByteFinder[] | undefined;
};

/** More than these are looked for together, in the text. */
const MOST_BYTE_TEXTS = 3;

export function finderOf(texts: readonly Text[]): Finder {
  const [only, more] = texts;
  const isFolded = texts.some(({ fold }) => fold);
  // One that heeds no case makes all of them heed none.
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
 * A look-up stops at each character that could be the first one. Code is full of blanks and of the letter e: so what is
 * looked up begins with the rarest character, and the part before it is compared where it was found.
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

/** The text in lower case, each character where it was; undefined where that isn't what folding would make of it. */
export function lowerOf(text: string): string | undefined {
  // With case folding, the long s is an s; the capital I with a dot, alone of all, becomes two characters.
  if (text.includes('\u017f')) return undefined;
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : undefined;
}

export const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);
