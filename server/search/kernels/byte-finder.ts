/**
 * Finds a text in the bytes of code, sixteen places at a time: most codes that are looked at don't have what is sought, or
 * not with what must follow it, and are ruled out before a string is made of them. Code is read into the memory of
 * this WebAssembly, so nothing is copied. In JavaScript the loop would be
 *
 *     for (at = from; at <= last; at++)
 *       if ((bytes[at + first] | mask[first]) === text[first] && (bytes[at + second] | mask[second]) === text[second])
 *         if (text.every((byte, i) => (bytes[at + i] | mask[i]) === byte)) return at;
 *
 * where a mask is the bit between the two cases of a letter, `first` and `second` are the offsets of the rarest bytes of the
 * text, and sixteen of `at` are tested at once.
 */

import { isCasedBeyondAscii, KELVIN, LONG_S } from '../index/trigrams.ts';
import * as wasm from './assembly.ts';
import {
  add,
  and,
  ctz,
  eq,
  get,
  i32,
  type Local,
  leU,
  load8U,
  ltU,
  ne,
  or,
  set,
  sub,
  tee,
  v128,
  when,
} from './assembly.ts';

/** More of a text isn't compared: a match of this length is taken for a match of all. */
const MOST_BYTES = 256;
const WIDE = 16;
const CASE_BIT = 32;

/** What the memory has: of the two bytes that are looked for, sixteen times mask and byte; all bits of the bytes gone through; the text's masks and bytes. */
const AT = { rare: 0, seen: 4 * WIDE, masks: 5 * WIDE, text: 0, bytes: 1024 };
AT.text = AT.masks + MOST_BYTES;
const FIRST_BYTES = 256 * 1024;
/** The last sixteen places are tested, too, and read beyond the end. */
const BEHIND = WIDE + MOST_BYTES;
const NOWHERE = -1;

const local = (index: number): Local => ({ local: index });
const [from, last, end] = [0, 1, 2].map(local) as [Local, Local, Local];
const [first, second, length] = [3, 4, 5].map(local) as [Local, Local, Local];
const [found, at, k] = [6, 7, 8].map(local) as [Local, Local, Local];
const LOCALS = 9;

/** Which of sixteen places have one of the two rare bytes. */
const rareAt = (offset: Local, which: number) =>
  v128.eq(
    v128.or(v128.load(0, add(get(from), get(offset))), v128.load(AT.rare + 2 * which * WIDE, i32(0))),
    v128.load(AT.rare + (2 * which + 1) * WIDE, i32(0)),
  );
const noteSeen = v128.store(AT.seen, i32(0), v128.or(v128.load(AT.seen, i32(0)), v128.load(0, get(from))));
const isEqualAtK = eq(or(load8U(0, add(get(at), get(k))), load8U(AT.masks, get(k))), load8U(AT.text, get(k)));

/** The first of the places found: whether the whole text matches. */
const verify = wasm.all(
  set(at, add(get(from), ctz(get(found)))),
  set(k, i32(-1)),
  wasm.repeat(set(k, add(get(k), i32(1))), and(ltU(get(k), get(length)), isEqualAtK)),
  when(and(eq(get(k), get(length)), leU(get(at), get(last))), wasm.give(get(at))),
  set(found, and(get(found), sub(get(found), i32(1)))),
);

const module = wasm.compile({
  find: {
    parameters: 6,
    locals: LOCALS,
    body: wasm.all(
      wasm.repeat(
        wasm.all(
          noteSeen,
          set(found, v128.bitmask(v128.and(rareAt(first, 0), rareAt(second, 1)))),
          when(get(found), wasm.repeat(verify, ne(get(found), i32(0)))),
        ),
        leU(tee(from, add(get(from), i32(WIDE))), get(end)),
      ),
      i32(NOWHERE),
    ),
  },
  hasSeenBeyondAscii: {
    parameters: 0,
    locals: 0,
    body: ne(v128.bitmask(v128.load(AT.seen, i32(0))), i32(0)),
  },
});

