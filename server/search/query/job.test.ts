import { expect, it } from 'vitest';
import { Catalogue } from '../catalogue.ts';
import { Documents } from '../documents.ts';
import {
  ALL_ALONE,
  createProgress,
  NONE_ALONE,
  type Order,
  type Progress,
  type Share,
  sharedClockMs,
} from '../messages.ts';
import { Names } from '../names.ts';
import { entryOf, freshCode } from '../test/entries-support.ts';
import { startJob, warmUp } from './job.ts';

const COUNT = 60;
const entries = Array.from({ length: COUNT }, (_, code) => entryOf(code));
const codes = new Documents();
const catalogue = new Catalogue();
const fresh = entries.map(({ code }) => freshCode(code, `line of ${code % 3 === 0 ? 'every third' : 'another'} code`));
codes.change({ segments: [], fresh, dropped: [], gone: [] });
catalogue.change(entries, []);

const orderOf = (query: string, limit = 100): Order => ({
  scope: { account_id: 'me', owner: 'ALL' },
  paths: [],
  runtime: undefined,
  limit,
  untilMs: sharedClockMs() + 60_000,
  code: { mode: 'literal', query, caseSensitive: true },
  context: 0,
  history: false,
});

/** What one thread finds, and the place after which it calls the others. */
function run(order: Order, progress: Progress, share: Share, aloneMs: number) {
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

const texts = ['const orders = await fetch(url);\n', '// (a.*b [c\n', '', '日本語\n', 'x'.repeat(2_000_000)];

it('warm-up searches for words of existing code, step by step, and ends', () => {
  const names = new Names();
  const catalogue = new Catalogue();
  catalogue.indexNames(names);
  const codes = new Documents();
  const fresh = texts.map((text, code) => freshCode(code, text));
  codes.change({ segments: [], fresh, dropped: [], gone: [] });
  catalogue.change(
    texts.map((text, code) => entryOf(code, { name: text.slice(0, 20) })),
    [],
  );
  const job = warmUp({ catalogue, codes, names }, { searchesMs: 60_000, eachMs: 60_000 });
  let steps = 0;
  let last = job.next();
  for (; !last.done; last = job.next()) steps += 1;
  expect(last.value).toBe('ALL');
  expect(steps).toBeGreaterThan(texts.length);
});
