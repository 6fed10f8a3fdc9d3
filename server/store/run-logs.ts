import { sql } from 'kysely';
import { firstIdAt } from '../lib/ids.ts';
import type { RunLogsTable } from './function-tables.ts';
import type { RunLogLine } from './run-batch.ts';
import type { Db } from './schema.ts';

/** A line as a reader of many runs sees it. */
export type FunctionLogLine = RunLogLine & { run_id: string; version: number };

export type LogWindow = { from_ms?: number | undefined; to_ms?: number | undefined };

/** Lines of a run, oldest first, after `after` when it is given. */
export async function list(
  db: Db,
  account_id: string,
  run_id: string,
  { from_ms, to_ms }: LogWindow,
  page: { limit: number; after?: number | undefined },
): Promise<RunLogsTable[]> {
  let query = db.selectFrom('run_logs').selectAll().where('account_id', '=', account_id).where('run_id', '=', run_id);
  if (from_ms !== undefined) query = query.where('at_ms', '>=', from_ms);
  if (to_ms !== undefined) query = query.where('at_ms', '<=', to_ms);
  if (page.after !== undefined) query = query.where('seq', '>', page.after);
  return query.orderBy('seq').limit(page.limit).execute();
}

/** Where a line stands among those of its function. */
export type LogKey = Pick<FunctionLogLine, 'at_ms' | 'run_id' | 'seq'>;
export type FunctionLogFilter = LogWindow & { version?: number | undefined; order: 'oldest' | 'newest' };

/** Lines of every run of a function by their time, after the line `after` when it is given. */
export async function listOfFunction(
  db: Db,
  account_id: string,
  function_id: string,
  { from_ms, to_ms, version, order }: FunctionLogFilter,
  page: { limit: number; after?: LogKey | undefined },
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
  // No run speaks before it is there.
  if (to_ms !== undefined) query = query.where('l.at_ms', '<=', to_ms).where('l.run_id', '<', firstIdAt(to_ms + 1));
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

export type FollowedRun = { run_id: string; version: number; ended: boolean; after: number };

/**
 * Runs of a function that go on, or have lines since then: each with its last line before that. With `run_ids` only
 * those, with all of their lines. The newest `limit` of them.
 */
export async function runsToFollow(
  db: Db,
  account_id: string,
  function_id: string,
  given: { since_ms: number; version?: number | undefined } | { run_ids: string[]; version?: number | undefined },
  limit: number,
): Promise<FollowedRun[]> {
  const ofVersion = given.version === undefined ? sql`` : sql`and r.version = ${given.version}`;
  const which =
    'run_ids' in given
      ? sql`r.run_id = any(${given.run_ids}::uuid[])`
      : sql`(r.status = 'RUNNING' or (r.run_id >= ${firstIdAt(given.since_ms - LONGEST_RUN_MS)}
          and r.ended_at >= to_timestamp(${given.since_ms / 1000}::float8)))`;
  const before =
    'run_ids' in given
      ? sql`-1`
      : sql`coalesce(
    (select max(l.seq) from run_logs l
     where l.account_id = r.account_id and l.run_id = r.run_id and l.at_ms < ${given.since_ms}::bigint), -1)`;
  const { rows } = await sql<FollowedRun>`
    select r.run_id, r.version, r.status <> 'RUNNING' as ended, ${before} as after from runs r
    where r.account_id = ${account_id} and r.function_id = ${function_id} and ${which} ${ofVersion}
    order by r.run_id desc limit ${limit}
  `.execute(db);
  return rows;
}

/** A run that ended since then began no earlier than this before. */
const LONGEST_RUN_MS = 3_600_000;

/** The next lines of each of these runs. */
export async function linesAfter(
  db: Db,
  account_id: string,
  runs: Pick<FollowedRun, 'run_id' | 'after'>[],
  limitEach: number,
): Promise<Omit<FunctionLogLine, 'version'>[]> {
  const { rows } = await sql<Omit<FunctionLogLine, 'version'>>`
    select l.run_id, l.seq, l.at_ms, l.level, l.message
    from unnest(${runs.map((run) => run.run_id)}::uuid[], ${runs.map((run) => run.after)}::int[]) as f(run_id, after),
      lateral (
        select * from run_logs
        where account_id = ${account_id} and run_id = f.run_id and seq > f.after order by seq limit ${limitEach}
      ) l
    order by l.at_ms, l.run_id, l.seq
  `.execute(db);
  return rows;
}
