/** The functions that a searcher knows: their owners, their documents, and their ranking. */
import { type SearchSort, VISIBILITIES, type Visibility } from '../../contract/states.ts';
import { createBufferPool } from './index/buffer-pool.ts';
import { RankedList, type Ranking as RankedOf, withRoom } from './ranked-list.ts';

/**
 * A function. Its documents are known by number; `versions` are in ascending order, with the time when they were created
 * if it is known, in milliseconds since the epoch.
 */
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
  versions: [version: number, code: number, created_ms?: number][];
  /** For a PUBLIC function: the versions that other accounts cannot read. */
  hidden?: number[];
  score: number;
  /** None when absent. */
  stars?: number;
  /** Runs of the last day; none when absent. */
  runs?: number;
  /** When the live version was deployed, in milliseconds since the epoch. */
  deployed_ms?: number;
  /** The number of the function in this catalogue. */
  slot: number;
};

export type Ranking = RankedOf<Entry>;

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
  /** By order. The others are made when they are first used. */
  readonly #lists = new Map<SearchSort, RankedList<Entry>>([['relevance', new RankedList('relevance')]]);
  #free: number[] = [];
  #used = 0;
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

  /** All functions in this order. The first use of an order sorts all functions. */
  ranking(sort: SearchSort = 'relevance'): Ranking {
    this.settle();
    const known = this.#lists.get(sort);
    if (known) return known.ranking;
    const list = new RankedList<Entry>(sort);
    list.apply(this.#byId.values(), []);
    this.#lists.set(sort, list);
    return list.ranking;
  }

  /** No search reads the lists any more, so the next change sorts them in place. */
  releaseOrder(): void {
    for (const list of this.#lists.values()) list.release();
  }

  /** The functions in the order of relevance. */
  get sorted(): readonly Entry[] {
    return this.ranking().sorted;
  }

  /** Sorts the changes; reading an order does so too. */
  settle(): void {
    if (this.#late.size + this.#gone.length === 0) return;
    for (const list of this.#lists.values()) list.apply(this.#late, this.#gone);
    for (const { slot } of this.#gone) this.#free.push(slot);
    this.#late.clear();
    this.#gone = [];
  }

  /** The functions whose live version has this document. */
  serving(code: number): Entry[] {
    const { sorted, places } = this.ranking();
    const found: Entry[] = [];
    for (let at = this.#serving[code] ?? NONE; at !== NONE; at = this.#next[at] ?? NONE) {
      const entry = sorted[places[at] ?? NONE];
      if (entry) found.push(entry);
    }
    return found;
  }

  /**
   * By place in an order: 1 for a function whose live version has one of these documents; in history, any of its
   * versions. The caller returns the array with `releaseMarks`.
   */
  withCodes(codes: Uint32Array, isHistory: boolean, sort?: SearchSort): Uint8Array {
    const { sorted, places } = this.ranking(sort);
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
