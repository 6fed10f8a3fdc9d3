import { sql } from 'kysely';
import { firstIdAt } from '../../lib/ids.ts';
import type { Db } from '../../platform/database/schema.ts';
import type { RunsTable } from '../../platform/database/tables/function-tables.ts';
import { comparing, type FunctionLogLine } from './function-logs.ts';
import { keptLines, type LogWindow, type RunLogLine } from './run-lines.ts';

/** Lines of a run, oldest first, optionally after `after`. */
export async function list(
  db: Db,
  account_id: string,
  run: RunsTable,
  { from_ms = Number.NEGATIVE_INFINITY, to_ms = Number.POSITIVE_INFINITY }: LogWindow,
  page: { limit: number; after?: number | undefined },
): Promise<RunLogLine[]> {
  const { lines, isWhole } = keptLines(run);
  const after = page.after ?? -1;
  const kept = lines.filter(({ seq, at_ms }) => seq > after && at_ms >= from_ms && at_ms <= to_ms).slice(0, page.limit);
  if (isWhole || kept.length === page.limit) return kept;
  let query = db
    .selectFrom('run_logs')
    .select(['seq', 'at_ms', 'level', 'message'])
    .where('account_id', '=', account_id)
    .where('run_id', '=', run.run_id)
    .where('seq', '>', Math.max(after, lines.length - 1));
  if (Number.isFinite(from_ms)) query = query.where('at_ms', '>=', from_ms);
  if (Number.isFinite(to_ms)) query = query.where('at_ms', '<=', to_ms);
  return [
    ...kept,
    ...(await query
      .orderBy('seq')
      .limit(page.limit - kept.length)
      .execute()),
  ];
}

/** A run whose lines are read repeatedly, from `after`. */
export type FollowedRun = {
  run_id: string;
  version: number;
  ended: boolean;
  after: number;
  /** Lines stored in its row, and whether they are all of its lines. */
  kept: RunLogLine[];
  isWhole: boolean;
};

/**
 * Runs of a function that are in progress, or have lines since a time: each with its last line before it. With
 * `run_ids` only those runs, with all of their lines. Returns the newest `limit` runs.
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
      ? sql`null::int`
      : sql`(select max(l.seq) from run_logs l
     where l.account_id = r.account_id and l.run_id = r.run_id and l.at_ms < ${given.since_ms}::bigint)`;
  const { rows } = await sql<FoundRun>`
    select r.run_id, r.version, r.status, r.duration_ms, r.log, ${before} as before from runs r
    where r.account_id = ${account_id} and r.function_id = ${function_id} and ${which} ${ofVersion}
    order by r.run_id desc limit ${limit}
  `.execute(db);
  const since_ms = 'run_ids' in given ? Number.NEGATIVE_INFINITY : given.since_ms;
  return rows.map((run) => {
    const { lines, isWhole } = keptLines(run);
    const kept = lines.filter(({ at_ms }) => at_ms >= since_ms);
    const after = run.before ?? lines.length - kept.length - 1;
    const { run_id, version, status } = run;
    return { run_id, version, ended: status !== 'RUNNING', after, kept, isWhole };
  });
}

type FoundRun = Pick<RunsTable, 'run_id' | 'version' | 'status' | 'duration_ms' | 'log'> & { before: number | null };

/** A run with lines since a time began at most this much earlier. */
const LONGEST_RUN_MS = 3_600_000;

/** The next lines of each run: those in its row, and up to `limitEach` others. */
export async function linesAfter(
  db: Db,
  account_id: string,
  runs: readonly FollowedRun[],
  limitEach: number,
): Promise<Omit<FunctionLogLine, 'version'>[]> {
  const kept = runs.flatMap(({ run_id, kept: lines, after }) =>
    lines.filter(({ seq }) => seq > after).map((line) => ({ ...line, run_id })),
  );
  const others = runs.filter(({ isWhole }) => !isWhole);
  if (others.length === 0) return kept.sort(byTime);
  const after = others.map((run) => Math.max(run.after, run.kept.at(-1)?.seq ?? -1));
  const { rows } = await sql<Omit<FunctionLogLine, 'version'>>`
    select l.run_id, l.seq, l.at_ms, l.level, l.message
    from unnest(${others.map((run) => run.run_id)}::uuid[], ${after}::int[]) as f(run_id, after),
      lateral (
        select * from run_logs
        where account_id = ${account_id} and run_id = f.run_id and seq > f.after order by seq limit ${limitEach}
      ) l
  `.execute(db);
  return [...kept, ...rows].sort(byTime);
}

const byTime = comparing('oldest');
