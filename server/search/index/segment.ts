/**
 * A part of the index: documents and, for each gram (posting-lists.ts), the list of those that have it. Both are in one
 * file that never changes (segment-file.ts); an open file stays readable after its name is removed. The offsets of the
 * lists are in memory that all threads share. A search asks for the places of the documents that may match: it
 * intersects and unites the posting lists of the grams.
 */
import { readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { reserveCode, type Text } from '../kernels/byte-finder.ts';
import type { Need } from '../query/needs.ts';
import { createBufferPool } from './buffer-pool.ts';
import { CODES, eachTrigramOf, TRIGRAMS } from './grams.ts';
import { compareLikeness, type Likeness } from './packed-code.ts';
import { bitsLength } from './posting-lists.ts';

/** A segment as sent between threads. segment-file.ts creates `index`. */
export type SegmentView = {
  id: number;
  fd: number;
  /** The name of the file, which the next process opens. */
  fileName: string;
  /** The numbers of documents, grams and common trigrams. */
  codes: number;
  grams: number;
  common: number;
  /** The offsets and checksums as 32-bit words, see `partsOf`. */
  index: SharedArrayBuffer;
  /** The size of the documents, without the lists. */
  codeBytes: number;
  /** The size of the lists and the words. */
  indexBytes: number;
  /** The offset of the document hashes in the file, and their checksum. */
  namesAt: number;
  namesSum: number;
};

/** The file does not contain what was written to it. */
export class DamagedSegment extends Error {
  override name = 'DamagedSegment';
  readonly segment: number;

  constructor(segment: number) {
    super('a segment of the index is damaged');
    this.segment = segment;
  }
}

/** Scanning a document costs as much as reading this many bytes of a list. */
const CODE_COST_BYTES = 2000;
/** With this few candidates left, a list that excludes none suggests that the other lists exclude hardly any. */
const FEW = 16;
/** A list that leaves more than this share of many documents is not worth reading. */
const IDLE_SHARE = 0.9;
const MANY = 500;

/**
 * The words of a segment: common trigrams and grams, in ascending order; for each gram the bounds and the checksum of
 * its list; for each document its bounds, its checksum and its likeness; the places of the documents in the order of their
 * likeness; and for each document its number.
 */
export function partsOf({ index, codes, grams, common }: SegmentView) {
  let at = 0;
  const next = (length: number) => {
    at += 4 * length;
    return new Uint32Array(index, at - 4 * length, length);
  };
  return {
    common: next(common),
    grams: next(grams),
    lists: next(grams + 1),
    listSums: next(grams),
    codes: next(codes + 1),
    codeSums: next(codes),
    likeness: next(2 * codes),
    alike: next(codes),
    numbers: next(codes),
  };
}

/** A part of the file after the documents. */
type List = { from: number; length: number; sum: number | undefined };

/** Where parts of a file are read that only the system shall keep. */
const part = new Uint8Array(1024 * 1024);

export class Segment {
  readonly view: SegmentView;
  /** The number of each document, by its place in this segment. */
  readonly numbers: Uint32Array;
  readonly #parts: ReturnType<typeof partsOf>;
  /** A bit for each document whose checksum this thread has compared; comparing takes a fifth of the time of a read. */
  readonly #compared: Uint8Array;

  constructor(view: SegmentView) {
    this.view = view;
    this.#parts = partsOf(view);
    this.numbers = this.#parts.numbers;
    this.#compared = new Uint8Array((view.codes + 7) >> 3);
  }

  /** Returns the packed document at a place; valid until the next read. Its checksum is compared once by a thread. */
  read(place: number): Uint8Array {
    const { codes, codeSums } = this.#parts;
    const from = codes[place] ?? 0;
    const length = (codes[place + 1] ?? from) - from;
    const compared = this.#compared[place >> 3] ?? 0;
    const bit = 1 << (place & 7);
    if (compared & bit) return this.#bytes(from, length);
    const bytes = this.#comparedBytes(from, length, codeSums[place]);
    this.#compared[place >> 3] = compared | bit;
    return bytes;
  }

  /**
   * Reads the lists of its file once, up to `most` bytes, part by part, so that the system has them in memory; after each
   * part, yields how many bytes it has read.
   */
  *preload(most: number): Generator<number> {
    const { codeBytes, indexBytes, fd } = this.view;
    const end = codeBytes + Math.min(indexBytes - this.view.index.byteLength, most);
    for (let from = codeBytes; from < end; from += part.length) {
      readSync(fd, part, 0, Math.min(part.length, end - from), from);
      yield Math.min(part.length, end - from);
    }
  }

  likeness(place: number): Likeness {
    const { likeness } = this.#parts;
    return [likeness[2 * place] ?? 0, likeness[2 * place + 1] ?? 0];
  }

  /** The numbers of the documents with this likeness. */
  alike(sought: Likeness): number[] {
    const { alike } = this.#parts;
    const compare = (at: number) => compareLikeness(this.likeness(alike[at] ?? 0), sought);
    let low = 0;
    let high = alike.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare(middle) < 0) low = middle + 1;
      else high = middle;
    }
    const found: number[] = [];
    for (let at = low; at < alike.length && compare(at) === 0; at++) found.push(this.numbers[alike[at] ?? 0] ?? 0);
    return found;
  }

  /**
   * Returns the places of the documents that may match, in ascending order; null for all of them. A part of the query
   * that excludes hardly any document is added to `idle`, and ignored in the segments queried after this one.
   */
  candidates(need: Need, idle = new Set<Need>()): Uint32Array | null {
    if (need === null || idle.has(need)) return null;
    if ('text' in need) return this.#withText(need);
    if ('all' in need) {
      let found: Uint32Array | null = null;
      for (const each of need.all) {
        const places = this.candidates(each, idle);
        const before = found?.length ?? this.view.codes;
        if (places) found = found ? intersect(found, places) : places;
        if (isIdle(found?.length ?? before, before)) idle.add(each);
        if (found?.length === 0) break;
      }
      return found;
    }
    const [only, more] = need.any;
    if (only !== undefined && more === undefined) return this.candidates(only, idle);
    const found = new Union(this.view.codes);
    for (const each of need.any) {
      const places = this.candidates(each, idle);
      if (places) found.add(places);
      if (!places || isIdle(found.count, this.view.codes)) {
        found.giveUp();
        return null;
      }
    }
    return found.places();
  }

  #withText({ text, fold }: Text): Uint32Array | null {
    const { common, grams, lists: starts, listSums } = this.#parts;
    const sought = new Set<number>();
    let isKnown = false;
    eachTrigramOf(text, fold, (trigram, follower) => {
      isKnown = true;
      const rank = placeIn(common, trigram);
      if (rank < 0) sought.add(trigram);
      else if (follower !== undefined) sought.add(TRIGRAMS + rank * CODES + follower);
    });
    if (!isKnown) return null;
    const lists: List[] = [];
    for (const gram of sought) {
      const at = placeIn(grams, gram);
      if (at < 0) return allocatePlaces(0);
      const from = starts[at] ?? 0;
      lists.push({ from, length: (starts[at + 1] ?? from) - from, sum: listSums[at] });
    }
    // The only trigram of the text is common, and at its end.
    if (lists.length === 0) return null;
    lists.sort((a, b) => a.length - b.length);
    let found: Uint32Array | undefined;
    let before = 0;
    for (const list of lists) {
      const isSelective = found && found.length <= FEW && found.length === before;
      if (found && (isSelective || list.length > found.length * CODE_COST_BYTES)) break;
      before = found?.length ?? 0;
      found = this.#narrow(found, list);
    }
    return found ?? null;
  }

  /** Returns the places in a list; of those found so far, if given. */
  #narrow(found: Uint32Array | undefined, { from, length, sum }: List): Uint32Array {
    const bytes = this.#comparedBytes(this.view.codeBytes + from, length, sum);
    if (length < bitsLength(this.view.codes)) {
      const places = readDistances(bytes);
      return found ? intersect(found, places) : places;
    }
    return found ? withBits(found, bytes) : readBits(bytes);
  }

  #comparedBytes(position: number, length: number, sum: number | undefined): Uint8Array {
    const bytes = this.#bytes(position, length);
    if (crc32(bytes) !== sum) throw new DamagedSegment(this.view.id);
    return bytes;
  }

  #bytes(position: number, length: number): Uint8Array {
    // One buffer for all reads: allocating one for each would dominate the cost of a search.
    const bytes = reserveCode(length);
    let done = 0;
    while (done < length) {
      const read = readSync(this.view.fd, bytes, done, length - done, position + done);
      if (read === 0) throw new DamagedSegment(this.view.id);
      done += read;
    }
    return bytes;
  }
}

