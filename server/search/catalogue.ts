/** The functions that a search thread knows: which of those in shared memory, and their order. */
import type { SearchSort } from '../../contract/states.ts';
import { createBufferPool } from './index/buffer-pool.ts';
import { RankedList, type Ranking } from './ranked-list.ts';
import type { Entry } from './table/entry.ts';
import { type FunctionRow, FunctionRows } from './table/function-rows.ts';
import type { TableChange, Within } from './table/function-table.ts';

/** An index that is kept up to date with the functions, by slot. */
type Names = { add(slot: number): void; remove(slot: number): void };

const NONE = -1;

/**
 * The functions themselves are in shared memory. A thread has for itself only their order: two numbers for each.
 * Changes are noted when they arrive, and sorted when a search needs the order: many changes cost little more than one,
 * and one costs little in a large catalogue.
 */
export class Catalogue {
  readonly rows = new FunctionRows();
  #names: Names | undefined;
  readonly #relevance = new RankedList(this.rows, 'relevance');
  /** By order. The others are made when they are first used. */
  readonly #lists = new Map<SearchSort, RankedList>([['relevance', this.#relevance]]);
  /** Not sorted yet, and those of them that were removed again. */
  #late: number[] = [];
  readonly #left = new Set<number>();
  /** Still in the lists. */
  #gone: number[] = [];
  #known = 0;
  #settled = 0;
  readonly #marks = createBufferPool<Uint8Array>((length) => new Uint8Array(length));

  /** Adds all functions to an index, and keeps it up to date from now on. */
  indexNames(names: Names): void {
    this.#names = names;
    for (const slot of this.ranking().sorted) names.add(slot);
  }

  change({ number, added, removed, grown }: TableChange): void {
    this.rows.grow(grown);
    this.#known = number;
    for (const slot of added) {
      this.#late.push(slot);
      this.#names?.add(slot);
    }
    for (const slot of removed) {
      if (this.#relevance.has(slot)) this.#gone.push(slot);
      else this.#left.add(slot);
      this.#names?.remove(slot);
    }
  }

  /** The last change after which this thread needs no removed function any more, except for searches that run. */
  get settledNumber(): number {
    return this.#settled;
  }

  /** The number of changes that are not sorted yet. */
  get unsettled(): number {
    return this.#late.length + this.#gone.length;
  }

  row(slot: number): FunctionRow {
    return this.rows.row(slot);
  }

  /** All functions in this order. The first use of an order sorts all functions. */
  ranking(sort: SearchSort = 'relevance'): Ranking {
    this.settle();
    const known = this.#lists.get(sort);
    if (known) return known.ranking;
    const list = new RankedList(this.rows, sort);
    list.fill(this.#relevance.ranking.sorted);
    this.#lists.set(sort, list);
    return list.ranking;
  }

  /** No search reads the lists any more, so the next change sorts them in place. */
  releaseOrder(): void {
    for (const list of this.#lists.values()) list.release();
  }

  /** The slots of the functions in the order of relevance. */
  get sorted(): Int32Array {
    return this.ranking().sorted;
  }

  /** Sorts the changes; reading an order does so too. */
  settle(): void {
    if (this.unsettled > 0) {
      const late = this.#left.size > 0 ? this.#late.filter((slot) => !this.#left.has(slot)) : this.#late;
      for (const list of this.#lists.values()) list.apply(late, this.#gone);
      this.#late = [];
      this.#left.clear();
      this.#gone = [];
    }
    this.#settled = this.#known;
  }

  /** The functions whose live version has this document. */
  serving(code: number): FunctionRow[] {
    const { places } = this.ranking();
    const found: FunctionRow[] = [];
    this.rows.eachWith(code, (slot, isLive) => {
      if (isLive && (places[slot] ?? NONE) !== NONE) found.push(this.rows.row(slot));
    });
    return found;
  }

  /**
   * By place in an order: 1 for a function whose live version has one of these documents; in history, any of its
   * versions. The caller returns the array with `releaseMarks`.
   */
  withCodes(codes: Uint32Array, isHistory: boolean, sort?: SearchSort): Uint8Array {
    const { sorted, places } = this.ranking(sort);
    const marked = this.#marks.take(sorted.length);
    const mark = (slot: number, isLive: boolean) => {
      const place = places[slot] ?? NONE;
      if (place !== NONE && (isLive || isHistory)) marked[place] = 1;
    };
    for (let at = 0; at < codes.length; at++) this.rows.eachWith(codes[at] ?? 0, mark);
    return marked;
  }

  /** Returns the array of `withCodes` to the pool. */
  releaseMarks(marked: Uint8Array): void {
    this.#marks.give(marked.fill(0));
  }
}

const PUBLIC = 1;

/** Whether a function is in a scope. */
export function isWithin(rows: FunctionRows, slot: number, within: Within): boolean {
  const [columns, at] = rows.at(slot);
  const { isPublic, account, accounts, visibility } = within;
  if (isPublic ? columns.visibility[at] !== PUBLIC : columns.account[at] !== account) return false;
  if (accounts && !accounts.includes(columns.account[at] ?? NONE)) return false;
  if (within.slot !== undefined && slot !== within.slot) return false;
  return visibility === undefined || columns.visibility[at] === visibility;
}

/** The versions of a function that an account may read. */
export function versionsFor(entry: Readonly<Entry>, account_id: string): Entry['versions'] {
  const { hidden: given } = entry;
  if (!given || entry.account_id === account_id) return entry.versions;
  const hidden = new Set(given);
  return entry.versions.filter(([version]) => !hidden.has(version));
}
