/**
 * Finds a text in the bytes of a document, sixteen positions at a time (byte-finder.wat). Most documents do not contain
 * the text, or not with the required characters around it, and are excluded before they are decoded. Documents are read
 * into the memory of the kernel, so nothing is copied.
 */
import { isCasedBeyondAscii, KELVIN, LONG_S } from '../index/grams.ts';
import { growMemory, type Kernel, loadKernel } from './kernel.ts';

/** Only this many bytes of a text are compared: a match of them counts as a match. */
const MOST_BYTES = 256;
const WIDE = 16;
const CASE_BIT = 32;

/** The last sixteen positions are tested too, and read beyond the end. */
const BEHIND = WIDE + MOST_BYTES;
const NOWHERE = -1;

type Functions = {
  find(from: number, last: number, end: number, first: number, second: number, length: number): number;
  hasSeenBeyondAscii(): number;
};
const kernel = loadKernel<Kernel<Functions, 'rare' | 'seen' | 'masks' | 'text' | 'code'>>('byte-finder')();
const { memory } = kernel;
/**
 * The memory layout: masks and bytes of the two rare bytes, sixteen times each; all bits of the bytes read; masks and
 * bytes of the text; the document.
 */
const AT = {
  rare: kernel.rareAt.value,
  seen: kernel.seenAt.value,
  masks: kernel.masksAt.value,
  text: kernel.textAt.value,
  code: kernel.codeAt.value,
};
let all = Buffer.from(memory.buffer);
/** The text that the memory is set up for. */
let current: Sought | undefined;

type Sought = { masks: Uint8Array; text: Uint8Array; rare: [first: number, second: number] };

/** Returns the part of the memory into which a document of this length is read. It overwrites the last one. */
export function reserveCode(length: number): Buffer {
  const missing = AT.code + length + BEHIND - all.length;
  if (missing > 0) {
    // Grows by more than needed, so that slightly longer documents do not grow it again.
    growMemory(memory, missing + all.length);
    all = Buffer.from(memory.buffer);
  }
  return all.subarray(AT.code, AT.code + length);
}

/** The address of a document, which is already in the memory, except for buffers of tests. */
function placeOf(code: Buffer): number {
  if (code.buffer === memory.buffer) return code.byteOffset;
  return reserveCode(code.length).fill(code).byteOffset;
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
  /** The number of bytes compared: those of the text, or of its beginning if it is long. */
  readonly length: number;
  /** The first position of the bytes from an index on; -1 when none exists. `code` was read into `reserveCode`. */
  find(code: Buffer, from: number): number;
  /** Whether a document without these bytes may contain the text with other letters: the long s and the Kelvin sign. */
  mayHaveOtherwise(code: Buffer): boolean;
};

/**
 * A finder for a text in UTF-8; undefined when its bytes cannot decide, because case is ignored and a letter beyond
 * ASCII has another case.
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

/** The rarity of a character in code; higher is rarer. */
export function rarityOf(char: string): number {
  const known = COMMON.indexOf(char);
  return known < 0 ? COMMON.length : known;
}

export type Text = { text: string; fold: boolean };
