/**
 * Trigrams: three bytes in a row within one line, each folded to 6 bits, so that the tables of all trigrams fit into
 * the processor's caches. Letters lose their case, rare signs share a code with others, and bytes beyond ASCII are
 * spread over all codes. Folding may make different texts equal, but never equal texts different: a document that the
 * index excludes cannot match, and the others are scanned.
 */
import { growMemory, type Kernel, loadKernel } from '../kernels/kernel.ts';

export const CODE_BITS = 6;
export const CODES = 1 << CODE_BITS;
/** The number of trigrams. */
export const TRIGRAMS = CODES ** 3;
/** The folded value of a newline, which is not a code. */
const BREAK = 255;

/** The long s (C5 BF) and the Kelvin sign (E2 84 AA): without case, they equal the ASCII letters s and k. */
export const LONG_S = [0xc5, 0xbf] as const;
export const KELVIN = [0xe2, 0x84, 0xaa] as const;

/** The characters of each code. */
const PLACES = [
  ...'abcdefghijklmnopqrstuvwxyz0123456789_$ .,;:()[]{}<>/*=\'"',
  ...['+^', '-~', '`@', '!#', '&%', '|\\', '?', '\t\r'],
];

export const FOLD = makeFold();
const S = FOLD[115] ?? 0;
const K = FOLD[107] ?? 0;

function makeFold(): Uint8Array {
  const fold = Uint8Array.from({ length: 256 }, (_, byte) => (byte * 29) % CODES);
  for (const [code, characters] of PLACES.entries())
    for (const each of characters + characters.toUpperCase()) fold[each.charCodeAt(0)] = code;
  fold[10] = BREAK;
  return fold;
}

/**
 * The folded code of a long s or a Kelvin sign, plus, from bit 7 on, the number of its bytes after the first; 0 for any
 * other character.
 */
function shortOf(bytes: Uint8Array, at: number): number {
  if (bytes[at] === LONG_S[0] && bytes[at + 1] === LONG_S[1]) return (1 << 7) | S;
  if (bytes[at] === KELVIN[0] && bytes[at + 1] === KELVIN[1] && bytes[at + 2] === KELVIN[2]) return (2 << 7) | K;
  return 0;
}

/** Writes the folded codes of `bytes` to `out`, which must be at least as long; returns their number. */
export function foldInto(bytes: Uint8Array, out: Uint8Array): number {
  const { length } = bytes;
  let n = 0;
  for (let i = 0; i < length; i++) {
    const byte = bytes[i] ?? 0;
    const short = byte > 127 ? shortOf(bytes, i) : 0;
    if (short > 0) {
      out[n++] = short & 127;
      i += short >>> 7;
    } else out[n++] = FOLD[byte] ?? 0;
  }
  return n;
}

/**
 * Calls `each` with every occurrence of a trigram in the first `length` folded codes, and with the next code of the
 * same line.
 */
export function eachTrigram(
  codes: Uint8Array,
  length: number,
  each: (trigram: number, follower: number | undefined) => void,
): void {
  let window = 0;
  let run = 0;
  for (let i = 0; i < length; i++) {
    const code = codes[i] ?? 0;
    if (code === BREAK) {
      run = 0;
      continue;
    }
    window = ((window << CODE_BITS) | code) & (TRIGRAMS - 1);
    const follower = i + 1 < length && codes[i + 1] !== BREAK ? codes[i + 1] : undefined;
    if (++run >= 3) each(window, follower);
  }
}

/** Characters beyond ASCII that have another case. Without case, their bytes decide nothing. */
const CASED = /[\p{Changes_When_Casemapped}\p{Changes_When_Casefolded}]/u;
export const isCasedBeyondAscii = (char: string): boolean =>
  char > '\u007f' && char !== '\u017f' && char !== '\u212a' && CASED.test(char);

/** Like `eachTrigram`, for the trigrams that each line with this text must have; none when the text is too short. */
export function eachTrigramOf(
  text: string,
  fold: boolean,
  each: (trigram: number, follower: number | undefined) => void,
): void {
  // Characters with unknown folding are replaced by newlines.
  const known = fold ? [...text].map((char) => (isCasedBeyondAscii(char) ? '\n' : char)).join('') : text;
  const bytes = Buffer.from(known);
  const codes = new Uint8Array(bytes.length);
  eachTrigram(codes, foldInto(bytes, codes), each);
}

/**
 * The number of common trigrams is limited so that their grams, one for each next character, do not outnumber the
 * trigrams.
 */
export const MOST_COMMON = TRIGRAMS / CODES;
/** Marks a common trigram in `gramOf`; the other bits are its gram, or the first of its grams with a next character. */
const COMMON = 1 << 31;
export const MOST_GRAMS = TRIGRAMS + MOST_COMMON * CODES;
/** Documents are marked 1 to 255, then from 1 again. */
const MARKS = 255;

/** Bytes read after the one that may begin a long s or a Kelvin sign. */
const BEHIND = 2;

type Functions = { extract(from: number, to: number, mark: number): number };
const newKernel = loadKernel<Kernel<Functions, 'fold' | 'gramOf' | 'marks' | 'grams' | 'code'>>('gram-extraction');

/** Extracts the grams of one document at a time: the hot loop of a build (gram-extraction.wat). */
export type GramExtraction = {
  /** Clears the marks and the common trigrams. */
  reset(): void;
  /** Sets the common trigrams, in ascending order. */
  learn(common: Uint32Array): void;
  /**
   * Returns each gram of the texts once. Their last byte must be a newline. The result is valid until the next call.
   */
  gramsOf(texts: Uint8Array): Uint32Array;
};

export function createGramExtraction(): GramExtraction {
  const kernel = newKernel();
  const { memory } = kernel;
  const [marksAt, codeAt] = [kernel.marksAt.value, kernel.codeAt.value];
  let bytes = new Uint8Array(memory.buffer);
  let codes = 0;
  bytes.set(FOLD, kernel.foldAt.value);

  function gramsIn(at: number, length: number) {
    return new Uint32Array(memory.buffer, at, length);
  }

  function makeRoom(end: number) {
    if (end <= bytes.length) return;
    growMemory(memory, end - bytes.length);
    bytes = new Uint8Array(memory.buffer);
  }

  function reset() {
    codes = 0;
    const gramOf = gramsIn(kernel.gramOfAt.value, TRIGRAMS);
    for (let trigram = 0; trigram < TRIGRAMS; trigram++) gramOf[trigram] = trigram;
  }
  reset();

  return {
    reset,
    learn(common) {
      const gramOf = gramsIn(kernel.gramOfAt.value, TRIGRAMS);
      for (const [rank, trigram] of common.entries()) gramOf[trigram] = COMMON | (TRIGRAMS + rank * CODES);
    },
    gramsOf(texts) {
      if (texts.length === 0) return new Uint32Array(0);
      const mark = 1 + (codes++ % MARKS);
      if (mark === 1) bytes.fill(0, marksAt, marksAt + MOST_GRAMS);
      const end = codeAt + texts.length;
      makeRoom(end + BEHIND);
      bytes.set(texts, codeAt);
      bytes.fill(0, end, end + BEHIND);
      return gramsIn(kernel.gramsAt.value, kernel.extract(codeAt, end, mark));
    },
  };
}
