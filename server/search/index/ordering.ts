/**
 * Which codes have each gram, from the grams that each code has. These are put into buckets as they come, by their upper
 * bits, and each bucket is sorted at the end, while the processor's caches hold it. The loops are WebAssembly, for
 * the reason that gram-extraction.ts gives; each is preceded by its equivalent in JavaScript.
 */
import { crc32 } from 'node:zlib';
import * as wasm from '../kernels/assembly.ts';
import {
  add,
  and,
  get,
  i32,
  type Local,
  load,
  load8U,
  ltS,
  ltU,
  or,
  set,
  shl,
  shrU,
  store,
  store8,
  when,
} from '../kernels/assembly.ts';
import { MOST_GRAMS } from './gram-extraction.ts';

/** A bucket has the grams that differ in these bits. */
const LOW_BITS = 11;
const LOWS = 1 << LOW_BITS;
/** What is left of a word beside them. */
export const MOST_CODES = 1 << (32 - LOW_BITS);
const MOST_BUCKETS = 256;
/** Buckets grow by these. */
const CHUNK_BITS = 16;
const CHUNK = 1 << CHUNK_BITS;
const MOST_CHUNKS = 2 ** 32 / CHUNK;
/** The memory grows by this many. */
const MORE_CHUNKS = 512;

/** A list has a bit for each code when it would be longer otherwise: this many bytes. */
export const bitsLength = (codes: number): number => (codes + 7) >>> 3;

/**
 * Layout of the memory: the write position of each bucket; where the next chunk may begin; the owner of each chunk;
 * the write position of each gram's codes; the grams of the next code; and the chunks.
 */
const AT = { next: 0, top: 4 * MOST_BUCKETS, owners: 0, bounds: 0, grams: 0, chunks: 0 };
AT.owners = AT.top + 4;
AT.bounds = AT.owners + MOST_CHUNKS;
AT.grams = AT.bounds + 4 * (LOWS + 1);
AT.chunks = Math.ceil((AT.grams + 4 * MOST_GRAMS) / CHUNK) * CHUNK;

const locals = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((local): Local => ({ local }));
const [from, to, third, fourth, a, b, c, d, e] = locals as [
  ...[Local, Local, Local, Local],
  ...[Local, Local, Local, Local, Local],
];
const advance = (local: Local, by: number) => set(local, add(get(local), i32(by)));
const mayContinue = ltU(get(from), get(to));
const lowOf = (word: wasm.Code) => and(word, i32(LOWS - 1));

/**
 * bucket = gram >>> LOW_BITS; at = next[bucket];
 * if (at % CHUNK === 0) { at = top; top += CHUNK; owners[at / CHUNK] = bucket; }
 * memory[at] = code << LOW_BITS | gram % LOWS; next[bucket] = at + 4;
 */
function scatter(): wasm.Written {
  const [code, gram, bucket, at] = [third, fourth, a, b];
  const one = wasm.all(
    set(gram, load(0, get(from))),
    set(bucket, shl(shrU(get(gram), i32(LOW_BITS)), i32(2))),
    set(at, load(AT.next, get(bucket))),
    when(
      wasm.eq(and(get(at), i32(CHUNK - 1)), i32(0)),
      wasm.all(
        set(at, load(AT.top, i32(0))),
        store(AT.top, i32(0), add(get(at), i32(CHUNK))),
        store8(AT.owners, shrU(get(at), i32(CHUNK_BITS)), shrU(get(bucket), i32(2))),
      ),
    ),
    store(0, get(at), or(get(code), lowOf(get(gram)))),
    store(AT.next, get(bucket), add(get(at), i32(4))),
    advance(from, 4),
  );
  return { parameters: 3, locals: 6, body: wasm.all(wasm.repeat(one, mayContinue), i32(0)) };
}

/** bounds[word % LOWS + 1] += 1 */
function count(): wasm.Written {
  const at = third;
  const one = wasm.all(
    set(at, shl(lowOf(load(0, get(from))), i32(2))),
    store(AT.bounds + 4, get(at), add(load(AT.bounds + 4, get(at)), i32(1))),
    advance(from, 4),
  );
  return { parameters: 2, locals: 3, body: wasm.all(wasm.repeat(one, mayContinue), i32(0)) };
}

/** codes[bounds[word % LOWS]++] = word >>> LOW_BITS */
function place(): wasm.Written {
  const [codes, word, low, bound] = [third, fourth, a, b];
  const one = wasm.all(
    set(word, load(0, get(from))),
    set(low, shl(lowOf(get(word)), i32(2))),
    set(bound, load(AT.bounds, get(low))),
    store(AT.bounds, get(low), add(get(bound), i32(1))),
    store(0, add(get(codes), shl(get(bound), i32(2))), shrU(get(word), i32(LOW_BITS))),
    advance(from, 4),
  );
  return { parameters: 3, locals: 6, body: wasm.all(wasm.repeat(one, mayContinue), i32(0)) };
}

/**
 * The distances from one code to the next, seven bits to a byte; or, when that is as long or longer, a bit for each code.
 * Answers how many bytes it has written.
 */
