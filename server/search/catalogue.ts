/** The functions that a searcher knows: their owners, their documents, and their ranking. */
import { VISIBILITIES, type Visibility } from '../../contract/states.ts';
import { createBufferPool } from './index/buffer-pool.ts';

/** A function. Its documents are known by number; `versions` are in ascending order. */
export type Entry = {
  function_id: string;
  account_id: string;
  name: string;
  description: string;
  runtime: string;
  visibility: Visibility;
  /** The live version, and its document. */
  version: number;
  code: number;
  versions: [version: number, code: number][];
  /** For a PUBLIC function: the versions that other accounts cannot read. */
  hidden?: number[];
  score: number;
  /** Runs of the last day; none when absent. */
  runs?: number;
  /** When the live version was deployed, in milliseconds since the epoch. */
  deployed_ms?: number;
  /** The number of the function in this catalogue. */
  slot: number;
};

/**
 * All functions, the best first, in a list that does not change until `releaseOrder`; and by slot, the place of each in it,
 * until the next change.
 */
export type Ranking = { readonly sorted: readonly Entry[]; readonly places: Int32Array };

export type Scope = {
  account_id: string;
  owner: 'SELF' | 'ALL';
  visibility?: Visibility | undefined;
  /** Only functions of these accounts. */
  accounts?: string[] | undefined;
  /** Only this function. */
  function_id?: string | undefined;
};

/** An index that is kept up to date with the functions. */
type Names = { add(entry: Entry): void; remove(entry: Entry): void };

const NONE = -1;
/** The place of a new function until the next sort. */
const NEW = -1;
/** Fewer changes than this are applied to the existing list; more build a new one. */
const FEW = 64;

/**
 * Changes are recorded when they arrive, and sorted when a search needs the order: many changes cost little more than
 * one, and one costs little in a large catalogue. Each function has a slot that does not change, which identifies it in
 * the arrays. Its place does change whenever a function before it is added or removed.
 */
export class Catalogue {
  readonly #byId = new Map<string, Entry>();
  /** By document: the functions that have it in a version that is not live. */
  readonly #older = new Map<number, Entry[]>();
  #names: Names | undefined;
  /** One string for equal ones: account ids and runtimes repeat. */
  readonly #texts = new Map<string, string>(VISIBILITIES.map((each) => [each, each]));
  #sorted: Entry[] = [];
  #places = new Int32Array(0);
  /** By place, the slot. */
  #slots = new Int32Array(0);
  #free: number[] = [];
  #used = 0;
  /** A search may still read the list: the next change makes a copy. */
  #isLent = false;
  #late = new Set<Entry>();
  #gone: Entry[] = [];
  /** Linked lists: by document, the slot of the first function that serves it; by slot, the next such function. */
  #serving = new Int32Array(0);
  #next = new Int32Array(0);
  readonly #marks = createBufferPool<Uint8Array>((length) => new Uint8Array(length));

  /** Adds all functions to an index, and keeps it up to date from now on. */
  indexNames(names: Names): void {
    this.#names = names;
    for (const entry of this.#byId.values()) names.add(entry);
  }

  change(entries: readonly Entry[], removed: readonly string[]): void {
    for (const function_id of removed) this.#remove(function_id);
    for (const { function_id } of entries) this.#remove(function_id);
    for (const entry of entries) {
      this.#share(entry);
      entry.slot = this.#free.pop() ?? this.#used++;
      this.#places = withRoom(this.#places, entry.slot);
      this.#places[entry.slot] = NEW;
      this.#byId.set(entry.function_id, entry);
      this.#names?.add(entry);
      this.#late.add(entry);
      this.#serve(entry);
      for (const code of olderCodesOf(entry)) {
        const known = this.#older.get(code);
        if (known) known.push(entry);
        else this.#older.set(code, [entry]);
      }
    }
  }

  /**
   * Replaces strings that repeat by one shared string: this saves memory, and comparisons of equal strings are faster.
   */
  #share(entry: Entry): void {
    entry.account_id = this.#shared(entry.account_id);
    entry.runtime = this.#shared(entry.runtime);
    entry.visibility = VISIBILITIES.find((each) => each === entry.visibility) ?? entry.visibility;
  }

