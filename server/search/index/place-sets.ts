/**
 * Sets of places, as numbers in order. All that one search makes on its way lie in one memory, which the next one takes
 * over: thousands of arrays that are soon free would have V8 look, again and again, through all that a thread knows.
 */
import { createBufferPool } from './buffer-pool.ts';

let words = new Uint32Array(64 * 1024);
let used = 0;

/** What was made before isn't looked at any more. */
export function forgetPlaces(): void {
  used = 0;
}

/** Room for this many numbers. */
export function roomForPlaces(length: number): Uint32Array {
  if (used + length > words.length) {
    // What was made before keeps its own memory.
    words = new Uint32Array(2 * (words.length + length));
    used = 0;
  }
  used += length;
  return words.subarray(used - length, used);
}

/** The first of them are all; what was last given room gives the rest back. */
function only(places: Uint32Array, count: number): Uint32Array {
  if (places.byteOffset + places.byteLength === 4 * used && places.buffer === words.buffer)
    used -= places.length - count;
  return places.subarray(0, count);
}

/** Of a list that says how far each place is behind the one before: seven bits to a byte, the lowest first. */
export function readDistances(bytes: Uint8Array): Uint32Array {
  const { length } = bytes;
  const places = roomForPlaces(length);
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
  return only(places, count);
}

/** Of a list that has a bit for each place. */
export function readBits(bytes: Uint8Array): Uint32Array {
  const places = roomForPlaces(8 * bytes.length);
  let count = 0;
  for (let i = 0; i < bytes.length; i++)
    for (let bits = bytes[i] as number; bits !== 0; bits &= bits - 1)
      places[count++] = 8 * i + 31 - Math.clz32(bits & -bits);
  return only(places, count);
}

/** Those of them that have their bit. */
export function withBits(found: Uint32Array, bytes: Uint8Array): Uint32Array {
  const places = roomForPlaces(found.length);
  let count = 0;
  for (let i = 0; i < found.length; i++) {
    const place = found[i] as number;
    places[count] = place;
    count += ((bytes[place >>> 3] as number) >>> (place & 7)) & 1;
  }
  return only(places, count);
}

export function intersect(left: Uint32Array, right: Uint32Array): Uint32Array {
  const places = roomForPlaces(Math.min(left.length, right.length));
  let count = 0;
  for (let i = 0, j = 0; i < left.length && j < right.length; ) {
    const a = left[i] as number;
    const b = right[j] as number;
    if (a === b) places[count++] = a;
    if (a <= b) i += 1;
    if (b <= a) j += 1;
  }
  return only(places, count);
}

const spare = createBufferPool<Uint8Array>((length) => new Uint8Array(length));

/** All that are in one of some sets, of this many places. Ends with `places` or `giveUp`. */
export class Union {
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
      const place = places[i] as number;
      this.#count += 1 - (marks[place] as number);
      marks[place] = 1;
    }
  }

  places(): Uint32Array {
    const marks = this.#marks;
    const places = roomForPlaces(this.#count);
    for (let place = 0, i = 0; place < this.#size; place++) if (marks[place] === 1) places[i++] = place;
    this.giveUp();
    return places;
  }

  giveUp(): void {
    spare.give(this.#marks.fill(0, 0, this.#size));
  }
}
