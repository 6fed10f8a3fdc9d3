/**
 * The log of a function over all runs, by time: merges the lines in separate rows with those in the rows of runs
 * (run-lines.ts), page by page.
 */
import { sql } from 'kysely';
import { firstIdAt, msOf } from '../../lib/ids.ts';
import type { Db } from '../../platform/database/schema.ts';
import { KEPT_SPAN_MS, keptLines, type LogWindow, type RunLogLine } from './run-lines.ts';

/** A line of one of several runs. */
export type FunctionLogLine = RunLogLine & { run_id: string; version: number };
/** The position of a line in the log of its function. */
export type LogKey = Pick<FunctionLogLine, 'at_ms' | 'run_id' | 'seq'>;
export type FunctionLogFilter = LogWindow & { version?: number | undefined; order: 'oldest' | 'newest' };

type LogPage = { limit: number; after?: LogKey | undefined };

/** Lines of all runs of a function by time, optionally after the line `after`. */
export async function listOfFunction(
  db: Db,
  account_id: string,
  function_id: string,
  filter: FunctionLogFilter,
  page: LogPage,
): Promise<FunctionLogLine[]> {
  const rows = await rowsOfFunction(db, account_id, function_id, filter, page);
  const last = rows.length === page.limit ? rows.at(-1) : undefined;
  const kept = await keptOfFunction(db, account_id, function_id, filter, page, last);
  return [...rows, ...kept].sort(comparing(filter.order)).slice(0, page.limit);
}

/** Compares the order of two lines. */
export const comparing = (order: FunctionLogFilter['order']) => {
  const sign = order === 'oldest' ? 1 : -1;
  return (a: LogKey, b: LogKey) =>
    sign * (a.at_ms - b.at_ms || (a.run_id < b.run_id ? -1 : a.run_id > b.run_id ? 1 : a.seq - b.seq));
};

/** The first lines that have separate rows. */
async function rowsOfFunction(
  db: Db,
  account_id: string,
  function_id: string,
  { from_ms, to_ms, version, order }: FunctionLogFilter,
  page: LogPage,
): Promise<FunctionLogLine[]> {
  const direction = order === 'oldest' ? 'asc' : 'desc';
  let query = db
    .selectFrom('run_logs as l')
    .innerJoin('runs as r', (join) =>
      join.onRef('r.account_id', '=', 'l.account_id').onRef('r.run_id', '=', 'l.run_id'),
    )
    .select(['l.run_id', 'l.seq', 'l.at_ms', 'l.level', 'l.message', 'r.version'])
    .where('l.account_id', '=', account_id)
    .where('l.function_id', '=', function_id);
  if (from_ms !== undefined) query = query.where('l.at_ms', '>=', from_ms);
  // No run logs before it exists.
  if (to_ms !== undefined) query = query.where('l.at_ms', '<=', to_ms).where('l.run_id', '<', idAt(to_ms + 1));
  if (version !== undefined) query = query.where('r.version', '=', version);
  if (page.after) {
    const { at_ms, run_id, seq } = page.after;
    const than = sql.raw(order === 'oldest' ? '>' : '<');
    query = query.where(
      sql<boolean>`(l.at_ms, l.run_id, l.seq) ${than} (${at_ms}::bigint, ${run_id}::uuid, ${seq}::int)`,
    );
  }
  return query
    .orderBy('l.at_ms', direction)
    .orderBy('l.run_id', direction)
    .orderBy('l.seq', direction)
    .limit(page.limit)
    .execute();
}

const FEW_RUNS = 20;
/** The latest time that an id can contain. */
const LAST_MS = 2 ** 48 - 1;
const idAt = (ms: number) => firstIdAt(Math.min(Math.max(0, ms), LAST_MS));

/**
 * Lines in the rows of runs: at least the first ones, and none after `last`. Runs are read by id, so by their start,
 * and their lines are within a fixed time after it.
 */
async function keptOfFunction(
  db: Db,
  account_id: string,
  function_id: string,
  { from_ms, to_ms, version, order }: FunctionLogFilter,
  { limit, after }: LogPage,
  last: LogKey | undefined,
): Promise<FunctionLogLine[]> {
  const isOldest = order === 'oldest';
  const [first, end] = isOldest ? [after, last] : [last, after];
  const fromMs = Math.max(from_ms ?? 0, first?.at_ms ?? 0);
  const toMs = Math.min(to_ms ?? LAST_MS, end?.at_ms ?? LAST_MS);
  const compare = comparing(order);
  const isAsked = (line: LogKey) => line.at_ms >= fromMs && line.at_ms <= toMs && (!after || compare(line, after) > 0);
  const found: FunctionLogLine[] = [];
  let edge: string | undefined;
  for (let most = Math.max(FEW_RUNS, Math.ceil(limit / 3)); ; most *= 2) {
    let query = db
      .selectFrom('runs')
      .select(['run_id', 'version', 'status', 'duration_ms', 'log'])
      .where('account_id', '=', account_id)
      .where('function_id', '=', function_id)
      .where('run_id', '>=', idAt(fromMs - KEPT_SPAN_MS))
      .where('run_id', '<', idAt(toMs + 1));
    if (edge) query = query.where('run_id', isOldest ? '>' : '<', edge);
    if (version !== undefined) query = query.where('version', '=', version);
    const runs = await query
      .orderBy('run_id', isOldest ? 'asc' : 'desc')
      .limit(most)
      .execute();
    for (const run of runs)
      for (const line of keptLines(run).lines) {
        const known = { ...line, run_id: run.run_id, version: run.version };
        if (isAsked(known)) found.push(known);
      }
    edge = runs.length === most ? runs.at(-1)?.run_id : undefined;
    if (!edge) return found;
    // Lines of further runs are later (or earlier, in descending order), so the page is complete up to there.
    const edgeMs = isOldest ? msOf(edge) : msOf(edge) + KEPT_SPAN_MS;
    const whole = found.filter(({ at_ms }) => (isOldest ? at_ms < edgeMs : at_ms > edgeMs)).length;
    if (whole >= limit) return found;
  }
}