  #shared(text: string): string {
    const known = this.#texts.get(text);
    if (known === undefined) this.#texts.set(text, text);
    return known ?? text;
  }

  #remove(function_id: string): void {
    const entry = this.#byId.get(function_id);
    if (!entry) return;
    this.#byId.delete(function_id);
    // A function without a place frees its slot at once; any other slot stays in use until the next sort.
    if (this.#late.delete(entry)) this.#free.push(entry.slot);
    else this.#gone.push(entry);
    this.#names?.remove(entry);
    this.#unserve(entry);
    for (const code of olderCodesOf(entry)) {
      const others = this.#older.get(code)?.filter((each) => each !== entry) ?? [];
      if (others.length > 0) this.#older.set(code, others);
      else this.#older.delete(code);
    }
  }

  #serve({ code, slot }: Entry): void {
    if (code < 0) return;
    this.#serving = withRoom(this.#serving, code);
    this.#next = withRoom(this.#next, slot);
    this.#next[slot] = this.#serving[code] ?? NONE;
    this.#serving[code] = slot;
  }

  #unserve({ code, slot }: Entry): void {
    if (code < 0) return;
    const next = this.#next[slot] ?? NONE;
    let at = this.#serving[code] ?? NONE;
    if (at === slot) this.#serving[code] = next;
    else {
      while (this.#next[at] !== slot) at = this.#next[at] ?? NONE;
      this.#next[at] = next;
    }
  }

  find(function_id: string): Entry | undefined {
    return this.#byId.get(function_id);
  }

  get order(): Ranking {
    this.settle();
    this.#isLent = true;
    return { sorted: this.#sorted, places: this.#places };
  }

  /** No search reads the list any more, so the next change sorts it in place. Copying it takes ten times as long. */
  releaseOrder(): void {
    this.#isLent = false;
  }

  /** The functions in order. */
  get sorted(): readonly Entry[] {
    return this.order.sorted;
  }

  /** Sorts the changes; reading the order does so too. */
  settle(): void {
    const late = [...this.#late].sort(compare);
    if (late.length + this.#gone.length === 0) return;
    if (late.length + this.#gone.length < FEW) this.#patch(late);
    else this.#merge(late);
    for (const { slot } of this.#gone) this.#free.push(slot);
    this.#late.clear();
    this.#gone = [];
  }

  /** Removes and inserts entries one by one, then updates the places after the first change. */
  #patch(late: readonly Entry[]): void {
    const sorted = this.#isLent ? this.#sorted.slice() : this.#sorted;
    this.#isLent = false;
    let first = sorted.length;
    const gone = this.#gone.map(({ slot }) => this.#places[slot] ?? 0).sort((a, b) => b - a);
    for (const place of gone) {
      sorted.splice(place, 1);
      this.#slots.copyWithin(place, place + 1);
      first = place;
    }
    this.#slots = withRoom(this.#slots, sorted.length + late.length);
    for (const entry of late) {
      const place = firstBehind(sorted, entry);
      this.#slots.copyWithin(place + 1, place, sorted.length);
      this.#slots[place] = entry.slot;
      sorted.splice(place, 0, entry);
      first = Math.min(first, place);
    }
    this.#sorted = sorted;
    this.#sendPlaces(first);
  }

  /** Merges the changes into a new list in one pass. */
  #merge(late: readonly Entry[]): void {
    const gone = new Uint8Array(this.#sorted.length);
    for (const { slot } of this.#gone) gone[this.#places[slot] ?? 0] = 1;
    const sorted: Entry[] = [];
    let at = 0;
    for (let place = 0; place < this.#sorted.length; place++) {
      const entry = this.#sorted[place];
      if (!entry || gone[place] === 1) continue;
      for (let next = late[at]; next && compare(next, entry) < 0; next = late[++at]) sorted.push(next);
      sorted.push(entry);
    }
    for (const entry of late.slice(at)) sorted.push(entry);
    this.#sorted = sorted;
    this.#slots = Int32Array.from(sorted, ({ slot }) => slot);
    this.#sendPlaces(0);
  }

  #sendPlaces(first: number): void {
    const slots = this.#slots;
    const places = this.#places;
    for (let place = first; place < this.#sorted.length; place++) places[slots[place] ?? 0] = place;
  }

  /**
   * By place: 1 for a function whose live version has one of these documents; in history, any of its versions. The
   * caller returns the array with `releaseMarks`.
   */
  withCodes(codes: Uint32Array, isHistory: boolean): Uint8Array {
    const { sorted, places } = this.order;
    const marked = this.#marks.take(sorted.length);
    const serving = this.#serving;
    const next = this.#next;
    for (let i = 0; i < codes.length; i++) {
      const code = codes[i] ?? 0;
      for (let at = serving[code] ?? NONE; at !== NONE; at = next[at] ?? NONE) marked[places[at] ?? 0] = 1;
      if (isHistory) for (const { slot } of this.#older.get(code) ?? []) marked[places[slot] ?? 0] = 1;
    }
    return marked;
  }

  /** Returns the array of `withCodes` to the pool. */
  releaseMarks(marked: Uint8Array): void {
    this.#marks.give(marked.fill(0));
  }
}

/** Grows the array so that it has this index; new elements are NONE. */
function withRoom(numbers: Int32Array<ArrayBuffer>, at: number): Int32Array<ArrayBuffer> {
  if (at < numbers.length) return numbers;
  const wider = new Int32Array(Math.max(64, 2 * at)).fill(NONE, numbers.length);
  wider.set(numbers);
  return wider;
}

/** The first place whose entry does not sort before this one. */
function firstBehind(sorted: readonly Entry[], entry: Entry): number {
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

export function isWithin(entry: Entry, { account_id, owner, visibility, accounts, function_id }: Scope): boolean {
  if (owner === 'ALL' ? entry.visibility !== 'PUBLIC' : entry.account_id !== account_id) return false;
  if (accounts && !accounts.includes(entry.account_id)) return false;
  if (function_id !== undefined && entry.function_id !== function_id) return false;
  return visibility === undefined || entry.visibility === visibility;
}

/** The versions of a function that an account may read. */
export function versionsFor(entry: Entry, account_id: string): Entry['versions'] {
  if (!entry.hidden || entry.account_id === account_id) return entry.versions;
  const hidden = new Set(entry.hidden);
  return entry.versions.filter(([version]) => !hidden.has(version));
}

/** The documents of versions that are not live, each once. */
function olderCodesOf({ versions, code }: Entry): Iterable<number> {
  if (versions.length < 2) return [];
  return new Set(versions.flatMap(([, each]) => (each === code ? [] : [each])));
}

const compare = (a: Entry, b: Entry) => b.score - a.score || (a.function_id < b.function_id ? -1 : 1);
