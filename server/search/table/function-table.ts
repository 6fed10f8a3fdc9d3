/**
 * Writes the functions into shared memory (layout.ts), on the event loop. Threads are sent only slots: those that were
 * added and those that were removed. A removed function keeps its slot and its record until no thread uses them.
 */
import { VISIBILITIES } from '../../../contract/states.ts';
import type { Entry, Scope } from './entry.ts';
import { type FunctionRow, FunctionRows } from './function-rows.ts';
import {
  codeAt,
  type Grown,
  NODE_WORDS,
  newColumns,
  newLists,
  newRecords,
  partsAt,
  partsOf,
  SLOTS,
  taggedSlot,
  WORDS,
} from './layout.ts';

/** A change of the functions. Changes are counted; `number` is that of this one. */
export type TableChange = { number: number; added: Int32Array; removed: Int32Array; grown: Grown };

/** A scope by what the memory has: the addresses of account ids, a slot. -1 for what no function has. */
export type Within = {
  isPublic: boolean;
  account: number;
  accounts?: number[] | undefined;
  visibility?: number | undefined;
  slot?: number | undefined;
};

const NONE = -1;
/** Removed functions are taken out of the lists of their documents together, as each list is read for it. */
const TOGETHER = 256;
/** Sizes of records are multiples of 8 words; of long ones, of 1/16 or more of their size, so that they are reused. */
const sizeOf = (words: number): number => {
  const step = words <= 512 ? 8 : 2 ** (Math.floor(Math.log2(words)) - 4);
  return Math.ceil(words / step) * step;
};

type Retired = { slot: number; number: number };

export class FunctionTable {
  readonly #rows = new FunctionRows();
  readonly #released: () => number;
  readonly #slots = new Map<string, number>();
  readonly #texts = new Map<string, number>();
  #freeSlots: number[] = [];
  #usedSlots = 0;
  /** By size, the addresses of records that can be used again. */
  readonly #freeRecords = new Map<number, number[]>();
  /** In the last segment of records; the next record begins here. */
  #nextWord = WORDS;
  readonly #all: Grown = { columns: [], records: [], lists: [] };
  #unsent: Grown = { columns: [], records: [], lists: [] };
  /** Removed with this change, and still in the lists of their documents. */
  #removed: Retired[] = [];
  /** Out of the lists before this change: a thread may have been reading a list. */
  #unlinked: Retired[] = [];
  #number = 0;

  /** `released`: the last change since which all threads have begun every search that they run. */
  constructor(released: () => number) {
    this.#released = released;
  }

  get size(): number {
    return this.#slots.size;
  }

  /** The bytes of the shared memory. */
  get bytes(): number {
    return this.#rows.bytes;
  }

  /** The last change. */
  get number(): number {
    return this.#number;
  }

  find(function_id: string): FunctionRow | undefined {
    const slot = this.#slots.get(function_id);
    return slot === undefined ? undefined : this.#rows.row(slot);
  }

