/** Measures each class of queries with all programs in turn. */
import { quantile } from '../quantile.ts';
import type { Query, QueryClass } from './queries.ts';
import type { Rival } from './rivals.ts';

/** Programs take turns after this part of the queries, because the speed of a machine varies from minute to minute. */
const PARTS = 4;
/** Duration of the warm-up before each part, and before the first class. */
const WARM_UP_MS = 1500;
/** A class that has this many queries and this total time is not measured further. */
const ENOUGH = { queries: 20, ms: 15_000 };

/** Only the first program takes part in ranked classes. `warmUpQueries` run before the measured ones. */
export async function* tableOf(
  classes: QueryClass[],
  warmUpQueries: QueryClass[],
  rivals: Rival[],
): AsyncGenerator<string, void> {
  yield `| p50 / p95 ms, CPU | ${rivals.map(({ name }) => name).join(' | ')} |`;
  yield `|---|${rivals.map(() => '---:').join('|')}|`;
  const rows = classes.map(({ name, queries, isRanked }) => {
    const takesPart = (rival: Rival, at: number) =>
      isRanked ? at === 0 : !(rival.isByLine && queries.some(({ isMultiLine }) => isMultiLine));
    const cells = rivals.map((rival, at) =>
      takesPart(rival, at) ? cellOf(rival, warmUpQueriesOf(name, queries, warmUpQueries)) : undefined,
    );
    return { name, queries, cells };
  });
  for (const { cells } of rows) for (const cell of cells) await cell?.warmUp();
  for (const { name, queries, cells } of rows) {
    const [first, ...measured] = queries;
    // The first query of a class is not measured: it fills the page cache for all programs.
    for (const cell of cells) if (first) await cell?.runOnce(first);
    const length = Math.ceil(measured.length / PARTS);
    for (let from = 0; from < measured.length; from += length)
      for (const cell of cells) await cell?.measure(measured.slice(from, from + length));
    yield `| ${name} | ${rivals.map((_, at) => cells[at]?.text() ?? '–').join(' | ')} |`;
  }
}

/** Warm-up queries of a class without the measured ones, which this service would serve from its cache. */
function warmUpQueriesOf(name: string, queries: Query[], warmUpQueries: QueryClass[]): Query[] {
  const own = new Set(queries.map(({ q }) => q));
  return warmUpQueries
    .filter((each) => each.name === name)
    .flatMap((each) => each.queries.filter(({ q }) => !own.has(q)));
}

function cellOf(rival: Rival, warmUpQueries: Query[]) {
  const times: number[] = [];
  let cpu = 0;
  const runOnce = async (query: Query) => void (await rival.find(query).catch(() => undefined));

  /**
   * Runs queries that are not measured. After an idle minute the machine has reclaimed unused memory, and V8 has not
   * yet optimised a new process.
   */
  async function warmUp() {
    if (!rival.keepsRunning) return;
    const startMs = performance.now();
    while (warmUpQueries.length > 0 && performance.now() - startMs < WARM_UP_MS)
      await runOnce(warmUpQueries.shift() as Query);
  }

  return {
    runOnce,
    warmUp,
    async measure(queries: Query[]) {
      const spentMs = times.reduce((sum, ms) => sum + ms, 0);
      if (times.length >= ENOUGH.queries && spentMs > ENOUGH.ms) return;
      await warmUp();
      const before = rival.cpu();
      for (const query of queries) {
        const startMs = performance.now();
        await runOnce(query);
        times.push(performance.now() - startMs);
      }
      cpu += rival.cpu() - before;
    },
    text: () =>
      `${shown(quantile(times, 0.5))} / ${shown(quantile(times, 0.95))}, ${shown((cpu * 1000) / times.length)}`,
  };
}

const shown = (ms: number) => (ms < 10 ? ms.toFixed(1) : ms.toFixed(0));