const isIdle = (found: number, before: number) => before > MANY && found > IDLE_SHARE * before;

/** The numbers of its documents, by place. */
export const numbersOf = (view: SegmentView): Uint32Array => partsOf(view).numbers;

/** The index of a value in sorted words; -1 when missing. */
function placeIn(words: Uint32Array, sought: number): number {
  let low = 0;
  let high = words.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const word = words[middle] ?? 0;
    if (word === sought) return middle;
    if (word < sought) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/**
 * Sets of places, as ascending numbers. All sets of one search use one memory, which the next search reuses: thousands
 * of short-lived arrays would make V8 collect garbage over the whole heap, again and again.
 */
let words = new Uint32Array(64 * 1024);
let used = 0;

/** Frees all sets: the previous search does not use them any more. */
export function freePlaces(): void {
  used = 0;
}

/** Allocates a set of this length. */
export function allocatePlaces(length: number): Uint32Array {
  if (used + length > words.length) {
    // Existing sets keep the old memory.
    words = new Uint32Array(2 * (words.length + length));
    used = 0;
  }
  used += length;
  return words.subarray(used - length, used);
}

/** Shortens a set to `count`. The last allocated set returns the rest to the memory. */
function only(places: Uint32Array, count: number): Uint32Array {
  if (places.byteOffset + places.byteLength === 4 * used && places.buffer === words.buffer)
    used -= places.length - count;
  return places.subarray(0, count);
}

/** Decodes a list of distances between places: seven bits per byte, the lowest first. */
function readDistances(bytes: Uint8Array): Uint32Array {
  const { length } = bytes;
  const places = allocatePlaces(length);
  let count = 0;
  let place = -1;
  for (let i = 0; i < length; ) {
    let byte = bytes[i++] ?? 0;
    let distance = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[i++] ?? 0;
      distance |= (byte & 127) << shift;
    }
    place += distance;
    places[count++] = place;
  }
  return only(places, count);
}

