/**
 * The lists of a segment while it is being made: for each gram, which codes have it. A gram is a trigram, or, where many
 * codes have that, the trigram and the character behind it: the parts of a rare word are common ones, and four characters
 * in a row tell far more than three. Which trigrams are common is learnt from the first codes.
 *
 * What each code has is noted as it comes (noting.ts), one code after the other, and put in order in the end, by buckets
 * that the processor's caches hold. Nothing in these loops allocates or calls.
 */
import { crc32 } from 'node:zlib';
import { createNoting, MOST_COMMON } from './noting.ts';
import { CODES, TRIGRAMS } from './trigrams.ts';

/** A trigram that more of the first codes than this have is common. */
const COMMON_SHARE = 0.25;
const FIRST = { codes: 1000, bytes: 8 * 1024 * 1024 };
/** Of notes that lie together; as many at least as a code may have. */
const PART = 1 << 20;
/** A bucket has the grams that differ in these bits. */
const LOW_BITS = 11;
const LOWS = 1 << LOW_BITS;
/** What is left of a word beside them. */
export const MOST_CODES = 1 << (32 - LOW_BITS);

/** Which grams there are, in order; their lists one after the other, where each begins (and the last ends), and its checksum. */
export type Listed = {
  common: Uint32Array;
  grams: Uint32Array;
  bytes: Uint8Array;
  ends: Uint32Array;
  sums: Uint32Array;
};
export type Lists = {
  /** The grams of the next code: of its bytes from `start` on, the last of which is a newline. */
  add(packed: Uint8Array, start: number): void;
  finish(): Listed;
};

export function createLists(): Lists {
  const noted = createNotes();
  let first: Uint8Array[] | undefined = [];
  let firstBytes = 0;

  /** The first codes go through twice: to learn from, and as all others. */
  function takeFirst(common: Uint32Array) {
    const held = first ?? [];
    first = undefined;
    noted.learn(common);
    for (const texts of held) noted.add(texts);
  }

  return {
    add(packed, start) {
      if (!first) return noted.add(packed.subarray(start));
      first.push(new Uint8Array(packed.subarray(start)));
      firstBytes += packed.length - start;
      if (first.length >= FIRST.codes || firstBytes >= FIRST.bytes) takeFirst(commonOf(first));
    },
    finish() {
      // Few codes are looked through soon enough without.
      if (first) takeFirst(new Uint32Array(0));
      return noted.finish();
    },
  };
}

/** The trigrams that many codes have, in order. */
function commonOf(codes: readonly Uint8Array[]): Uint32Array {
  const counting = createNotes();
  for (const texts of codes) counting.add(texts);
  const { grams, counts } = counting.counts();
  const ranks = Uint32Array.from(grams.keys()).filter((at) => (counts[at] as number) > codes.length * COMMON_SHARE);
  ranks.sort((a, b) => (counts[b] as number) - (counts[a] as number));
  return ranks
    .subarray(0, MOST_COMMON)
    .map((at) => grams[at] as number)
    .sort();
}

