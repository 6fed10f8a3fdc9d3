import { expect, it } from 'vitest';
import { Names } from './names.ts';
import { inOrder } from './ranked-list.ts';
import type { Entry } from './table/entry.ts';
import { entryOf, stored } from './test/entries-support.ts';

/** The same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const next = numbers(3);
const made = (id: number): Entry => {
  const code = next(40);
  const versions: [number, number][] = [
    [1, next(40)],
    [2, code],
  ];
  const more = { stars: next(4), deployed_ms: next(4) };
  return entryOf(code, {
    function_id: `f${id}`,
    name: `name${next(9)}`,
    version: 2,
    versions,
    score: next(30),
    ...more,
  });
};

/** What the catalogue should have for these functions, by a linear scan. */
function plainly(all: Entry[], code: number) {
  const byScore = (a: Entry, b: Entry) => b.score - a.score || (a.function_id < b.function_id ? -1 : 1);
  const sorted = all.toSorted(byScore);
  const byStars = all.toSorted((a, b) => (b.stars ?? 0) - (a.stars ?? 0) || byScore(a, b));
  const places = (isIn: (entry: Entry) => boolean) => sorted.flatMap((entry, place) => (isIn(entry) ? [place] : []));
  return {
    order: sorted.map(({ function_id }) => function_id),
    byStars: byStars.map(({ function_id }) => function_id),
    starred: byStars.flatMap((entry, place) => (entry.code === code ? [place] : [])),
    serving: places((entry) => entry.code === code),
    alike: places((entry) => entry.code === code).map((place) => sorted[place]?.function_id),
    having: places(({ versions }) => versions.some(([, each]) => each === code)),
    named: places(({ name }) => name === 'name3').map((place) => sorted[place]?.function_id),
  };
}

it('equals a catalogue sorted from scratch after any changes, few or many at once', () => {
  const { catalogue, change, idOf } = stored();
  const names = new Names(catalogue.rows);
  catalogue.indexNames(names);
  const all = new Map<string, Entry>();
  const changed = (most: number) => {
    const entries = Array.from({ length: next(most) }, () => made(next(400)));
    const removed = Array.from({ length: next(most) }, () => `f${next(400)}`);
    const last = new Map(entries.map((entry) => [entry.function_id, entry]));
    for (const id of removed) all.delete(id);
    for (const [id, entry] of last) all.set(id, entry);
    change([...last.values()], removed);
  };
  changed(300);
  for (let round = 0; round < 200; round++) {
    if (next(2) === 0) catalogue.releaseOrder();
    // Several changes before a read; sometimes very many.
    for (let times = next(3); times >= 0; times--) changed(round % 10 === 0 ? 150 : 4);
    const code = next(40);
    const order = catalogue.ranking();
    const marked = (isHistory: boolean, sort?: 'stars') =>
      [...catalogue.withCodes(Uint32Array.of(code), isHistory, sort).entries()].flatMap(([place, mark]) =>
        mark ? place : [],
      );
    expect({
      order: [...order.sorted].map(idOf),
      byStars: [...catalogue.ranking('stars').sorted].map(idOf),
      starred: marked(false, 'stars'),
      serving: marked(false),
      alike: [
        ...inOrder(
          catalogue.rows,
          catalogue.serving(code).map(({ slot }) => slot),
          'relevance',
        ),
      ].map(idOf),
      having: marked(true),
      named: [...names.find('name3', order, () => true)].map(idOf),
    }).toEqual(plainly([...all.values()], code));
  }
});

it('does not change a list that is being read', () => {
  const { catalogue, change, idOf } = stored([made(1), made(2)]);
  const { sorted } = catalogue;
  const before = [...sorted];
  change([made(3)], ['f1']);
  catalogue.settle();
  expect([...sorted]).toEqual(before);
  expect([...catalogue.sorted].map(idOf).sort()).toEqual(['f2', 'f3']);
});

it('sorts many as it sorts few: by any number, then by score, then by id', () => {
  const number = () => [0, -1.5, 2 ** 40 + 0.25, 3, 3.0000001, 1e-300, next(9) * 1e6][next(7)] ?? 0;
  const all = Array.from({ length: 3000 }, (_, id) =>
    entryOf(id, { function_id: `f${id}`, score: number(), deployed_ms: number(), runs: next(3) }),
  );
  const { catalogue, idOf } = stored(all);
  const byScore = (a: Entry, b: Entry) => b.score - a.score || (a.function_id < b.function_id ? -1 : 1);
  const by = (sort: 'deployed_ms' | 'runs') =>
    all.toSorted((a, b) => (b[sort] ?? 0) - (a[sort] ?? 0) || byScore(a, b)).map(({ function_id }) => function_id);
  expect([...catalogue.sorted].map(idOf)).toEqual(all.toSorted(byScore).map(({ function_id }) => function_id));
  expect([...catalogue.ranking('deployed').sorted].map(idOf)).toEqual(by('deployed_ms'));
  expect([...catalogue.ranking('runs').sorted].map(idOf)).toEqual(by('runs'));
});
