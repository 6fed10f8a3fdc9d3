/** All functions in one order, kept sorted while functions are added and removed. */
import type { SearchSort } from '../../contract/states.ts';
import type { FunctionRows } from './table/function-rows.ts';
import type { Columns } from './table/layout.ts';

type Compare = (slot: number, other: number) => number;

/** What an order compares first, the most first. Equal functions follow by score, then by id. */
const FIRST = { relevance: 'score', runs: 'runs', stars: 'stars', deployed: 'deployed' } as const;
type Numbers = (typeof FIRST)[SearchSort];

/**
 * The slots of all functions, the best first, in a list that does not change until `release`; and by slot, the place of
 * each in it, until the next change: -1 for a slot that is not in it.
 */
export type Ranking = { readonly sorted: Int32Array; readonly places: Int32Array };

/** Fewer changes than this are applied to the existing list; more build a new one. */
const FEW = 64;
const NONE = -1;

/** The place of a function does change whenever a function before it is added or removed. */
export class RankedList {
  readonly #rows: FunctionRows;
  readonly #sort: SearchSort;
  readonly #compare: Compare;
  /** Its first `#count` elements are in use. */
  #slots = new Int32Array(0);
  #sorted: Int32Array = this.#slots;
  #places = new Int32Array(0);
  /** A search may still read the list: the next change makes a copy. */
  #isLent = false;

  constructor(rows: FunctionRows, sort: SearchSort) {
    this.#rows = rows;
    this.#sort = sort;
    this.#compare = comparing(rows, sort);
  }

