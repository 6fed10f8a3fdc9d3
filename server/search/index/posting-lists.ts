/**
 * Builds the posting lists of a segment: for each gram, the documents that have it. A gram is a trigram; for a trigram
 * that many documents have, it is the trigram and the next character, because four characters in a row are far more
 * selective than three. The first documents show which trigrams are common.
 *
 * The grams of each document (grams.ts) are added to buckets by their upper bits. Each bucket is sorted at the end,
 * while the processor's caches hold it (ordering.wat).
 */
import { crc32 } from 'node:zlib';
import { growMemory, type Kernel, loadKernel } from '../kernels/kernel.ts';
import { createGramExtraction, type GramExtraction, MOST_COMMON, TRIGRAMS } from './grams.ts';

/** A trigram is common when more than this share of the first documents have it. */
const COMMON_SHARE = 0.25;
const FIRST = { codes: 1000, bytes: 8 * 1024 * 1024 };

type Listed = Ordered & { common: Uint32Array };
export type Lists = {
  /** Adds the grams of the next document: of its bytes from `start` on. The last byte must be a newline. */
  add(packed: Uint8Array, start: number): void;
  finish(): Listed;
};

/** The memory of the last lists of this thread: clearing it costs less than allocating new pages. */
let spare: { noting: GramExtraction; ordering: Ordering } | undefined;

/** Builds the posting lists of one segment. */
export function createLists(): Lists {
  const made = spare ?? { noting: createGramExtraction(), ordering: createOrdering() };
  const { noting, ordering } = made;
  spare = undefined;
  noting.reset();
  ordering.reset();
  let common: Uint32Array = new Uint32Array(0);
  let first: Uint8Array[] | undefined = [];
  let firstBytes = 0;

  /** The first documents are processed twice: to find the common trigrams, then like all others. */
  function takeFirst(learnt: Uint32Array) {
    const held = first ?? [];
    first = undefined;
    common = learnt;
    noting.learn(common);
    for (const texts of held) ordering.add(noting.gramsOf(texts));
  }

  return {
    add(packed, start) {
      if (!first) return ordering.add(noting.gramsOf(packed.subarray(start)));
      first.push(new Uint8Array(packed.subarray(start)));
      firstBytes += packed.length - start;
      if (first.length >= FIRST.codes || firstBytes >= FIRST.bytes) takeFirst(commonOf(first, noting));
    },
    finish() {
      // Few documents are scanned fast enough without four-character grams.
      if (first) takeFirst(common);
      const ordered = ordering.finish();
      spare = made;
      return { common, ...ordered };
    },
  };
}

/** The trigrams that many documents have, in ascending order. */
function commonOf(codes: readonly Uint8Array[], noting: GramExtraction): Uint32Array {
  const counts = new Uint32Array(TRIGRAMS);
  for (const texts of codes) {
    const grams = noting.gramsOf(texts);
    for (const gram of grams) counts[gram] = (counts[gram] ?? 0) + 1;
  }
  const common = Uint32Array.from(counts.keys()).filter(
    (trigram) => (counts[trigram] ?? 0) > codes.length * COMMON_SHARE,
  );
  common.sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0));
  return common.subarray(0, MOST_COMMON).sort();
}

/** Grams in one bucket differ in these bits only. */
const LOW_BITS = 11;
const LOWS = 1 << LOW_BITS;
/** Document numbers use the other bits of a word. */
export const MOST_CODES = 1 << (32 - LOW_BITS);
const MOST_BUCKETS = 256;
/** Buckets grow by chunks of this size. */
const CHUNK_BITS = 16;
const CHUNK = 1 << CHUNK_BITS;
/** The memory grows by at least this many chunks. */
const MORE_CHUNKS = 512;

/** The length of a posting list as a bitmap, which is used when the distances would take as much or more. */
export const bitsLength = (codes: number): number => (codes + 7) >>> 3;

type Functions = {
  scatter(from: number, to: number, document: number): void;
  count(from: number, to: number): void;
  place(from: number, to: number, documents: number): void;
  encode(from: number, to: number, out: number, most: number): number;
};
const newKernel = loadKernel<Kernel<Functions, 'next' | 'top' | 'owners' | 'bounds' | 'grams' | 'chunks'>>('ordering');

export type Ordered = { grams: Uint32Array; bytes: Uint8Array; ends: Uint32Array; sums: Uint32Array };
type Ordering = {
  /** Clears the buckets and keeps the memory. */
  reset(): void;
  /** Adds the grams of the next document. */
  add(grams: Uint32Array): void;
  /**
   * Returns the grams in ascending order, their posting lists in one buffer, the bounds of each list, and its checksum.
   */
  finish(): Ordered;
};

/** Sorts the grams of documents by gram. A thread uses one of these at a time. */
export function createOrdering(): Ordering {
  const kernel = newKernel();
  const { memory } = kernel;
  const [topAt, gramsAt, chunksAt] = [kernel.topAt.value, kernel.gramsAt.value, kernel.chunksAt.value];
  let words = new Uint32Array(memory.buffer);
  let bytes = new Uint8Array(memory.buffer);
  let codes = 0;
  let noted = 0;
  function makeRoom(end: number) {
    if (end <= bytes.length) return;
    growMemory(memory, Math.max(MORE_CHUNKS * CHUNK, end - bytes.length));
    words = new Uint32Array(memory.buffer);
    bytes = new Uint8Array(memory.buffer);
  }

  /** The address ranges of each bucket. */
  function chunksOfAll(): [from: number, to: number][][] {
    const all: [number, number][][] = Array.from({ length: MOST_BUCKETS }, () => []);
    for (let from = chunksAt; from < top(); from += CHUNK) {
      const bucket = bytes[kernel.ownersAt.value + from / CHUNK] ?? 0;
      const next = words[kernel.nextAt.value / 4 + bucket] ?? 0;
      const isLast = next > from && next <= from + CHUNK;
      all[bucket]?.push([from, isLast ? next : from + CHUNK]);
    }
    return all;
  }

  const top = () => words[topAt / 4] ?? 0;

  function reset() {
    words.fill(0, kernel.nextAt.value / 4, kernel.nextAt.value / 4 + MOST_BUCKETS);
    words[topAt / 4] = chunksAt;
    codes = 0;
    noted = 0;
  }
  reset();

  return {
    reset,

    add(grams) {
      if (grams.length > 0) {
        // Each bucket may need a new chunk.
        makeRoom(top() + CHUNK * MOST_BUCKETS + 4 * grams.length);
        words.set(grams, gramsAt / 4);
        kernel.scatter(gramsAt, gramsAt + 4 * grams.length, codes << LOW_BITS);
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
        // A distance takes at most 3 bytes. A list that turns out longer than the bitmap uses more for a moment.
        makeRoom(out + 3 * count + mostBytes + 8);
        const first = kernel.boundsAt.value / 4;
        words.fill(0, first, first + LOWS + 1);
        for (const [from, to] of chunks) kernel.count(from, to);
        for (let at = first; at < first + LOWS; at++) words[at + 1] = (words[at + 1] ?? 0) + (words[at] ?? 0);
        // `place` moves each bound from the first document of its gram to the end of its documents.
        for (const [from, to] of chunks) kernel.place(from, to, top());
        let at = out;
        for (let low = 0, begin = 0; low < LOWS; low++) {
          const end = words[first + low] ?? 0;
          if (end === begin) continue;
          const length = kernel.encode(top() + 4 * begin, top() + 4 * end, at, mostBytes);
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
