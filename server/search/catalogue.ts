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
  /** Where it stands in the order; kept by the catalogue. */
  place: number;
};
export type Scope = {
  account_id: string;
  owner: 'SELF' | 'ALL';
  visibility?: Visibility | undefined;
  /** Of these accounts only. */
  accounts?: string[] | undefined;
};

/** So many changes at once are sorted in; fewer are put in their places. */
const MANY = 200;

export class Catalogue {
  /** In their order. */
  readonly sorted: Entry[] = [];
  readonly #byId = new Map<string, Entry>();
  /** Every function that has a code in any version. */
  readonly #byCode = new Map<number, Entry[]>();
  readonly #names: Names | undefined;
  #isNumbered = false;

  constructor(names?: Names) {
    this.#names = names;
  }

  change(entries: readonly Entry[], removed: readonly string[]): void {
    this.#isNumbered = false;
    for (const function_id of removed) this.#remove(function_id);
    for (const { function_id } of entries) this.#remove(function_id);
    for (const entry of entries) {
      this.#byId.set(entry.function_id, entry);
      this.#names?.add(entry);
      for (const code of codesOf(entry)) {
        const known = this.#byCode.get(code);
        if (known) known.push(entry);
        else this.#byCode.set(code, [entry]);
      }
      if (entries.length > MANY) this.sorted.push(entry);
      else this.sorted.splice(placeOf(this.sorted, entry), 0, entry);
    }
    if (entries.length > MANY) this.sorted.sort(compare);
  }

  #remove(function_id: string): void {
    const entry = this.#byId.get(function_id);
    if (!entry) return;
    this.#byId.delete(function_id);
    this.#names?.remove(entry);
    for (const code of codesOf(entry)) {
      const others = this.#byCode.get(code)?.filter((each) => each !== entry) ?? [];
      if (others.length > 0) this.#byCode.set(code, others);
      else this.#byCode.delete(code);
    }
    this.sorted.splice(placeOf(this.sorted, entry), 1);
  }

  withCode(code: number): readonly Entry[] {
    return this.#byCode.get(code) ?? [];
  }

  /** Where a function stands in the order. */
  placeOf(entry: Entry): number {
    if (!this.#isNumbered) {
      for (let place = 0; place < this.sorted.length; place++) (this.sorted[place] as Entry).place = place;
      this.#isNumbered = true;
    }
    return entry.place;
  }
}

export function isWithin(entry: Entry, { account_id, owner, visibility, accounts }: Scope): boolean {
  if (owner === 'ALL' ? entry.visibility !== 'PUBLIC' : entry.account_id !== account_id) return false;
  if (accounts && !accounts.includes(entry.account_id)) return false;
  return visibility === undefined || entry.visibility === visibility;
}

/** Each code once. */
function codesOf(entry: Entry): Set<number> {
  return new Set(entry.versions.map(([, code]) => code));
}

const compare = (a: Entry, b: Entry) => b.score - a.score || (a.function_id < b.function_id ? -1 : 1);

function placeOf(sorted: readonly Entry[], entry: Entry): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = sorted[middle];
    if (other && other !== entry && compare(other, entry) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
