/** What a searcher knows of functions: whose they are, which codes they have, and their order, better ones first. */
import type { Visibility } from '../../contract/states.ts';
import type { Names } from './names.ts';

/** A function. Its codes are known by number; `versions` are in their order. */
export type Entry = {
  function_id: string;
  account_id: string;
  name: string;
  description: string;
  runtime: string;
  visibility: Visibility;
  /** The version that serves, and its code. */
  version: number;
  code: number;
  versions: [version: number, code: number][];
  score: number;
  /** Where it stands in the order; kept by the catalogue, which marks with it what is gone. */
  place: number;
};
export type Scope = {
  account_id: string;
  owner: 'SELF' | 'ALL';
  visibility?: Visibility | undefined;
  /** Of these accounts only. */
  accounts?: string[] | undefined;
};

const NONE = -1;
const GONE = -2;

/** Changes are taken in as they come, and put in order when somebody asks: many at once cost little more than one. */
export class Catalogue {
  readonly #byId = new Map<string, Entry>();
  /** Every function that has a code in a version that doesn't serve. */
  readonly #older = new Map<number, Entry[]>();
  readonly #names: Names | undefined;
  #sorted: Entry[] = [];
  #late: Entry[] = [];
  #isStale = false;
  /** By the number of a code: the place of the first function that serves it; then by place: that of the next one. */
  #serving = new Int32Array(0);
  #next = new Int32Array(0);

  constructor(names?: Names) {
    this.#names = names;
  }

  change(entries: readonly Entry[], removed: readonly string[]): void {
    this.#isStale = true;
    for (const function_id of removed) this.#remove(function_id);
    for (const { function_id } of entries) this.#remove(function_id);
    for (const entry of entries) {
      entry.place = NONE;
      this.#byId.set(entry.function_id, entry);
      this.#names?.add(entry);
      this.#late.push(entry);
      for (const code of olderCodesOf(entry)) {
        const known = this.#older.get(code);
        if (known) known.push(entry);
        else this.#older.set(code, [entry]);
      }
    }
  }

  #remove(function_id: string): void {
    const entry = this.#byId.get(function_id);
    if (!entry) return;
    this.#byId.delete(function_id);
    entry.place = GONE;
    this.#names?.remove(entry);
    for (const code of olderCodesOf(entry)) {
      const others = this.#older.get(code)?.filter((each) => each !== entry) ?? [];
      if (others.length > 0) this.#older.set(code, others);
      else this.#older.delete(code);
    }
  }

  /** All functions in their order; each knows its place. The list never changes: a later one takes its place. */
  get sorted(): readonly Entry[] {
    this.settle();
    return this.#sorted;
  }

  /** Puts in order what changed; whoever asks for the order does so too. */
  settle(): void {
    if (!this.#isStale) return;
    // All of them are gone through for one that changed: nothing is looked up for each.
    const late = this.#late.filter(({ place }) => place !== GONE).sort(compare);
    const sorted: Entry[] = [];
    let at = 0;
    let most = NONE;
    const take = (entry: Entry) => {
      entry.place = sorted.length;
      sorted.push(entry);
      if (entry.code > most) most = entry.code;
    };
    for (const entry of this.#sorted) {
      if (entry.place === GONE) continue;
      for (let next = late[at]; next && compare(next, entry) < 0; next = late[++at]) take(next);
      take(entry);
    }
    for (; at < late.length; at++) take(late[at] as Entry);
    const serving = new Int32Array(most + 1).fill(NONE);
    const next = new Int32Array(sorted.length);
    for (let place = sorted.length - 1; place >= 0; place--) {
      const { code } = sorted[place] as Entry;
      if (code < 0) continue;
      next[place] = serving[code] as number;
      serving[code] = place;
    }
    this.#sorted = sorted;
    this.#late = [];
    this.#serving = serving;
    this.#next = next;
    this.#isStale = false;
  }

  /** By place, 1 where a function serves one of these codes; in history, where any of its versions has one. */
  withCodes(codes: Uint32Array, isHistory: boolean): Uint8Array {
    const marked = new Uint8Array(this.sorted.length);
    const serving = this.#serving;
    const next = this.#next;
    for (let i = 0; i < codes.length; i++) {
      const code = codes[i] as number;
      for (let at = serving[code] ?? NONE; at !== NONE; at = next[at] as number) marked[at] = 1;
      if (isHistory) for (const { place } of this.#older.get(code) ?? []) marked[place] = 1;
    }
    return marked;
  }
}

export function isWithin(entry: Entry, { account_id, owner, visibility, accounts }: Scope): boolean {
  if (owner === 'ALL' ? entry.visibility !== 'PUBLIC' : entry.account_id !== account_id) return false;
  if (accounts && !accounts.includes(entry.account_id)) return false;
  return visibility === undefined || entry.visibility === visibility;
}

/** Those of versions that don't serve; each once. */
function olderCodesOf({ versions, code }: Entry): Iterable<number> {
  if (versions.length < 2) return [];
  return new Set(versions.flatMap(([, each]) => (each === code ? [] : [each])));
}

const compare = (a: Entry, b: Entry) => b.score - a.score || (a.function_id < b.function_id ? -1 : 1);
