import { expect, it } from 'vitest';
import { VISIBILITIES } from '../../../contract/states.ts';
import { Catalogue, isWithin } from '../catalogue.ts';
import { Names } from '../names.ts';
import { entryOf } from '../test/entries-support.ts';
import type { Entry } from './entry.ts';
import { FunctionTable, type TableChange } from './function-table.ts';
import { SLOTS, WORDS } from './layout.ts';

/** The same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const CODES = 40_000;
const TEXTS = ['order', 'größe', '関数', '😀', ''];

/** A function with random versions, texts of any length, and documents that others have too. */
function made(next: (below: number) => number, id: number): Entry {
  const codeOf = () => (next(2) === 0 ? next(5) : next(CODES));
  const versions = Array.from({ length: 1 + next(6) }, (_, at): Entry['versions'][number] =>
    next(3) === 0 ? [at + 1, codeOf()] : [at + 1, codeOf(), next(2 ** 31) * 1000],
  );
  const version = versions.at(-1)?.[0] ?? 1;
  return entryOf(versions.at(-1)?.[1] ?? -1, {
    function_id: `f${id}`,
    account_id: `account ${next(30)}`,
    name: `${TEXTS[next(5)]} ${next(9)}`,
    description: `${TEXTS[next(5)]} `.repeat(next(20) === 0 ? next(2000) : next(9)),
    runtime: next(2) === 0 ? 'nodejs24.x' : 'python3.13',
    visibility: VISIBILITIES[next(3)] ?? 'PUBLIC',
    version,
    versions,
    hidden: next(4) === 0 ? [1] : undefined,
    score: next(50) / 7,
    stars: next(4),
    runs: next(3),
    deployed_ms: next(2 ** 31) * 1000,
  });
}

const plain = (entry: Readonly<Entry>): Entry => ({
  function_id: entry.function_id,
  account_id: entry.account_id,
  name: entry.name,
  description: entry.description,
  runtime: entry.runtime,
  visibility: entry.visibility,
  version: entry.version,
  code: entry.code,
  versions: entry.versions,
  hidden: entry.hidden,
  score: entry.score,
  stars: entry.stars ?? 0,
  runs: entry.runs ?? 0,
  deployed_ms: entry.deployed_ms ?? 0,
});

/** A thread, which applies the changes later than they are made. */
class Reader {
  readonly catalogue = new Catalogue();
  readonly names = new Names(this.catalogue.rows);
  readonly #waiting: { change: TableChange; after: Map<string, Entry> }[] = [];
  /** The functions after the last change that it has applied. */
  known = new Map<string, Entry>();

  constructor() {
    this.catalogue.indexNames(this.names);
  }

  send(change: TableChange, after: Map<string, Entry>): void {
    this.#waiting.push({ change: structuredClone(change), after });
  }

  apply(most: number): void {
    for (const { change, after } of this.#waiting.splice(0, most)) {
      this.catalogue.change(change);
      this.known = after;
    }
  }

  /** Compares everything that a search may ask with the functions that this thread should know. */
  check(codes: readonly number[], table: FunctionTable): void {
    const { catalogue, known } = this;
    const { sorted } = catalogue.ranking();
    const idOf = (slot: number) => catalogue.row(slot).function_id;
    const byScore = [...known.values()].sort((a, b) => b.score - a.score || (a.function_id < b.function_id ? -1 : 1));
    expect([...sorted].map((slot) => plain(catalogue.row(slot)))).toEqual(byScore.map(plain));
    for (const code of codes) {
      const having = (isHistory: boolean) =>
        [...catalogue.withCodes(Uint32Array.of(code), isHistory).entries()].flatMap(([place, mark]) =>
          mark ? (byScore[place]?.function_id ?? '?') : [],
        );
      const live = byScore.filter((each) => each.code === code).map(({ function_id }) => function_id);
      const any = byScore.filter(({ versions }) => versions.some(([, each]) => each === code));
      expect(having(false)).toEqual(live);
      expect(having(true)).toEqual(any.map(({ function_id }) => function_id));
      expect(catalogue.serving(code).map(({ function_id }) => function_id)).toEqual(expect.arrayContaining(live));
    }
    const named = [...this.names.find('größe', catalogue.ranking(), () => true)].map(idOf).sort();
    const isNamed = ({ name, description }: Entry) => `${name} ${description}`.includes('größe');
    expect(named).toEqual(
      byScore
        .filter(isNamed)
        .map(({ function_id }) => function_id)
        .sort(),
    );
    const within = table.within({ account_id: 'account 3', owner: 'SELF', visibility: 'PRIVATE' });
    const own = [...sorted].filter((slot) => isWithin(catalogue.rows, slot, within)).map(idOf);
    const isOwn = (each: Entry) => each.account_id === 'account 3' && each.visibility === 'PRIVATE';
    expect(own).toEqual(byScore.filter(isOwn).map(({ function_id }) => function_id));
  }
}

