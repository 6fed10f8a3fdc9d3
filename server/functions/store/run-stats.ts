import { type RawBuilder, sql } from 'kysely';
import type { RunCaller } from '../../../contract/states.ts';
import { firstIdAt } from '../../lib/ids.ts';
import type { Db } from '../../platform/database/schema.ts';
import type { Timestamp } from '../../platform/database/tables/column-types.ts';
import { type AskedStatus, fieldTerms } from './runs.ts';

export type RunScope = {
  since_ms: number;
  function_id?: string | undefined;
  version?: number | undefined;
  status?: AskedStatus | undefined;
  caller?: RunCaller | undefined;
  key_id?: string | undefined;
  /** Only these runs. */
  run_ids?: string[] | undefined;
};

const scoped = (account_id: string, { since_ms, function_id, run_ids, ...fields }: RunScope) => {
  const terms: RawBuilder<unknown>[] = [sql`account_id = ${account_id}`, sql`run_id >= ${firstIdAt(since_ms)}`];
  if (function_id) terms.push(sql`function_id = ${function_id}`);
  if (run_ids) terms.push(sql`run_id = any(${run_ids}::uuid[])`);
  return sql.join([...terms, ...fieldTerms(fields)], sql` and `);
};
const indexOf = (since_ms: number, bucket_ms: number) =>
  sql`floor((extract(epoch from created_at) * 1000 - ${since_ms}::bigint) / ${bucket_ms}::bigint)::int`;
const FAILED = sql`count(*) filter (where status in ('ERROR', 'TIMEOUT'))`;

export type DurationBucket = { index: number; runs: number; failed: number };

/** Finished runs by the bucket of their duration; 0 is below the first edge. */
export async function durationBuckets(
  db: Db,
  account_id: string,
  scope: RunScope,
  edges: readonly number[],
): Promise<DurationBucket[]> {
  const { rows } = await sql<DurationBucket>`
    select width_bucket(duration_ms, ${[...edges]}::float8[]) as index, count(*) as runs, ${FAILED} as failed
    from runs where ${scoped(account_id, scope)} and duration_ms is not null
    group by 1 order by 1
  `.execute(db);
  return rows;
}

/** Runs by start time. Buckets without runs are omitted. */
export async function timeBuckets(
  db: Db,
  account_id: string,
  scope: RunScope,
  bucket_ms: number,
): Promise<DurationBucket[]> {
  const { rows } = await sql<DurationBucket>`
    select ${indexOf(scope.since_ms, bucket_ms)} as index, count(*) as runs, ${FAILED} as failed
    from runs where ${scoped(account_id, scope)}
    group by 1 order by 1
  `.execute(db);
  return rows;
}

export type RunFigures = { runs: number; failed: number; percentiles: [number, number, number] | null };

export async function figures(db: Db, account_id: string, scope: RunScope): Promise<RunFigures> {
  const { rows } = await sql<RunFigures>`
    select count(*) as runs, ${FAILED} as failed,
      percentile_disc(array[0.5, 0.95, 0.99]) within group (order by duration_ms) as percentiles
    from runs where ${scoped(account_id, scope)}
  `.execute(db);
  return rows[0] ?? { runs: 0, failed: 0, percentiles: null };
}

export type VersionFigures = {
  version: number;
  runs: number;
  failed: number;
  p50_ms: number | null;
  last_at: Timestamp;
};

/** The runs of a function by version, the most recently run version first. */
export async function versionFigures(
  db: Db,
  account_id: string,
  scope: RunScope & { function_id: string },
): Promise<VersionFigures[]> {
  const { rows } = await sql<VersionFigures>`
    select version, count(*) as runs, ${FAILED} as failed,
      percentile_disc(0.5) within group (order by duration_ms) as p50_ms, max(created_at) as last_at
    from runs where ${scoped(account_id, scope)}
    group by version order by last_at desc, version desc
  `.execute(db);
  return rows;
}

export type FunctionBucket = { function_id: string; index: number; runs: number; failed: number };

/** Runs of all functions by start time. Buckets without runs are omitted. */
export async function functionBuckets(
  db: Db,
  account_id: string,
  { since_ms, bucket_ms }: { since_ms: number; bucket_ms: number },
): Promise<FunctionBucket[]> {
  const { rows } = await sql<FunctionBucket>`
    select function_id, ${indexOf(since_ms, bucket_ms)} as index,
      count(*) as runs, ${FAILED} as failed
    from runs where ${scoped(account_id, { since_ms })}
      and exists (select from functions f where f.account_id = runs.account_id and f.function_id = runs.function_id)
    group by 1, 2 order by 1, 2
  `.execute(db);
  return rows;
}