function createNotes() {
  const noting = createNoting();
  let gramCount = TRIGRAMS;
  let common: Uint32Array = new Uint32Array(0);
  /** The grams of all codes, each once for a code, in parts so that none of it moves; where those of a code begin and end. */
  const parts: Uint32Array[] = [];
  const begins: number[] = [];
  const ends: number[] = [];
  let count = 0;

  function note(grams: Uint32Array) {
    const end = ends.at(-1) ?? 0;
    const begin = (end % PART) + grams.length > PART || parts.length === 0 ? parts.length * PART : end;
    if (begin === parts.length * PART) parts.push(new Uint32Array(PART));
    parts.at(-1)?.set(grams, begin % PART);
    begins.push(begin);
    ends.push(begin + grams.length);
    count += grams.length;
  }

  function gramsOf(code: number): Uint32Array {
    const begin = begins[code] as number;
    const part = Math.floor(begin / PART);
    return (parts[part] as Uint32Array).subarray(begin - part * PART, (ends[code] as number) - part * PART);
  }

  /** By their upper bits, in the order of the codes: the lower bits of the gram, above them its code. */
  function inBuckets(): { sorted: Uint32Array; starts: Uint32Array } {
    const starts = new Uint32Array(Math.ceil(gramCount / LOWS) + 1);
    for (let code = 0; code < ends.length; code++) {
      const grams = gramsOf(code);
      for (let i = 0; i < grams.length; i++) (starts[((grams[i] as number) >>> LOW_BITS) + 1] as number) += 1;
    }
    for (let bucket = 1; bucket < starts.length; bucket++) (starts[bucket] as number) += starts[bucket - 1] as number;
    const next = starts.slice();
    const sorted = new Uint32Array(count);
    for (let code = 0; code < ends.length; code++) {
      const word = code << LOW_BITS;
      const grams = gramsOf(code);
      for (let i = 0; i < grams.length; i++) {
        const gram = grams[i] as number;
        const bucket = gram >>> LOW_BITS;
        const at = next[bucket] as number;
        next[bucket] = at + 1;
        sorted[at] = word | (gram & (LOWS - 1));
      }
    }
    return { sorted, starts };
  }

  return {
    learn(given: Uint32Array) {
      common = given;
      gramCount = TRIGRAMS + given.length * CODES;
      noting.learn(given);
    },

    add: (texts: Uint8Array) => note(noting.gramsOf(texts)),

    /** How many codes have each gram. */
    counts() {
      const all = new Uint32Array(gramCount);
      for (let code = 0; code < ends.length; code++) {
        const grams = gramsOf(code);
        for (let i = 0; i < grams.length; i++) (all[grams[i] as number] as number) += 1;
      }
      const grams = Uint32Array.from(all.keys()).filter((gram) => (all[gram] as number) > 0);
      return { grams, counts: grams.map((gram) => all[gram] as number) };
    },

    finish(): Listed {
      const { sorted, starts } = inBuckets();
      const writer = createWriter(ends.length, count);
      const bounds = new Uint32Array(LOWS + 1);
      let codes = new Uint32Array(0);
      for (let bucket = 0; bucket + 1 < starts.length; bucket++) {
        const from = starts[bucket] as number;
        const to = starts[bucket + 1] as number;
        if (from === to) continue;
        bounds.fill(0);
        for (let i = from; i < to; i++) (bounds[((sorted[i] as number) & (LOWS - 1)) + 1] as number) += 1;
        for (let low = 0; low < LOWS; low++) (bounds[low + 1] as number) += bounds[low] as number;
        if (codes.length < to - from) codes = new Uint32Array(2 * (to - from));
        // Each bound moves from where the codes of its gram begin to where they end.
        for (let i = from; i < to; i++) {
          const word = sorted[i] as number;
          const low = word & (LOWS - 1);
          const at = bounds[low] as number;
          bounds[low] = at + 1;
          codes[at] = word >>> LOW_BITS;
        }
        for (let low = 0, begin = 0; low < LOWS; low++) {
          const end = bounds[low] as number;
          if (end > begin) writer.put((bucket << LOW_BITS) | low, codes, begin, end);
          begin = end;
        }
      }
      return { common, ...writer.finish() };
    },
  };
}

/** How long a list is that has a bit for each code: as long as that are those that would be longer otherwise. */
export const bitsLength = (codes: number): number => (codes + 7) >>> 3;

/** Lists as bytes: the distances from one code to the next, seven bits to a byte; or a bit for each code. */
function createWriter(codeCount: number, noted: number) {
  const mostBytes = bitsLength(codeCount);
  let bytes = new Uint8Array(Math.max(noted + (noted >>> 2), 1024));
  let length = 0;
  const grams: number[] = [];
  const ends: number[] = [0];
  const sums: number[] = [];

  /** False when it grows too long. */
  function putDistances(codes: Uint32Array, from: number, to: number): boolean {
    const most = length + mostBytes;
    let last = -1;
    for (let i = from; i < to; i++) {
      const code = codes[i] as number;
      let distance = code - last;
      last = code;
      while (distance > 127) {
        bytes[length++] = (distance & 127) | 128;
        distance >>>= 7;
      }
      bytes[length++] = distance;
      if (length >= most) return false;
    }
    return true;
  }

  return {
    put(gram: number, codes: Uint32Array, from: number, to: number) {
      const begin = length;
      // What a list may take before it is found too long.
      if (length + mostBytes + 8 > bytes.length) {
        const larger = new Uint8Array(2 * bytes.length + mostBytes);
        larger.set(bytes.subarray(0, length));
        bytes = larger;
      }
      if (to - from >= mostBytes || !putDistances(codes, from, to)) {
        length = begin + mostBytes;
        bytes.fill(0, begin, length);
        for (let i = from; i < to; i++) {
          const code = codes[i] as number;
          (bytes[begin + (code >>> 3)] as number) |= 1 << (code & 7);
        }
      }
      grams.push(gram);
      ends.push(length);
      sums.push(crc32(bytes.subarray(begin, length)));
    },
    finish: () => ({
      grams: Uint32Array.from(grams),
      bytes: bytes.subarray(0, length),
      ends: Uint32Array.from(ends),
      sums: Uint32Array.from(sums),
    }),
  };
}
