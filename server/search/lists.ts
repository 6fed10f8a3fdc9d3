/**
 * The lists of a segment while it is being made: for each trigram, which codes have it. A list grows in pieces of one
 * large memory, each with room for a few bytes and the place of the next piece, so that no byte is ever moved; in the end
 * the pieces are joined. This is the hot loop of a build: nothing in it allocates or calls.
 */
import { crc32 } from 'node:zlib';
import { FOLD, NEWLINE, shortOf, TRIGRAMS } from './trigrams.ts';

/** A trigram that more codes than this have gets no list. */
const COMMON_SHARE = 0.3;
const FEW_CODES = 64;

/** A piece: so many bytes, the last four of them the number of the next piece. */
const PIECE = 32;
const ROOM = PIECE - 4;
const FIRST_PIECES = 1 << 16;
const MASK = TRIGRAMS - 1;
const MARKS = 255;

export type Lists = {
  /** The trigrams of the next code: of its bytes from `start` on. */
  add(packed: Uint8Array, start: number): void;
  /** Trigrams in order, their lists one after the other, where each begins (and the last ends), and its checksum. */
  finish(): { trigrams: Uint32Array; bytes: Uint8Array; ends: Uint32Array; sums: Uint32Array };
};

export function createLists(): Lists {
  /** By trigram: the mark of the last code that has it; small, so that the processor's caches hold it. */
  const marks = new Uint8Array(TRIGRAMS);
  /** By trigram: the last code that has it (from 1 on), and where its list goes on. */
  const state = new Uint32Array(2 * TRIGRAMS);
  const known: number[] = [];
  /** The first piece of each known one. */
  const firsts: number[] = [];
  let memory = new Uint8Array(FIRST_PIECES * PIECE);
  let nexts = new Uint32Array(memory.buffer);
  let pieces = 0;
  let codes = 0;

  function newPiece(): number {
    if ((pieces + 1) * PIECE > memory.length) {
      const larger = new Uint8Array(memory.length * 2);
      larger.set(memory);
      memory = larger;
      nexts = new Uint32Array(memory.buffer);
    }
    return pieces++;
  }

  /** The next byte of a list; answers where the one after it goes. */
  function put(at: number, byte: number): number {
    let place = at;
    if (place % PIECE === ROOM) {
      const piece = newPiece();
      nexts[place >>> 2] = piece;
      place = piece * PIECE;
    }
    memory[place] = byte;
    return place + 1;
  }

  function note(trigram: number, code: number): void {
    const last = state[2 * trigram] as number;
    let at = state[2 * trigram + 1] as number;
    if (last === 0) {
      const piece = newPiece();
      known.push(trigram);
      firsts.push(piece);
      at = piece * PIECE;
    }
    let distance = code - last;
    while (distance > 127) {
      at = put(at, (distance & 127) | 128);
      distance >>>= 7;
    }
    state[2 * trigram] = code;
    state[2 * trigram + 1] = put(at, distance);
  }

  return {
    add(packed, start) {
      const code = ++codes;
      const mark = 1 + (code % MARKS);
      if (mark === 1) marks.fill(0);
      const { length } = packed;
      let window = 0;
      let run = 0;
      for (let i = start; i < length; i++) {
        const byte = packed[i] as number;
        let folded = FOLD[byte] as number;
        if (byte > 127) {
          const short = shortOf(packed, i);
          if (short > 0) {
            folded = short & 127;
            i += short >>> 7;
          }
        }
        if (folded === NEWLINE) {
          run = 0;
          continue;
        }
        window = ((window << 7) | folded) & MASK;
        if (++run < 3 || marks[window] === mark) continue;
        marks[window] = mark;
        note(window, code);
      }
    },

    finish() {
      const order = Uint32Array.from(known.keys()).sort((a, b) => (known[a] as number) - (known[b] as number));
      const trigrams = Uint32Array.from(order, (at) => known[at] as number);
      const ends = new Uint32Array(order.length + 1);
      const sums = new Uint32Array(order.length);
      const bytes = new Uint8Array(pieces * ROOM);
      const most = Math.max(FEW_CODES, codes * COMMON_SHARE);
      let length = 0;
      for (let rank = 0; rank < order.length; rank++) {
        const end = state[2 * (trigrams[rank] as number) + 1] as number;
        const from = length;
        let count = 0;
        for (let at = (firsts[order[rank] as number] as number) * PIECE; at !== end; at++) {
          if (at % PIECE === ROOM) at = (nexts[at >>> 2] as number) * PIECE;
          const byte = memory[at] as number;
          bytes[length++] = byte;
          if (byte < 128) count += 1;
        }
        // What most codes have tells nothing: it is known, with an empty list.
        if (count > most) length = from;
        ends[rank + 1] = length;
        sums[rank] = crc32(bytes.subarray(from, length));
      }
      return { trigrams, bytes: bytes.subarray(0, length), ends, sums };
    },
  };
}