/** Decodes a bitmap of places. */
function readBits(bytes: Uint8Array): Uint32Array {
  const places = allocatePlaces(8 * bytes.length);
  let count = 0;
  for (let i = 0; i < bytes.length; i++)
    for (let bits = bytes[i] ?? 0; bits !== 0; bits &= bits - 1)
      places[count++] = 8 * i + 31 - Math.clz32(bits & -bits);
  return only(places, count);
}

/** The places whose bit is set. */
function withBits(found: Uint32Array, bytes: Uint8Array): Uint32Array {
  const places = allocatePlaces(found.length);
  let count = 0;
  for (let i = 0; i < found.length; i++) {
    const place = found[i] ?? 0;
    places[count] = place;
    count += ((bytes[place >>> 3] ?? 0) >>> (place & 7)) & 1;
  }
  return only(places, count);
}

function intersect(left: Uint32Array, right: Uint32Array): Uint32Array {
  const places = allocatePlaces(Math.min(left.length, right.length));
  let count = 0;
  for (let i = 0, j = 0; i < left.length && j < right.length; ) {
    const a = left[i] ?? 0;
    const b = right[j] ?? 0;
    if (a === b) places[count++] = a;
    if (a <= b) i += 1;
    if (b <= a) j += 1;
  }
  return only(places, count);
}

const spare = createBufferPool<Uint8Array>((length) => new Uint8Array(length));

/** The union of sets of places below `size`. Each use ends with `places` or `giveUp`. */
class Union {
  readonly #size: number;
  readonly #marks: Uint8Array;
  #count = 0;

  constructor(size: number) {
    this.#size = size;
    this.#marks = spare.take(size);
  }

  get count(): number {
    return this.#count;
  }

  add(places: Uint32Array): void {
    const marks = this.#marks;
    for (let i = 0; i < places.length; i++) {
      const place = places[i] ?? 0;
      this.#count += 1 - (marks[place] ?? 0);
      marks[place] = 1;
    }
  }

  places(): Uint32Array {
    const marks = this.#marks;
    const places = allocatePlaces(this.#count);
    for (let place = 0, i = 0; place < this.#size; place++) if (marks[place] === 1) places[i++] = place;
    this.giveUp();
    return places;
  }

  giveUp(): void {
    spare.give(this.#marks.fill(0, 0, this.#size));
  }
}
