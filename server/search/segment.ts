/**
 * A part of the index: the code of some versions and, for each trigram, which of them have it. Both lie in one file
 * without a name, so the disk has it back when the last one who holds it lets go, however that ends. What says where a
 * list begins lies in memory that all threads share.
 */
import { readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { Need } from './needs.ts';
import { trigramsOf } from './trigrams.ts';

/** What threads hand each other. `index` is made by segment-build.ts. */
export type SegmentView = {
  id: number;
  fd: number;
  /** How many codes there are, and how many trigrams. */
  codes: number;
  trigrams: number;
  /** Trigrams in order; where the list of each begins, and the last ends (an empty one: most codes have it); where each code begins, and the last ends; names of the codes; checksums of the lists, and of the codes. */
  index: SharedArrayBuffer;
  /** Of code, without the lists. */
  codeBytes: number;
  /** Of lists and of what says where they begin. */
  indexBytes: number;
};

/** What was read isn't what was written: the disk has lost it. */
export class DamagedSegment extends Error {
  override name = 'DamagedSegment';
  readonly segment: number;

  constructor(segment: number) {
    super('a segment of the index is damaged');
    this.segment = segment;
  }
}

/** Looking at a code costs as much as reading so many bytes of a list. */
const CODE_COST_BYTES = 2000;
const FEW = 16;

export class Segment {
  readonly view: SegmentView;
  /** The number of each code, by its place in this segment. */
  readonly numbers: Uint32Array;
  readonly #trigrams: Uint32Array;
  readonly #lists: Uint32Array;
  readonly #codes: Uint32Array;
  readonly #listSums: Uint32Array;
  readonly #codeSums: Uint32Array;

  constructor(view: SegmentView) {
    this.view = view;
    const { index, trigrams, codes } = view;
    this.#trigrams = new Uint32Array(index, 0, trigrams);
    this.#lists = new Uint32Array(index, trigrams * 4, trigrams + 1);
    this.#codes = new Uint32Array(index, (2 * trigrams + 1) * 4, codes + 1);
    this.numbers = numbersOf(view);
    this.#listSums = new Uint32Array(index, (2 * trigrams + 2 * codes + 2) * 4, trigrams);
    this.#codeSums = new Uint32Array(index, (3 * trigrams + 2 * codes + 2) * 4, codes);
  }

  /** The code at a place, packed; it stands until the next reading. */
  read(place: number): Uint8Array {
    const from = this.#codes[place] ?? 0;
    return this.#bytes(from, (this.#codes[place + 1] ?? from) - from, this.#codeSums[place]);
  }

  /** Places of the codes that may have what is needed, in order; null for all of them. */
  candidates(need: Need): Uint32Array | null {
    if (need === null) return null;
    if ('text' in need) return this.#withAll(trigramsOf(need.text, need.fold));
    if ('all' in need) {
      let found: Uint32Array | null = null;
      for (const each of need.all) {
        const places = this.candidates(each);
        if (places) found = found ? intersect(found, places) : places;
        if (found?.length === 0) break;
      }
      return found;
    }
    let found: Uint32Array = new Uint32Array(0);
    for (const each of need.any) {
      const places = this.candidates(each);
      if (!places) return null;
      found = unite(found, places);
    }
    return found;
  }

  #withAll(trigrams: number[]): Uint32Array | null {
    const lists: { from: number; length: number; sum: number | undefined }[] = [];
    for (const trigram of trigrams) {
      const at = this.#find(trigram);
      if (at < 0) return new Uint32Array(0);
      const from = this.#lists[at] ?? 0;
      const length = (this.#lists[at + 1] ?? from) - from;
      if (length > 0) lists.push({ from, length, sum: this.#listSums[at] });
    }
    // So many codes have each of them that there are no lists.
    if (lists.length === 0 && trigrams.length > 0) return this.numbers.map((_, place) => place);
    lists.sort((a, b) => a.length - b.length);
    let found: Uint32Array | null = null;
    for (const { from, length, sum } of lists) {
      if (found && (found.length <= FEW || length > found.length * CODE_COST_BYTES)) break;
      const places = this.#decode(from, length, sum);
      found = found ? intersect(found, places) : places;
    }
    return found;
  }

  #find(trigram: number): number {
    const keys = this.#trigrams;
    let low = 0;
    let high = keys.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const key = keys[middle] as number;
      if (key === trigram) return middle;
      if (key < trigram) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  /** A list holds the distances from one place to the next, seven bits to a byte. */
  #decode(from: number, length: number, sum: number | undefined): Uint32Array {
    const bytes = this.#bytes(this.view.codeBytes + from, length, sum);
    const places = new Uint32Array(length);
    let count = 0;
    let place = -1;
    for (let i = 0; i < length; ) {
      let byte = bytes[i++] as number;
      let distance = byte & 127;
      for (let shift = 7; byte > 127; shift += 7) {
        byte = bytes[i++] as number;
        distance |= (byte & 127) << shift;
      }
      place += distance;
      places[count++] = place;
    }
    return places.subarray(0, count);
  }

  #bytes(position: number, length: number, sum: number | undefined): Uint8Array {
    if (scratch.length < length) scratch = Buffer.allocUnsafeSlow(2 * length);
    let done = 0;
    while (done < length) {
      const read = readSync(this.view.fd, scratch, done, length - done, position + done);
      if (read === 0) throw new DamagedSegment(this.view.id);
      done += read;
    }
    const bytes = scratch.subarray(0, length);
    if (crc32(bytes) !== sum) throw new DamagedSegment(this.view.id);
    return bytes;
  }
}

/** What was read last, of all segments of a thread: a buffer for each reading would be most of a search’s work. */
let scratch = Buffer.allocUnsafeSlow(64 * 1024);

/** The numbers of its codes, by their places. */
export function numbersOf({ index, trigrams, codes }: SegmentView): Uint32Array {
  return new Uint32Array(index, (2 * trigrams + codes + 2) * 4, codes);
}

function intersect(left: Uint32Array, right: Uint32Array): Uint32Array {
  const found = new Uint32Array(Math.min(left.length, right.length));
  let count = 0;
  for (let i = 0, j = 0; i < left.length && j < right.length; ) {
    const a = left[i] as number;
    const b = right[j] as number;
    if (a === b) found[count++] = a;
    if (a <= b) i += 1;
    if (b <= a) j += 1;
  }
  return found.subarray(0, count);
}

function unite(left: Uint32Array, right: Uint32Array): Uint32Array {
  const found = new Uint32Array(left.length + right.length);
  let count = 0;
  for (let i = 0, j = 0; i < left.length || j < right.length; ) {
    const a = left[i] ?? Number.POSITIVE_INFINITY;
    const b = right[j] ?? Number.POSITIVE_INFINITY;
    found[count++] = Math.min(a, b);
    if (a <= b) i += 1;
    if (b <= a) j += 1;
  }
  return found.subarray(0, count);
}
