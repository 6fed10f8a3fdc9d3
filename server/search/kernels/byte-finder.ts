/**
 * Finds a text in the bytes of code, sixteen positions at a time (byte-finder.wat): most documents that are looked at
 * don't have what is sought, or not with what must follow it, and are ruled out before a string is made of them. Code
 * is read into the memory of the kernel, so nothing is copied.
 */
import { isCasedBeyondAscii, KELVIN, LONG_S } from '../index/grams.ts';
import { growMemory, type Kernel, loadKernel } from './kernel.ts';

/** More of a text isn't compared: a match of this length is taken for a match of all. */
const MOST_BYTES = 256;
const WIDE = 16;
const CASE_BIT = 32;

/** The last sixteen positions are tested, too, and read beyond the end. */
const BEHIND = WIDE + MOST_BYTES;
const NOWHERE = -1;

type Functions = {
  find(from: number, last: number, end: number, first: number, second: number, length: number): number;
  hasSeenBeyondAscii(): number;
};
const kernel = loadKernel<Kernel<Functions, 'rare' | 'seen' | 'masks' | 'text' | 'code'>>('byte-finder')();
const { memory } = kernel;
/**
 * The memory has mask and byte of the two rare bytes, sixteen times each; all bits of the bytes read; masks and bytes
 * of the text.
 */
const AT = {
  rare: kernel.rareAt.value,
  seen: kernel.seenAt.value,
  masks: kernel.masksAt.value,
  text: kernel.textAt.value,
  code: kernel.codeAt.value,
};
let all = Buffer.from(memory.buffer);
/** What `find` looks for now. */
let current: Sought | undefined;

type Sought = { masks: Uint8Array; text: Uint8Array; rare: [first: number, second: number] };

/** Where code may be read to that is then looked at; what was there before is gone. */
export function roomForCode(length: number): Buffer {
  const missing = AT.code + length + BEHIND - all.length;
  if (missing > 0) {
    // Twice as much, so that it isn't made again for each that is a little longer.
    growMemory(memory, missing + all.length);
    all = Buffer.from(memory.buffer);
  }
  return all.subarray(AT.code, AT.code + length);
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

/**
 * For a text in UTF-8; undefined where its bytes don't decide: case isn't heeded, and a letter beyond ASCII has
 * another.
 */
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
      const at = kernel.find(start + from, end - length, end, first, second, length);
      return at < 0 ? at : at - start;
    },
    mayHaveOtherwise(code) {
      if (!hasOthers || kernel.hasSeenBeyondAscii() === 0) return false;
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