  /** The functions that have runs. */
  *withRuns(): Generator<FunctionRow> {
    for (let slot = 0; slot < this.#usedSlots; slot++) {
      const [columns, at] = this.#rows.at(slot);
      if ((columns.runs[at] ?? 0) === 0) continue;
      const row = this.#rows.row(slot);
      if (this.#slots.get(row.function_id) === slot) yield row;
    }
  }

  /** Adds, replaces and removes functions. */
  change(entries: readonly Entry[], removed: readonly string[]): TableChange {
    this.#reclaim();
    this.#number += 1;
    const gone = removed.flatMap((function_id) => this.#retire(function_id));
    const added = entries.map((entry) => {
      gone.push(...this.#retire(entry.function_id));
      const slot = this.#freeSlots.pop() ?? this.#newSlot();
      this.#write(slot, entry);
      this.#slots.set(entry.function_id, slot);
      return slot;
    });
    const grown = this.#unsent;
    this.#unsent = { columns: [], records: [], lists: [] };
    return { number: this.#number, added: Int32Array.from(added), removed: Int32Array.from(gone), grown };
  }

  /** All functions and all memory, for a new thread. */
  all(): TableChange {
    const { columns, records, lists } = this.#all;
    const grown = { columns: [...columns], records: [...records], lists: [...lists] };
    const added = new Int32Array(this.#slots.size);
    let count = 0;
    for (const slot of this.#slots.values()) added[count++] = slot;
    return { number: this.#number, added, removed: new Int32Array(0), grown };
  }

  /** The slots of functions, NONE for one that is gone. */
  slotsOf(function_ids: readonly string[]): Int32Array {
    return Int32Array.from(function_ids, (function_id) => this.#slots.get(function_id) ?? NONE);
  }

  within({ account_id, owner, visibility, accounts, function_id }: Scope): Within {
    const addressOf = (account: string) => this.#texts.get(account) ?? NONE;
    return {
      isPublic: owner === 'ALL',
      account: addressOf(account_id),
      accounts: accounts?.map(addressOf),
      visibility: visibility && VISIBILITIES.indexOf(visibility),
      slot: function_id === undefined ? undefined : (this.#slots.get(function_id) ?? NONE),
    };
  }

  #retire(function_id: string): number[] {
    const slot = this.#slots.get(function_id);
    if (slot === undefined) return [];
    this.#slots.delete(function_id);
    this.#removed.push({ slot, number: this.#number });
    return [slot];
  }

  #newSlot(): number {
    if (this.#usedSlots % SLOTS === 0) this.#grow('columns', newColumns());
    return this.#usedSlots++;
  }

  #grow(kind: keyof Grown, memory: SharedArrayBuffer): void {
    const only: Grown = { columns: [], records: [], lists: [], [kind]: [memory] };
    this.#rows.grow(only);
    this.#all[kind].push(memory);
    this.#unsent[kind].push(memory);
  }

  #write(slot: number, entry: Entry): void {
    const { versions, hidden = [], function_id, name, description, code } = entry;
    const codes = new Set(versions.map(([, each]) => each));
    if (code >= 0) codes.add(code);
    const [nameBytes, descriptionBytes] = [Buffer.byteLength(name), Buffer.byteLength(description)];
    const parts = partsOf(function_id.length, versions.length, hidden.length, codes.size);
    const [columns, at] = this.#rows.at(slot);
    columns.account[at] = this.#text(entry.account_id);
    columns.runtime[at] = this.#text(entry.runtime);
    const record = this.#allocate(Math.ceil((parts.texts + nameBytes + descriptionBytes) / 4));
    columns.score[at] = entry.score;
    columns.deployed[at] = entry.deployed_ms ?? 0;
    columns.visibility[at] = VISIBILITIES.indexOf(entry.visibility);
    columns.version[at] = entry.version;
    columns.code[at] = code;
    columns.stars[at] = entry.stars ?? 0;
    columns.runs[at] = entry.runs ?? 0;
    columns.record[at] = record;
    columns.versions[at] = versions.length;
    columns.hidden[at] = hidden.length;
    columns.nodes[at] = codes.size;
    columns.idBytes[at] = function_id.length;
    columns.nameBytes[at] = nameBytes;
    columns.descriptionBytes[at] = descriptionBytes;
    const [memory, from] = this.#rows.record(record);
    for (const [index, [version, each, created_ms]] of versions.entries()) {
      memory.times[(from + parts.times) / 2 + index] = created_ms ?? Number.NaN;
      memory.words[from + parts.versions + 2 * index] = version;
      memory.words[from + parts.versions + 2 * index + 1] = each;
    }
    memory.words.set(hidden, from + parts.hidden);
    memory.bytes.write(function_id, 4 * from, 'latin1');
    memory.bytes.write(name, 4 * from + parts.texts);
    memory.bytes.write(description, 4 * from + parts.texts + nameBytes);
    let node = parts.nodes;
    for (const each of codes) {
      this.#append(each, record + node, taggedSlot(slot, each === code));
      node += NODE_WORDS;
    }
  }

  /** The address of an account id or a runtime. They stay, as many functions have each. */
  #text(text: string): number {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    const bytes = Buffer.from(text);
    const address = this.#allocate(1 + Math.ceil(bytes.length / 4));
    const [memory, at] = this.#rows.record(address);
    memory.words[at] = bytes.length;
    memory.bytes.set(bytes, 4 * (at + 1));
    this.#texts.set(text, address);
    return address;
  }

  #allocate(words: number): number {
    const size = sizeOf(words);
    const free = this.#freeRecords.get(size)?.pop();
    if (free !== undefined) return free;
    const segments = Math.ceil(size / WORDS);
    if (segments > 1) {
      // Account ids come first, so this is never address 0.
      const address = this.#rows.records.length * WORDS;
      this.#grow('records', newRecords(segments));
      // The rest of the segment before it stays unused: the next record begins in a new one.
      this.#nextWord = WORDS;
      return address;
    }
    if (this.#nextWord + size > WORDS) {
      this.#grow('records', newRecords());
      // No record begins at 0.
      this.#nextWord = this.#rows.records.length === 1 ? sizeOf(1) : 0;
    }
    const address = (this.#rows.records.length - 1) * WORDS + this.#nextWord;
    this.#nextWord += size;
    return address;
  }

  #free(address: number, words: number): void {
    const size = sizeOf(words);
    const known = this.#freeRecords.get(size);
    if (known) known.push(address);
    else this.#freeRecords.set(size, [address]);
  }

  /** Appends a node to the list of a document; a thread may be reading the list. */
  #append(code: number, node: number, tagged: number): void {
    const [segment, at] = codeAt(code);
    while (segment >= this.#rows.lists.length) this.#grow('lists', newLists());
    const list = this.#rows.lists[segment] as Int32Array;
    const [memory, word] = this.#rows.record(node);
    memory.words[word] = tagged;
    memory.words[word + 1] = 0;
    const last = list[2 * at + 1] ?? 0;
    list[2 * at + 1] = node;
    // Only now can a thread reach the node, and it finds it written.
    if (last === 0) Atomics.store(list, 2 * at, node);
    else {
      const [before, place] = this.#rows.record(last);
      Atomics.store(before.words, place + 1, node);
    }
  }

  /** Frees the memory of removed functions that no thread uses any more. */
  #reclaim(): void {
    if (this.#removed.length + this.#unlinked.length < TOGETHER) return;
    const released = this.#released();
    const isFree = ({ number }: Retired) => number <= released;
    const free = lengthOf(this.#unlinked, isFree);
    for (const { slot } of this.#unlinked.splice(0, free)) {
      const [columns, at] = this.#rows.at(slot);
      const bytes = (columns.nameBytes[at] ?? 0) + (columns.descriptionBytes[at] ?? 0);
      this.#free(columns.record[at] ?? 0, Math.ceil((partsAt(columns, at).texts + bytes) / 4));
      columns.runs[at] = 0;
      this.#freeSlots.push(slot);
    }
    const unused = this.#removed.splice(0, lengthOf(this.#removed, isFree)).map(({ slot }) => slot);
    this.#unlink(unused);
    const number = this.#number + 1;
    this.#unlinked.push(...unused.map((slot) => ({ slot, number })));
  }

  /** Takes functions out of the lists of their documents. A thread that is at one of them still finds the next. */
  #unlink(slots: readonly number[]): void {
    const dead = new Set(slots);
    const codes = new Set<number>();
    for (const slot of slots) {
      const { code, versions } = this.#rows.row(slot);
      if (code >= 0) codes.add(code);
      for (const [, each] of versions) codes.add(each);
    }
    for (const code of codes) {
      const [segment, at] = codeAt(code);
      const list = this.#rows.lists[segment] as Int32Array;
      let last = 0;
      for (let node = list[2 * at] ?? 0; node !== 0; ) {
        const [{ words }, word] = this.#rows.record(node);
        const next = words[word + 1] ?? 0;
        if (!dead.has((words[word] ?? 0) >>> 1)) last = node;
        else if (last === 0) Atomics.store(list, 2 * at, next);
        else {
          const [before, place] = this.#rows.record(last);
          Atomics.store(before.words, place + 1, next);
        }
        node = next;
      }
      list[2 * at + 1] = last;
    }
  }
}

/** How many from the first on. */
function lengthOf(retired: readonly Retired[], isFree: (each: Retired) => boolean): number {
  const end = retired.findIndex((each) => !isFree(each));
  return end < 0 ? retired.length : end;
}
