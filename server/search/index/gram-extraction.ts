/**
 * The grams of one code, each once: the hot loop of a build, in WebAssembly. Of the same loop in JavaScript V8 makes
 * instructions that take more than four times as long, as it looks at the bounds for each number that is read or written.
 * In JavaScript it would be
 *
 *     do {
 *       byte = bytes[from]; folded = FOLD[byte];
 *       // … the long s and the Kelvin sign, which have more bytes
 *       if (run === 3) {
 *         word = gramOf[window];
 *         gram = (word & ~COMMON) + (folded & 63 & (word >> 31));
 *         noted[count] = gram; count += marks[gram] !== mark; marks[gram] = mark;
 *       } else run += 1;
 *       if (folded === BREAK) run = 0; else window = ((window << 6) | folded) & (TRIGRAMS - 1);
 *     } while (++from < to);
 */
import * as wasm from '../kernels/assembly.ts';
import { add, and, eq, get, i32, type Local, load, load8U, set, shl, tee, when } from '../kernels/assembly.ts';
import { BREAK, CODE_BITS, CODES, FOLD, KELVIN, LONG_S, TRIGRAMS } from './trigrams.ts';

/** With each character that may follow, common trigrams are no more than there are trigrams. */
export const MOST_COMMON = TRIGRAMS / CODES;
/** Of a trigram, that it is common; the other bits say which gram it is, or the first of those with a follower. */
const COMMON = 1 << 31;
export const MOST_GRAMS = TRIGRAMS + MOST_COMMON * CODES;
/** The marks of codes, in turn. */
const MARKS = 255;

/** Where what lies in the memory; small enough for the processor's caches, but for the code. */
const AT = { fold: 0, gramOf: 256, marks: 0, noted: 0, bytes: 0 };
AT.marks = AT.gramOf + 4 * TRIGRAMS;
AT.noted = AT.marks + MOST_GRAMS;
AT.bytes = AT.noted + 4 * (MOST_GRAMS + 1);
const CODE_BYTES = 256 * 1024;
/** What is looked at behind a byte that may begin a sign. */
const BEHIND = 2;

const local = (index: number): Local => ({ local: index });
const [from, to, mark] = [local(0), local(1), local(2)];
const [byte, folded, run, window, word, gram, count] = [3, 4, 5, 6, 7, 8, 9].map(local) as [
  ...[Local, Local, Local, Local],
  ...[Local, Local, Local],
];
const LOCALS = 10;

/** Whether one of these signs is here: its first byte was read as a letter, and the others follow. */
const isSign = (sign: readonly number[]) =>
  sign
    .slice(1)
    .reduce(
      (before, each, at) => and(before, eq(load8U(at + 1, get(from)), i32(each))),
      eq(get(byte), i32(sign[0] ?? 0)),
    );
const short = (sign: readonly number[], letter: string) =>
  when(
    isSign(sign),
    wasm.all(set(folded, i32(FOLD[letter.charCodeAt(0)] as number)), set(from, add(get(from), i32(sign.length - 1)))),
  );

const readOne = wasm.all(
  set(folded, load8U(AT.fold, tee(byte, load8U(0, get(from))))),
  when(wasm.gtU(get(byte), i32(127)), wasm.all(short(LONG_S, 's'), short(KELVIN, 'k'))),
);

/**
 * Combines the characters before with the one here. Whether the gram is common, or noted before, is as likely as not: no processor
 * would guess, so there is no branch for it. `count` counts bytes.
 */
const follower = and(and(get(folded), i32(CODES - 1)), wasm.shrS(get(word), i32(31)));
const noteOne = wasm.all(
  set(word, load(AT.gramOf, shl(get(window), i32(2)))),
  wasm.store(AT.noted, get(count), tee(gram, add(and(get(word), i32(~COMMON)), follower))),
  set(count, add(get(count), shl(wasm.ne(load8U(AT.marks, get(gram)), get(mark)), i32(2)))),
  wasm.store8(AT.marks, get(gram), get(mark)),
);

const module = wasm.compile({
  note: {
    parameters: 3,
    locals: LOCALS,
    body: wasm.all(
      wasm.repeat(
        wasm.all(
          readOne,
          when(eq(get(run), i32(3)), noteOne, set(run, add(get(run), i32(1)))),
          when(
            eq(get(folded), i32(BREAK)),
            set(run, i32(0)),
            set(window, and(wasm.or(shl(get(window), i32(CODE_BITS)), get(folded)), i32(TRIGRAMS - 1))),
          ),
        ),
        wasm.ltU(tee(from, add(get(from), i32(1))), get(to)),
      ),
      wasm.shrU(get(count), i32(2)),
    ),
  },
});

export type GramExtraction = {
  /** As if it were new. */
  reset(): void;
  /** From now on these trigrams are common; in order. */
  learn(common: Uint32Array): void;
  /** Each gram of the texts once, the last byte of which is a newline. Valid until the next call. */
  gramsOf(texts: Uint8Array): Uint32Array;
};

export function createGramExtraction(): GramExtraction {
  const { memory, run } = wasm.instantiate<'note'>(module, AT.bytes + CODE_BYTES);
  let bytes = new Uint8Array(memory.buffer);
  let codes = 0;
  bytes.set(FOLD, AT.fold);

  function gramsIn(at: number, length: number) {
    return new Uint32Array(memory.buffer, at, length);
  }

  function makeRoom(end: number) {
    if (end <= bytes.length) return;
    memory.grow(Math.ceil((end - bytes.length) / wasm.PAGE_BYTES));
    bytes = new Uint8Array(memory.buffer);
  }

  function reset() {
    codes = 0;
    const gramOf = gramsIn(AT.gramOf, TRIGRAMS);
    for (let trigram = 0; trigram < TRIGRAMS; trigram++) gramOf[trigram] = trigram;
  }
  reset();

  return {
    reset,
    learn(common) {
      const gramOf = gramsIn(AT.gramOf, TRIGRAMS);
      for (const [rank, trigram] of common.entries()) gramOf[trigram] = COMMON | (TRIGRAMS + rank * CODES);
    },
    gramsOf(texts) {
      if (texts.length === 0) return new Uint32Array(0);
      const mark = 1 + (codes++ % MARKS);
      if (mark === 1) bytes.fill(0, AT.marks, AT.marks + MOST_GRAMS);
      const end = AT.bytes + texts.length;
      makeRoom(end + BEHIND);
      bytes.set(texts, AT.bytes);
      bytes.fill(0, end, end + BEHIND);
      return gramsIn(AT.noted, run.note(AT.bytes, end, mark));
    },
  };
}
