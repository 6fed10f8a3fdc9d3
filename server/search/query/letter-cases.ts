/**
 * Letters beyond ASCII that are equal without case: ö and Ö; σ, ς and Σ; ß and ẞ. The index keeps their bytes as they
 * are, so a text that ignores case is asked for in all its cases, two characters at a time.
 */
import { isCasedBeyondAscii } from '../index/grams.ts';
import type { Text } from '../kernels/byte-finder.ts';
import type { Need } from './needs.ts';

/** Behind the last letter that has a case. */
const LAST_CASED = 0x1e943;
/** Pairs of more cases are not worth their lists. */
const MOST_CASES = 12;

let known: Map<string, string[]> | undefined;

/** The characters that equal this one when case is ignored, itself included; sometimes more. */
export function casesOf(char: string): readonly string[] {
  known ??= groupCases();
  return known.get(char) ?? [char];
}

/** Equal without case, though their upper cases have several characters. */
const OTHERS: readonly (readonly [string, string])[] = [
  ['\u0390', '\u1fd3'],
  ['\u03b0', '\u1fe3'],
  ['\ufb05', '\ufb06'],
];

/** Joins each letter with its lower and upper case, if that is one character. */
function groupCases(): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  const groupOf = (char: string) => {
    const group = groups.get(char) ?? [char];
    groups.set(char, group);
    return group;
  };
  for (let code = 0x80; code <= LAST_CASED; code++) {
    const char = String.fromCodePoint(code);
    if (isCasedBeyondAscii(char)) for (const other of [char.toLowerCase(), char.toUpperCase()]) join(char, other);
  }
  for (const [one, other] of OTHERS) join(one, other);
  return groups;

  function join(one: string, other: string): void {
    const group = groupOf(one);
    if ([...other].length !== 1 || group.includes(other)) return;
    const joined = [...group, ...groupOf(other)];
    for (const each of joined) groups.set(each, joined);
  }
}

/** What the index is asked for: without texts that ignore the case of letters beyond ASCII, which become pairs. */
export function inAllCases(need: Need): Need {
  if (need === null) return null;
  if ('all' in need) return { all: need.all.map(inAllCases) };
  if ('any' in need) return { any: need.any.map(inAllCases) };
  const pairs = need.fold ? pairsOf(need) : [];
  return pairs.length === 0 ? need : { all: [need, ...pairs] };
}

/** Each two adjacent characters with a letter beyond ASCII, in all cases. */
function pairsOf({ text }: Text): Need[] {
  const chars = [...text];
  return chars.flatMap((char, at): Need[] => {
    const next = chars[at + 1];
    if (next === undefined || !(isCasedBeyondAscii(char) || isCasedBeyondAscii(next))) return [];
    const texts = variants(char).flatMap((first) => variants(next).map((second) => first + second));
    if (texts.length > MOST_CASES || char === '\n' || next === '\n') return [];
    return [{ any: texts.map((pair) => ({ text: pair, fold: false })) }];
  });
}

/** The index ignores the case of ASCII letters. */
const variants = (char: string): readonly string[] => (isCasedBeyondAscii(char) ? casesOf(char) : [char]);
