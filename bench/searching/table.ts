/** Each class of queries, asked of all in turn: what it took them. */
import { quantile } from '../quantile.ts';
import type { Query, QueryClass } from './queries.ts';
import type { Rival } from './rivals.ts';

/** All are asked a part of the queries, then the next, as machines get slower and faster by the minute. */
const PARTS = 4;
/** So long others of the class are asked before each part, and before the first of all classes. */
const OTHERS_MS = 1500;
/** Of those that take seconds no more than the least are measured. */
const LEAST = { queries: 20, ms: 15_000 };

/** The first of them takes part in every class. `others` are queries to ask before those that are measured. */
export async function* tableOf(
  classes: QueryClass[],
  others: QueryClass[],
  rivals: Rival[],
): AsyncGenerator<string, void> {
  yield `| p50 / p95 ms, CPU | ${rivals.map(({ name }) => name).join(' | ')} |`;
  yield `|---|${rivals.map(() => '---:').join('|')}|`;
  const rows = classes.map(({ name, queries, isRanked }) => {
    const cells = rivals
      .slice(0, isRanked ? 1 : undefined)
      .map((rival) => cellOf(rival, without(name, queries, others)));
    return { name, queries, cells };
  });
  for (const { cells } of rows) for (const cell of cells) await cell.askOthers();
  for (const { name, queries, cells } of rows) {
    const [first, ...measured] = queries;
    // What is read for the first time is read for all.
    for (const cell of cells) if (first) await cell.askOnce(first);
    const length = Math.ceil(measured.length / PARTS);
    for (let from = 0; from < measured.length; from += length)
      for (const cell of cells) await cell.measure(measured.slice(from, from + length));
    yield `| ${name} | ${rivals.map((_, at) => cells[at]?.text() ?? '–').join(' | ')} |`;
  }
}

/** No query is asked twice, as ours would know the answer. */
function without(name: string, queries: Query[], others: QueryClass[]): Query[] {
  const own = new Set(queries.map(({ q }) => q));
  return others.filter((each) => each.name === name).flatMap((each) => each.queries.filter(({ q }) => !own.has(q)));
}

function cellOf(rival: Rival, others: Query[]) {
  const times: number[] = [];
  let cpu = 0;
  const askOnce = async (query: Query) => void (await rival.find(query).catch(() => undefined));

  /**
   * What runs all the time is asked in the middle of its work: after a minute of nothing, machines have taken back
   * memory that no one used, and what has just been started has compiled nothing yet.
   */
  async function askOthers() {
    if (!rival.keepsRunning) return;
    const startMs = performance.now();
    while (others.length > 0 && performance.now() - startMs < OTHERS_MS) await askOnce(others.shift() as Query);
  }

  return {
    askOnce,
    askOthers,
    async measure(queries: Query[]) {
      const spentMs = times.reduce((sum, ms) => sum + ms, 0);
      if (times.length >= LEAST.queries && spentMs > LEAST.ms) return;
      await askOthers();
      const before = rival.cpu();
      for (const query of queries) {
        const startMs = performance.now();
        await askOnce(query);
        times.push(performance.now() - startMs);
      }
      cpu += rival.cpu() - before;
    },
    text: () =>
      `${shown(quantile(times, 0.5))} / ${shown(quantile(times, 0.95))}, ${shown((cpu * 1000) / times.length)}`,
  };
}

const shown = (ms: number) => (ms < 10 ? ms.toFixed(1) : ms.toFixed(0));
