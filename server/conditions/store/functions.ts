import { sql } from 'kysely';
import { firstIdAt } from '../../lib/ids.ts';
import type { Tx } from '../../platform/database/schema.ts';

export type FunctionRuns = {
  function_id: string;
  name: string;
  /** Finished runs that were read, the failed ones, and the failed ones since the last success. */
  runs: number;
  failed: number;
  in_a_row: number;
  /** The first run of that row. */
  first_id: string | null;
  /** The last failed run. */
  last_id: string | null;
  version: number | null;
  error: string | null;
};
const FUNCTIONS = 1_000;

/**
 * The last `limit` finished runs since `fromMs` of each function that has one. Without runs that a user started, and
 * without those that deliver events of the source `sluice`. `onlyFailing`: only functions whose last run failed, and
 * those with `ids`.
 */
export async function lastRuns(
  tx: Tx,
  account_id: string,
  { fromMs, limit, onlyFailing, ids }: { fromMs: number; limit: number; onlyFailing: boolean; ids: string[] },
): Promise<FunctionRuns[]> {
  const counted = sql`r.account_id = ${account_id} and r.function_id = f.function_id
    and r.run_id >= ${firstIdAt(fromMs)} and r.status <> 'RUNNING'
    and (r.caller is null or r.caller not in ('CONSOLE', 'TEST', 'BISECT'))
    and (r.trigger_id is null or not exists (
      select from triggers t where t.account_id = r.account_id and t.trigger_id = r.trigger_id and t.source = 'sluice'))`;
  const isFailed = sql`status in ('ERROR', 'TIMEOUT')`;
  const { rows } = await sql<FunctionRuns>`
    with f as materialized (
      select function_id, name from functions where account_id = ${account_id} order by function_id desc limit ${FUNCTIONS}
    ), last as materialized (
      select f.function_id, f.name from f cross join lateral (
        select r.status from runs r where ${counted} order by r.run_id desc limit 1
      ) r where ${!onlyFailing} or r.${isFailed} or f.function_id = any(${ids}::uuid[])
    )
    select f.function_id, f.name, n.runs, n.failed, n.in_a_row, n.first_id, n.last_id, e.version,
      e.error::json ->> 'name' || ': ' || (e.error::json ->> 'message') as error
    from last f cross join lateral (
      select count(*)::int as runs, count(*) filter (where ${isFailed})::int as failed,
        count(*) filter (where successes = 0)::int as in_a_row,
        (array_agg(run_id order by run_id) filter (where successes = 0))[1] as first_id,
        (array_agg(run_id order by run_id desc) filter (where ${isFailed}))[1] as last_id
      from (
        select run_id, status, count(*) filter (where status = 'OK') over (order by run_id desc) as successes from (
          select r.run_id, r.status from runs r where ${counted} order by r.run_id desc limit ${limit}
        ) r
      ) r
    ) n left join lateral (
      select r.version, r.error from runs r where r.account_id = ${account_id} and r.run_id = n.last_id
    ) e on true
  `.execute(tx);
  return rows;
}

/** The ids of those functions that exist. */
export async function existing(tx: Tx, account_id: string, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await tx
    .selectFrom('functions')
    .select('function_id')
    .where('account_id', '=', account_id)
    .where('function_id', 'in', ids)
    .execute();
  return new Set(rows.map(({ function_id }) => function_id));
}