  get ranking(): Ranking {
    this.#isLent = true;
    return { sorted: this.#sorted, places: this.#places };
  }

  /** Whether a function is in the list. */
  has(slot: number): boolean {
    return (this.#places[slot] ?? NONE) !== NONE;
  }

  /** No search reads the list any more, so the next change sorts it in place. Copying it takes ten times as long. */
  release(): void {
    this.#isLent = false;
  }

  /** Begins with all functions, which are in the order of relevance. */
  fill(byRelevance: Int32Array): void {
    this.#merge(this.#sort === 'relevance' ? byRelevance : mostFirst(this.#rows, byRelevance, FIRST[this.#sort]), []);
  }

  /** Adds and removes functions. */
  apply(added: readonly number[] | Int32Array, removed: readonly number[]): void {
    const late = inOrder(this.#rows, added, this.#sort);
    if (late.length + removed.length < FEW) this.#patch(late, removed);
    else this.#merge(late, removed);
  }

  /** Removes and inserts functions one by one, then updates the places after the first change. */
  #patch(late: Int32Array, removed: readonly number[]): void {
    this.#makeRoom(late);
    let count = this.#sorted.length;
    if (this.#isLent || this.#slots.length < count + late.length) {
      const wider = new Int32Array(count + late.length + SPARE);
      wider.set(this.#sorted);
      this.#slots = wider;
      this.#isLent = false;
    }
    const slots = this.#slots;
    let first = count;
    const gone = removed.map((slot) => this.#places[slot] ?? 0).sort((a, b) => b - a);
    for (const slot of removed) this.#places[slot] = NONE;
    for (const place of gone) {
      slots.copyWithin(place, place + 1, count);
      count -= 1;
      first = place;
    }
    for (const slot of late) {
      const place = firstBehind(slots.subarray(0, count), slot, this.#compare);
      slots.copyWithin(place + 1, place, count);
      slots[place] = slot;
      count += 1;
      first = Math.min(first, place);
    }
    this.#sorted = slots.subarray(0, count);
    this.#writePlaces(first);
  }

  /** Merges the changes into a new list in one pass. */
  #merge(late: Int32Array, removed: readonly number[]): void {
    this.#makeRoom(late);
    for (const slot of removed) this.#places[slot] = NONE;
    const before = this.#sorted;
    const slots = new Int32Array(before.length - removed.length + late.length + SPARE);
    let count = 0;
    let at = 0;
    for (let place = 0; place < before.length; place++) {
      const slot = before[place] ?? 0;
      if (this.#places[slot] === NONE) continue;
      while (at < late.length && this.#compare(late[at] ?? 0, slot) < 0) slots[count++] = late[at++] ?? 0;
      slots[count++] = slot;
    }
    while (at < late.length) slots[count++] = late[at++] ?? 0;
    this.#slots = slots;
    this.#sorted = slots.subarray(0, count);
    this.#isLent = false;
    this.#writePlaces(0);
  }

  #makeRoom(late: Int32Array): void {
    let most = NONE;
    for (const slot of late) if (slot > most) most = slot;
    this.#places = withRoom(this.#places, most);
  }

  #writePlaces(first: number): void {
    const sorted = this.#sorted;
    const places = this.#places;
    for (let place = first; place < sorted.length; place++) places[sorted[place] ?? 0] = place;
  }
}

/** Room for functions that are added later. */
const SPARE = 1024;

/** The place of a function in a sorted list that may be older than other data; -1 when it is not in the list. */
export function placeIn(rows: FunctionRows, sorted: Int32Array, slot: number, sort: SearchSort = 'relevance'): number {
  const place = firstBehind(sorted, slot, comparing(rows, sort));
  return sorted[place] === slot ? place : NONE;
}

/** Sorts functions into one of the orders. */
export function inOrder(rows: FunctionRows, slots: readonly number[] | Int32Array, sort: SearchSort): Int32Array {
  if (slots.length < FEW) return Int32Array.from(slots).sort(comparing(rows, sort));
  const byScore = mostFirst(rows, Int32Array.from(slots), 'score');
  sortEqual(byScore, rows);
  return sort === 'relevance' ? byScore : mostFirst(rows, byScore, FIRST[sort]);
}

function comparing(rows: FunctionRows, sort: SearchSort): Compare {
  const byScore: Compare = (slot, other) =>
    rows.number(other, 'score') - rows.number(slot, 'score') || rows.compareIds(slot, other);
  if (sort === 'relevance') return byScore;
  const column: Numbers & keyof Columns = FIRST[sort];
  return (slot, other) => rows.number(other, column) - rows.number(slot, column) || byScore(slot, other);
}

/**
 * Sorts slots by a number, the most first, and keeps the order of equal ones. A million take a tenth of a second: 64-bit
 * integers are sorted without calls of JavaScript. One has half the bits of a number and the position of its slot; so
 * it takes two passes, or one when half of the bits are alike.
 */
function mostFirst(rows: FunctionRows, slots: Int32Array, column: Numbers): Int32Array<ArrayBuffer> {
  const count = slots.length;
  const values = new Float64Array(count);
  for (let at = 0; at < count; at++) values[at] = rows.number(slots[at] ?? 0, column) + 0;
  const halves = new Uint32Array(values.buffer);
  for (let at = 0; at < halves.length; at += 2) {
    const [low = 0, high = 0] = [halves[at], halves[at + 1]];
    // As unsigned integers, the bits of a larger number are to be less.
    if (high >>> 31 === 1) continue;
    halves[at] = ~low;
    halves[at + 1] = ~high & 0x7fffffff;
  }
  const keys = new BigUint64Array(count);
  const words = new Uint32Array(keys.buffer);
  let order = new Uint32Array(count);
  for (let at = 0; at < count; at++) order[at] = at;
  for (const half of [0, 1]) {
    let isAlike = true;
    for (let at = 0; at < count; at++) {
      const bits = halves[2 * (order[at] ?? 0) + half] ?? 0;
      words[2 * at] = at;
      words[2 * at + 1] = bits;
      isAlike &&= bits === halves[half];
    }
    if (isAlike) continue;
    keys.sort();
    const sorted = new Uint32Array(count);
    for (let at = 0; at < count; at++) sorted[at] = order[words[2 * at] ?? 0] ?? 0;
    order = sorted;
  }
  const sorted = new Int32Array(count);
  for (let at = 0; at < count; at++) sorted[at] = slots[order[at] ?? 0] ?? 0;
  return sorted;
}

/** Sorts functions of the same score by id. */
function sortEqual(sorted: Int32Array, rows: FunctionRows): void {
  for (let from = 0; from < sorted.length; ) {
    const score = rows.number(sorted[from] ?? 0, 'score');
    let to = from + 1;
    while (to < sorted.length && rows.number(sorted[to] ?? 0, 'score') === score) to += 1;
    if (to - from > 1) sorted.subarray(from, to).sort((slot, other) => rows.compareIds(slot, other));
    from = to;
  }
}

/** Grows the array so that it has this index; new elements are NONE. */
function withRoom(numbers: Int32Array<ArrayBuffer>, at: number): Int32Array<ArrayBuffer> {
  if (at < numbers.length) return numbers;
  const wider = new Int32Array(Math.max(64, at + 1 + (at >> 2))).fill(NONE, numbers.length);
  wider.set(numbers);
  return wider;
}

/** The first place whose function does not sort before this one. */
function firstBehind(sorted: Int32Array, slot: number, compare: Compare): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(sorted[middle] ?? 0, slot) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
