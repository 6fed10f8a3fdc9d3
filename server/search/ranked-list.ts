/** All functions in one order, kept sorted while functions are added and removed. */
import type { SearchSort } from '../../contract/states.ts';

/** What the orders compare. */
type Ranked = {
  function_id: string;
  score: number;
  /** None when absent. */
  stars?: number;
  runs?: number;
  deployed_ms?: number;
  slot: number;
};

type Compare = (a: Ranked, b: Ranked) => number;
const byScore: Compare = (a, b) => b.score - a.score || (a.function_id < b.function_id ? -1 : 1);
const COMPARE: Record<SearchSort, Compare> = {
  relevance: byScore,
  runs: (a, b) => (b.runs ?? 0) - (a.runs ?? 0) || byScore(a, b),
  stars: (a, b) => (b.stars ?? 0) - (a.stars ?? 0) || byScore(a, b),
  deployed: (a, b) => (b.deployed_ms ?? 0) - (a.deployed_ms ?? 0) || byScore(a, b),
};

/**
 * All functions, the best first, in a list that does not change until `release`; and by slot, the place of each in it,
 * until the next change.
 */
export type Ranking<T> = { readonly sorted: readonly T[]; readonly places: Int32Array };

/** Fewer changes than this are applied to the existing list; more build a new one. */
const FEW = 64;

/** Each function has a slot that does not change. Its place does, whenever a function before it is added or removed. */
export class RankedList<T extends Ranked> {
  readonly #compare: Compare;
  #sorted: T[] = [];
  #places = new Int32Array(0);
  /** By place, the slot. */
  #slots = new Int32Array(0);
  /** A search may still read the list: the next change makes a copy. */
  #isLent = false;

  constructor(sort: SearchSort) {
    this.#compare = COMPARE[sort];
  }

  get ranking(): Ranking<T> {
    this.#isLent = true;
    return { sorted: this.#sorted, places: this.#places };
  }

  /** No search reads the list any more, so the next change sorts it in place. Copying it takes ten times as long. */
  release(): void {
    this.#isLent = false;
  }

  /** Adds and removes functions. */
  apply(added: Iterable<T>, removed: readonly T[]): void {
    const late = [...added].sort(this.#compare);
    for (const { slot } of late) this.#places = withRoom(this.#places, slot);
    if (late.length + removed.length < FEW) this.#patch(late, removed);
    else this.#merge(late, removed);
  }

  /** Removes and inserts entries one by one, then updates the places after the first change. */
  #patch(late: readonly T[], removed: readonly T[]): void {
    const sorted = this.#isLent ? this.#sorted.slice() : this.#sorted;
    this.#isLent = false;
    let first = sorted.length;
    const gone = removed.map(({ slot }) => this.#places[slot] ?? 0).sort((a, b) => b - a);
    for (const place of gone) {
      sorted.splice(place, 1);
      this.#slots.copyWithin(place, place + 1);
      first = place;
    }
    this.#slots = withRoom(this.#slots, sorted.length + late.length);
    for (const entry of late) {
      const place = firstBehind(sorted, entry, this.#compare);
      this.#slots.copyWithin(place + 1, place, sorted.length);
      this.#slots[place] = entry.slot;
      sorted.splice(place, 0, entry);
      first = Math.min(first, place);
    }
    this.#sorted = sorted;
    this.#writePlaces(first);
  }

  /** Merges the changes into a new list in one pass. */
  #merge(late: readonly T[], removed: readonly T[]): void {
    const gone = new Uint8Array(this.#sorted.length);
    for (const { slot } of removed) gone[this.#places[slot] ?? 0] = 1;
    const sorted: T[] = [];
    let at = 0;
    for (let place = 0; place < this.#sorted.length; place++) {
      const entry = this.#sorted[place];
      if (!entry || gone[place] === 1) continue;
      for (let next = late[at]; next && this.#compare(next, entry) < 0; next = late[++at]) sorted.push(next);
      sorted.push(entry);
    }
    for (const entry of late.slice(at)) sorted.push(entry);
    this.#sorted = sorted;
    this.#slots = Int32Array.from(sorted, ({ slot }) => slot);
    this.#writePlaces(0);
  }

  #writePlaces(first: number): void {
    const slots = this.#slots;
    const places = this.#places;
    for (let place = first; place < this.#sorted.length; place++) places[slots[place] ?? 0] = place;
  }
}

/** The place of a function in a sorted list that may be older than other data; -1 when it is not in the list. */
export function placeIn<T extends Ranked>(sorted: readonly T[], entry: T, sort: SearchSort = 'relevance'): number {
  const place = firstBehind(sorted, entry, COMPARE[sort]);
  return sorted[place] === entry ? place : -1;
}

/** Sorts functions into one of the orders. */
export function inOrder<T extends Ranked>(entries: readonly T[], sort: SearchSort): T[] {
  return entries.toSorted(COMPARE[sort]);
}

const NONE = -1;

/** Grows the array so that it has this index; new elements are NONE. */
export function withRoom(numbers: Int32Array<ArrayBuffer>, at: number): Int32Array<ArrayBuffer> {
  if (at < numbers.length) return numbers;
  const wider = new Int32Array(Math.max(64, 2 * at)).fill(NONE, numbers.length);
  wider.set(numbers);
  return wider;
}

/** The first place whose entry does not sort before this one. */
function firstBehind<T extends Ranked>(sorted: readonly T[], entry: T, compare: Compare): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const each = sorted[middle];
    if (each && compare(each, entry) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