function encode(): wasm.Written {
  const [out, most, at, end, code, last, distance] = [third, fourth, a, b, c, d, e];
  const each = { local: 9 };
  const distances = wasm.all(
    set(code, load(0, get(each))),
    set(distance, wasm.sub(get(code), get(last))),
    set(last, get(code)),
    when(
      ltS(i32(127), get(distance)),
      wasm.repeat(
        wasm.all(
          store8(0, get(at), or(get(distance), i32(128))),
          advance(at, 1),
          set(distance, shrU(get(distance), i32(7))),
        ),
        ltS(i32(127), get(distance)),
      ),
    ),
    store8(0, get(at), get(distance)),
    advance(at, 1),
    advance(each, 4),
  );
  const bits = wasm.all(
    set(code, load(0, get(from))),
    set(at, add(get(out), shrU(get(code), i32(3)))),
    store8(0, get(at), or(load8U(0, get(at)), shl(i32(1), and(get(code), i32(7))))),
    advance(from, 4),
  );
  const body = wasm.all(
    set(end, add(get(out), get(most))),
    when(
      ltU(shrU(wasm.sub(get(to), get(from)), i32(2)), get(most)),
      wasm.all(
        set(last, i32(-1)),
        set(at, get(out)),
        set(each, get(from)),
        wasm.repeat(distances, and(ltU(get(each), get(to)), ltU(get(at), get(end)))),
        when(ltU(get(at), get(end)), wasm.give(wasm.sub(get(at), get(out)))),
      ),
    ),
    set(at, get(out)),
    wasm.repeat(wasm.all(store8(0, get(at), i32(0)), advance(at, 1)), ltU(get(at), get(end))),
    wasm.repeat(bits, mayContinue),
    get(most),
  );
  return { parameters: 4, locals: 10, body };
}

const module = wasm.compile({ scatter: scatter(), count: count(), place: place(), encode: encode() });
type Name = 'scatter' | 'count' | 'place' | 'encode';

export type Ordered = { grams: Uint32Array; bytes: Uint8Array; ends: Uint32Array; sums: Uint32Array };
export type Ordering = {
  /** As if it were new, with its memory kept. */
  reset(): void;
  /** Of the next code. */
  add(grams: Uint32Array): void;
  /** The grams there are, in order; their lists one after the other, where each begins (and the last ends), its checksum. */
  finish(): Ordered;
};

export function createOrdering(): Ordering {
  const { memory, run } = wasm.instantiate<Name>(module, AT.chunks);
  let words = new Uint32Array(memory.buffer);
  let bytes = new Uint8Array(memory.buffer);
  let codes = 0;
  let noted = 0;
  function makeRoom(end: number) {
    if (end <= bytes.length) return;
    memory.grow(Math.max(MORE_CHUNKS, Math.ceil((end - bytes.length) / wasm.PAGE_BYTES)));
    words = new Uint32Array(memory.buffer);
    bytes = new Uint8Array(memory.buffer);
  }

  /** By bucket: from where to where its words lie. */
  function chunksOfAll(): [from: number, to: number][][] {
    const all: [number, number][][] = Array.from({ length: MOST_BUCKETS }, () => []);
    for (let from = AT.chunks; from < top(); from += CHUNK) {
      const bucket = bytes[AT.owners + from / CHUNK] as number;
      const next = words[AT.next / 4 + bucket] as number;
      const isLast = next > from && next <= from + CHUNK;
      all[bucket]?.push([from, isLast ? next : from + CHUNK]);
    }
    return all;
  }

  const top = () => words[AT.top / 4] as number;

  function reset() {
    words.fill(0, AT.next / 4, AT.next / 4 + MOST_BUCKETS);
    words[AT.top / 4] = AT.chunks;
    codes = 0;
    noted = 0;
  }
  reset();

  return {
    reset,

    add(grams) {
      if (grams.length > 0) {
        // Each bucket may begin a chunk.
        makeRoom(top() + CHUNK * MOST_BUCKETS + 4 * grams.length);
        words.set(grams, AT.grams / 4);
        run.scatter(AT.grams, AT.grams + 4 * grams.length, codes << LOW_BITS);
      }
      codes += 1;
      noted += grams.length;
    },

    finish() {
      const mostBytes = bitsLength(codes);
      const written = createBytes(noted + (noted >>> 2));
      const grams: number[] = [];
      const ends: number[] = [0];
      const sums: number[] = [];
      for (const [bucket, chunks] of chunksOfAll().entries()) {
        const count = chunks.reduce((count, [from, to]) => count + (to - from) / 4, 0);
        const out = top() + 4 * count;
        // A distance takes three bytes at most; what turns out too long takes more for a while.
        makeRoom(out + 3 * count + mostBytes + 8);
        const first = AT.bounds / 4;
        words.fill(0, first, first + LOWS + 1);
        for (const [from, to] of chunks) run.count(from, to);
        for (let low = 0; low < LOWS; low++) (words[first + low + 1] as number) += words[first + low] as number;
        // Each bound moves from where the codes of its gram begin to where they end.
        for (const [from, to] of chunks) run.place(from, to, top());
        let at = out;
        for (let low = 0, begin = 0; low < LOWS; low++) {
          const end = words[first + low] as number;
          if (end === begin) continue;
          const length = run.encode(top() + 4 * begin, top() + 4 * end, at, mostBytes);
          grams.push((bucket << LOW_BITS) | low);
          sums.push(crc32(bytes.subarray(at, at + length)));
          at += length;
          ends.push(written.length() + at - out);
          begin = end;
        }
        written.add(bytes.subarray(out, at));
      }
      return {
        grams: Uint32Array.from(grams),
        bytes: written.all(),
        ends: Uint32Array.from(ends),
        sums: Uint32Array.from(sums),
      };
    },
  };
}

function createBytes(room: number) {
  let bytes = new Uint8Array(Math.max(room, 1024));
  let length = 0;
  return {
    length: () => length,
    add(more: Uint8Array) {
      if (length + more.length > bytes.length) {
        const larger = new Uint8Array(2 * (length + more.length));
        larger.set(bytes.subarray(0, length));
        bytes = larger;
      }
      bytes.set(more, length);
      length += more.length;
    },
    all: () => bytes.subarray(0, length),
  };
}