const { memory, run } = wasm.instantiate<'find' | 'hasSeenBeyondAscii'>(module, AT.bytes + FIRST_BYTES + BEHIND);
let all = Buffer.from(memory.buffer);
/** What `find` looks for now. */
let current: Sought | undefined;

type Sought = { masks: Uint8Array; text: Uint8Array; rare: [first: number, second: number] };

/** Where code may be read to that is then looked at; what was there before is gone. */
export function roomForCode(length: number): Buffer {
  const missing = AT.bytes + length + BEHIND - all.length;
  if (missing > 0) {
    // Twice as much, so that it isn't made again for each that is a little longer.
    memory.grow(Math.ceil((missing + all.length) / wasm.PAGE_BYTES));
    all = Buffer.from(memory.buffer);
  }
  return all.subarray(AT.bytes, AT.bytes + length);
}

/** Where code lies in the memory: it is already loaded, except for buffers made by tests. */
function placeOf(code: Buffer): number {
  if (code.buffer === memory.buffer) return code.byteOffset;
  return roomForCode(code.length).fill(code).byteOffset;
}

function lookFor(sought: Sought): void {
  if (current === sought) return;
  current = sought;
  const { masks, text, rare } = sought;
  for (const [which, at] of rare.entries()) {
    const to = AT.rare + 2 * which * WIDE;
    all.fill(masks[at] ?? 0, to, to + WIDE);
    all.fill(text[at] ?? 0, to + WIDE, to + 2 * WIDE);
  }
  all.set(masks, AT.masks);
  all.set(text, AT.text);
}

export type ByteFinder = {
  /** How many bytes are looked for: those of the text, or of a long one's beginning. */
  readonly length: number;
  /** Their first position from a place on, in code that was read to `roomForCode`; -1 when there is none. */
  find(code: Buffer, from: number): number;
  /** Whether code without these bytes may still have the text in other letters: the long s and the Kelvin sign. */
  mayHaveOtherwise(code: Buffer): boolean;
};

/** For a text in UTF-8; undefined where its bytes don't decide: case isn't heeded, and a letter beyond ASCII has another. */
export function byteFinderOf({ text: sought, fold }: Text): ByteFinder | undefined {
  if (sought === '' || (fold && /[\u017f\u212a]/.test(sought))) return undefined;
  if (fold && [...sought].some(isCasedBeyondAscii)) return undefined;
  const bytes = Buffer.from(sought).subarray(0, MOST_BYTES);
  const masks = bytes.map((byte) => (fold && /[a-z]/i.test(String.fromCharCode(byte)) ? CASE_BIT : 0));
  const text = bytes.map((byte, at) => byte | (masks[at] ?? 0));
  const { length } = text;
  const rarity = (at: number) => rarityOf(String.fromCharCode(text[at] ?? 0));
  const [first = 0, second = first] = [...text.keys()].sort((a, b) => rarity(b) - rarity(a));
  const own: Sought = { masks, text, rare: [first, second] };
  const hasOthers = fold && /[sk]/i.test(sought);

  return {
    length,
    find(code, from) {
      if (code.length - from < length) return NOWHERE;
      lookFor(own);
      if (from === 0) all.fill(0, AT.seen, AT.seen + WIDE);
      const start = placeOf(code);
      const end = start + code.length;
      const at = run.find(start + from, end - length, end, first, second, length);
      return at < 0 ? at : at - start;
    },
    mayHaveOtherwise(code) {
      if (!hasOthers || run.hasSeenBeyondAscii() === 0) return false;
      return code.includes(LONG_S_BYTES) || code.includes(KELVIN_BYTES);
    },
  };
}

const LONG_S_BYTES = Buffer.from(LONG_S);
const KELVIN_BYTES = Buffer.from(KELVIN);

/** The characters of code, the most common first. */
const COMMON = ' etaornsilcpudmh*g.f/yb,=:;()vCSxRwTkIA\'"{}P_-EDOFL0B`MUN$G1|\tjq';

/** The rarer a character is in code, the higher. */
export function rarityOf(char: string): number {
  const known = COMMON.indexOf(char);
  return known < 0 ? COMMON.length : known;
}

export type Text = { text: string; fold: boolean };
