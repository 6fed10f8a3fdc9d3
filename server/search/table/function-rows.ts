/** Reads the functions in shared memory (layout.ts). */
import { VISIBILITIES, type Visibility } from '../../../contract/states.ts';
import type { Entry } from './entry.ts';
import {
  CODES,
  type Columns,
  codeAt,
  columnsOf,
  type Grown,
  type Lists,
  partsAt,
  type Records,
  recordsOf,
  SLOTS,
  slotAt,
  wordAt,
} from './layout.ts';

/** A function, read from shared memory when asked. `slot` identifies it. */
export type FunctionRow = Readonly<Entry> & { readonly slot: number };

/** Decoded account ids and runtimes that are kept. */
const MOST_TEXTS = 10_000;

export class FunctionRows {
  readonly columns: Columns[] = [];
  readonly records: Records[] = [];
  readonly lists: Lists[] = [];
  readonly #texts = new Map<number, string>();

  grow({ columns, records, lists }: Grown): void {
    this.columns.push(...columns.map(columnsOf));
    this.records.push(...records.flatMap(recordsOf));
    this.lists.push(...lists.map((memory) => new Int32Array(memory)));
  }

  /** The columns that have this slot, and its index in them. */
  at(slot: number): [Columns, number] {
    const [segment, at] = slotAt(slot);
    const columns = this.columns[segment];
    if (!columns) throw new Error(`search: no function in slot ${slot}`);
    return [columns, at];
  }

  record(word: number): [Records, number] {
    const [segment, at] = wordAt(word);
    const records = this.records[segment];
    if (!records) throw new Error(`search: no record at ${word}`);
    return [records, at];
  }

  row(slot: number): FunctionRow {
    const [columns, at] = this.at(slot);
    return new Row(this, slot, columns, at);
  }

  /** The text of an account id or a runtime. */
  text(word: number): string {
    const known = this.#texts.get(word);
    if (known !== undefined) return known;
    const [{ words, bytes }, at] = this.record(word);
    const from = 4 * (at + 1);
    const text = bytes.toString('utf8', from, from + (words[at] ?? 0));
    if (this.#texts.size >= MOST_TEXTS) this.#texts.clear();
    this.#texts.set(word, text);
    return text;
  }

  /** A number of a function. */
  number(slot: number, column: 'score' | 'runs' | 'stars' | 'deployed'): number {
    const [columns, at] = this.at(slot);
    return columns[column][at] ?? 0;
  }

  /** Compares the ids of two functions. */
  compareIds(one: number, other: number): number {
    const [a, atA] = this.at(one);
    const [b, atB] = this.at(other);
    const [recordA, fromA] = this.record(a.record[atA] ?? 0);
    const [recordB, fromB] = this.record(b.record[atB] ?? 0);
    const [lengthA, lengthB] = [a.idBytes[atA] ?? 0, b.idBytes[atB] ?? 0];
    // A call of Buffer.compare takes longer than to compare some bytes.
    for (let byte = 0; byte < lengthA && byte < lengthB; byte++) {
      const order = (recordA.bytes[4 * fromA + byte] ?? 0) - (recordB.bytes[4 * fromB + byte] ?? 0);
      if (order !== 0) return order;
    }
    return lengthA - lengthB;
  }

  /**
   * Calls `take` for each function with this document. New functions are at the end of the list, so the list ends where
   * it leaves the memory that this thread knows. It also has functions that this thread does not know yet, or no more.
   */
  eachWith(code: number, take: (slot: number, isLive: boolean) => void): void {
    const [segment, at] = codeAt(code);
    let node = this.lists[segment]?.[2 * at] ?? 0;
    while (node !== 0) {
      const [of, word] = wordAt(node);
      const words = this.records[of]?.words;
      if (!words) return;
      const tagged = words[word] ?? 0;
      take(tagged >>> 1, (tagged & 1) === 1);
      node = words[word + 1] ?? 0;
    }
  }

  /** The bytes of all segments. */
  get bytes(): number {
    const columns = this.columns.length * SLOTS * 72;
    const records = this.records.reduce((sum, each) => sum + Math.min(each.words.byteLength, 2 ** 22), 0);
    return columns + records + this.lists.length * CODES * 8;
  }
}

class Row implements FunctionRow {
  readonly slot: number;
  readonly #rows: FunctionRows;
  readonly #columns: Columns;
  readonly #at: number;

  constructor(rows: FunctionRows, slot: number, columns: Columns, at: number) {
    this.slot = slot;
    this.#rows = rows;
    this.#columns = columns;
    this.#at = at;
  }

  get function_id(): string {
    const [{ bytes }, from] = this.#record();
    return bytes.toString('latin1', 4 * from, 4 * from + this.#number('idBytes'));
  }

  get name(): string {
    return this.#text(0, this.#number('nameBytes'));
  }

  get description(): string {
    return this.#text(this.#number('nameBytes'), this.#number('descriptionBytes'));
  }

  get account_id(): string {
    return this.#rows.text(this.#number('account'));
  }

  get runtime(): string {
    return this.#rows.text(this.#number('runtime'));
  }

  get visibility(): Visibility {
    return VISIBILITIES[this.#number('visibility')] ?? 'PRIVATE';
  }

  get version(): number {
    return this.#number('version');
  }

  get code(): number {
    return this.#number('code');
  }

  get versions(): Entry['versions'] {
    const [{ words, times }, from] = this.#record();
    const parts = partsAt(this.#columns, this.#at);
    return Array.from({ length: this.#number('versions') }, (_, at) => {
      const word = from + parts.versions + 2 * at;
      const created_ms = times[(from + parts.times) / 2 + at] ?? Number.NaN;
      const version = words[word] ?? 0;
      const code = words[word + 1] ?? 0;
      return Number.isNaN(created_ms) ? [version, code] : [version, code, created_ms];
    });
  }

  get hidden(): number[] | undefined {
    const count = this.#number('hidden');
    if (count === 0) return undefined;
    const [{ words }, record] = this.#record();
    const from = record + partsAt(this.#columns, this.#at).hidden;
    return [...words.subarray(from, from + count)];
  }

  get score(): number {
    return this.#columns.score[this.#at] ?? 0;
  }

  get stars(): number {
    return this.#number('stars');
  }

  get runs(): number {
    return this.#number('runs');
  }

  get deployed_ms(): number {
    return this.#columns.deployed[this.#at] ?? 0;
  }

  #record(): [Records, number] {
    return this.#rows.record(this.#number('record'));
  }

  /** A text of the record. */
  #text(after: number, length: number): string {
    const [{ bytes }, record] = this.#record();
    const from = 4 * record + partsAt(this.#columns, this.#at).texts + after;
    return bytes.toString('utf8', from, from + length);
  }

  #number(column: Exclude<keyof Columns, 'score' | 'deployed'>): number {
    return this.#columns[column][this.#at] ?? 0;
  }
}
