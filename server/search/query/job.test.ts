import { expect, it } from 'vitest';
import { Documents } from '../documents.ts';
import {
  ALL_ALONE,
  createProgress,
  type FoundFunction,
  NONE_ALONE,
  type Progress,
  type Share,
  sharedClockMs,
  type ThreadOrder,
} from '../messages.ts';
import { Names } from '../names.ts';
import { entryOf, freshCode, stored } from '../test/entries-support.ts';
import { startJob } from './job.ts';
import { warmUp } from './warm-up.ts';

const COUNT = 60;
const entries = Array.from({ length: COUNT }, (_, code) => entryOf(code));
const codes = new Documents();
const { catalogue } = stored(entries);
const fresh = entries.map(({ code }) => freshCode(code, `line of ${code % 3 === 0 ? 'every third' : 'another'} code`));
codes.change({ segments: [], fresh, dropped: [], gone: [] });

const orderOf = (query: string, limit = 100): ThreadOrder => ({
  scope: { account_id: 'me', owner: 'ALL' },
  within: { isPublic: true, account: -1 },
  paths: [],
  runtime: undefined,
  limit,
  untilMs: sharedClockMs() + 60_000,
  code: { mode: 'literal', query, caseSensitive: true },
  context: 0,
  history: false,
});

/** What one thread finds, and the place after which it calls the others. */
function run(order: ThreadOrder, progress: Progress, share: Share, aloneMs: number) {
  const places: number[] = [];
  let aloneTo: number | undefined;
  const job = startJob({ catalogue, codes, names: undefined }, order, progress, share, {
    emit: ({ place }) => places.push(place),
    onLong(place) {
      expect(aloneTo).toBeUndefined();
      aloneTo = place;
    },
    aloneMs,
  });
  while (!job.next().done);
  return { places, aloneTo };
}

it.each(['every third', 'e', 'nowhere'])(
  'a thread alone at “%s” finds everything, or calls others that find the rest',
  (query) => {
    const order = orderOf(query);
    const all = run(order, createProgress(1, 100), { share: 0, shares: 1, alone: ALL_ALONE }, 0);
    expect(all.aloneTo).toBeUndefined();
    expect(all.places).toHaveLength({ 'every third': COUNT / 3, e: COUNT, nowhere: 0 }[query] ?? -1);
    const patient = run(order, createProgress(3, 100), { share: 0, shares: 3, alone: ALL_ALONE }, 60_000);
    expect(patient).toEqual(all);

    const progress = createProgress(3, 100);
    const first = run(order, progress, { share: 0, shares: 3, alone: ALL_ALONE }, -1);
    const rest = [1, 2].map((share) => {
      const its = createProgress(3, 100, progress.memory);
      return run(order, its, { share, shares: 3, alone: first.aloneTo ?? NONE_ALONE }, 0).places;
    });
    expect([first.places, ...rest].flat().sort((a, b) => a - b)).toEqual(all.places);
    if (query === 'e') for (const places of [first.places, ...rest]) expect(places.length).toBeGreaterThan(COUNT / 4);
  },
);

it('folds copies alike in one thread and in several, which each decide about their share', () => {
  const documents = new Documents();
  // Four functions with each document, and for each document another one that differs in a comment.
  const code = (n: number) => `const found = ${n % 5};${n < 5 ? '' : ' // a comment'}`;
  documents.change({
    segments: [],
    fresh: Array.from({ length: 10 }, (_, n) => freshCode(n, code(n))),
    dropped: [],
    gone: [],
  });
  const functions = Array.from({ length: 40 }, (_, n) =>
    entryOf(n % 10, { function_id: `f${String(n).padStart(2, '0')}`, score: (n * 7) % 40, versions: [[1, n % 10, n]] }),
  );
  const { catalogue: alike } = stored(functions);
  const found = (shares: number, query: string, limit = 100) => {
    const progress = createProgress(shares, limit);
    const all: FoundFunction[] = [];
    for (let share = 0; share < shares; share++) {
      const own = createProgress(shares, limit, progress.memory);
      const order = { ...orderOf(query, limit), isFolded: true };
      const job = startJob(
        { catalogue: alike, codes: documents, names: undefined },
        order,
        own,
        { share, shares, alone: NONE_ALONE },
        {
          emit: (one) => all.push(one),
          onLong: () => {},
        },
      );
      while (!job.next().done);
    }
    return all
      .sort((a, b) => a.place - b.place)
      .map(({ function_id, place, copies }) => [function_id, place, copies?.functions.map((each) => each.function_id)]);
  };
  const whole = found(1, 'found');
  expect(whole).toHaveLength(5);
  expect(whole).toContainEqual(['f00', expect.any(Number), ['f05', 'f10', 'f15', 'f20', 'f25', 'f30', 'f35']]);
  expect(found(1, 'comment')).toContainEqual(['f05', expect.any(Number), ['f15', 'f25', 'f35']]);
  for (const query of ['found', 'comment', '= 3'])
    for (const shares of [2, 3]) expect(found(shares, query), query).toEqual(found(1, query));
  expect(found(1, 'found', 2)).toEqual(whole.slice(0, 3));
});

const texts = ['const orders = await fetch(url);\n', '// (a.*b [c\n', '', '日本語\n', 'x'.repeat(2_000_000)];

it('warm-up searches for words of existing code, step by step, and ends', () => {
  const codes = new Documents();
  const fresh = texts.map((text, code) => freshCode(code, text));
  codes.change({ segments: [], fresh, dropped: [], gone: [] });
  const { catalogue } = stored(texts.map((text, code) => entryOf(code, { name: text.slice(0, 20) })));
  const names = new Names(catalogue.rows);
  catalogue.indexNames(names);
  const job = warmUp({ catalogue, codes, names }, { searchesMs: 60_000, eachMs: 60_000 });
  let steps = 0;
  let last = job.next();
  for (; !last.done; last = job.next()) steps += 1;
  expect(last.value).toBe('ALL');
  expect(steps).toBeGreaterThan(texts.length);
});