it('each thread sees the functions as of its last change, whatever is written meanwhile', () => {
  const next = numbers(5);
  const readers = [new Reader(), new Reader()];
  const table = new FunctionTable(() => Math.min(...readers.map(({ catalogue }) => catalogue.settledNumber)));
  let all = new Map<string, Entry>();
  for (let round = 0; round < 400; round++) {
    // At first many, then few; sometimes very many again.
    const most = round < 4 ? 300 : round % 50 === 0 ? 150 : 6;
    const removed = Array.from({ length: next(most) }, () => `f${next(600)}`);
    const entries = Array.from({ length: next(most) }, () => made(next, next(600)));
    all = new Map(all);
    for (const id of removed) all.delete(id);
    for (const entry of entries) all.set(entry.function_id, entry);
    const change = table.change(entries, removed);
    for (const reader of readers) reader.send(change, all);
    readers[0]?.apply(1);
    // The other thread is busy, and then applies some of its changes.
    if (next(5) === 0) readers[1]?.apply(next(9));
    if (round % 4 === 0) readers[0]?.check([next(5), next(CODES)], table);
    if (round % 4 === 1) readers[1]?.check([next(5), next(CODES)], table);
  }
  for (const reader of readers) {
    reader.apply(400);
    reader.check([0, 1, 2, 3, 4], table);
  }
});

it('begins a thread later with all functions, in several segments of each kind', () => {
  const next = numbers(7);
  const table = new FunctionTable(() => table.number);
  const all = new Map<string, Entry>();
  const count = 2 * SLOTS + 100;
  for (let id = 0; id < count; id++) {
    const entry = entryOf(id, {
      function_id: `f${id}`,
      account_id: `account ${id % 7}`,
      name: `name ${id}`,
      description: 'd'.repeat(next(400)),
      score: id,
    });
    all.set(entry.function_id, entry);
  }
  const first = table.change([...all.values()], ['never there']);
  expect([first.grown.columns.length, first.grown.lists.length]).toEqual([3, 3]);
  expect(first.grown.records.length).toBeGreaterThan(1);
  table.change([], ['f7']);
  all.delete('f7');
  const later = new Catalogue();
  later.change(structuredClone(table.all()));
  const { sorted } = later.ranking();
  expect(sorted.length).toBe(count - 1);
  const place = (id: number) => plain(later.row(sorted[sorted.length - 1 - id] ?? 0));
  for (const id of [0, 6, SLOTS, count - 2]) {
    const known = [...all.values()][id];
    expect(place(id)).toEqual(known && plain(known));
  }
  expect(later.serving(count - 1).map(({ function_id }) => function_id)).toEqual([`f${count - 1}`]);
});

it('holds a function whose record is longer than a segment', () => {
  const versions = Array.from({ length: WORDS / 4 }, (_, at): [number, number, number] => [at + 1, at % 3, at]);
  const long = entryOf(2, {
    function_id: 'long',
    version: versions.length,
    versions,
    stars: 0,
    runs: 0,
    deployed_ms: 0,
  });
  const table = new FunctionTable(() => table.number);
  const catalogue = new Catalogue();
  catalogue.change(table.change([entryOf(1), long, entryOf(3)], []));
  const byId = new Map([...catalogue.sorted].map((slot) => [catalogue.row(slot).function_id, catalogue.row(slot)]));
  expect([...byId.keys()]).toEqual(['0001', '0003', 'long']);
  expect(plain(byId.get('long') ?? entryOf(0))).toEqual(plain(long));
  expect(catalogue.serving(2).map(({ function_id }) => function_id)).toEqual(['long']);
});

it('uses the memory of replaced functions again when no thread needs it, and never before', () => {
  let released = 0;
  const table = new FunctionTable(() => released);
  const next = numbers(9);
  const round = () =>
    table.change(
      Array.from({ length: 300 }, (_, id) => made(next, id)),
      [],
    );
  round();
  const first = table.bytes;
  for (let times = 0; times < 200; times++) round();
  const unused = table.bytes;
  expect(unused).toBeGreaterThan(2 * first);
  for (let times = 0; times < 1000; times++) {
    released = table.number;
    round();
  }
  expect(table.bytes).toBe(unused);
});
