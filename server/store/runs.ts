import { sql } from 'kysely';
import type { RunStatus } from '../../contract/states.ts';
import type { RunsTable } from './function-tables.ts';
import type { Db } from './schema.ts';

export type NamedRun = RunsTable & { function_name: string };
/** What a list shows of a run; what is long and belongs to one run isn't read for many. */
const LISTED = [
  'run_id',
  'function_id',
  'version',
  'status',
  'method',
  'path',
  'response_status',
  'duration_ms',
  'created_at',
  'error',
  'trigger_id',
  'event_id',
  'delivery_id',
  'attempt',
] as const satisfies (keyof RunsTable)[];
export type ListedRun = Pick<NamedRun, (typeof LISTED)[number] | 'function_name'>;

/** Runs of functions that are there: those of a deleted one wait for their removal unseen. */
const named = (db: Db, account_id: string) =>
  db
    .selectFrom('runs')
    .innerJoin('functions', (join) =>
      join
        .onRef('functions.account_id', '=', 'runs.account_id')
        .onRef('functions.function_id', '=', 'runs.function_id'),
    )
    .select('functions.name as function_name')
    .where('runs.account_id', '=', account_id);

export async function find(
  db: Db,
  account_id: string,
  function_id: string,
  run_id: string,
): Promise<NamedRun | undefined> {
  return named(db, account_id)
    .selectAll('runs')
    .where('runs.function_id', '=', function_id)
    .where('runs.run_id', '=', run_id)
    .executeTakeFirst();
}

export type RunFilter = {
  function_id?: string | undefined;
  status?: RunStatus | undefined;
  version?: number | undefined;
  since?: string | undefined;
  until?: string | undefined;
  min_ms?: number | undefined;
  max_ms?: number | undefined;
};

/** Newest first, after the run `before` when one is given. */
export async function list(
  db: Db,
  account_id: string,
  filter: RunFilter,
  page: { limit: number; before?: string | undefined },
): Promise<ListedRun[]> {
  let query = named(db, account_id).select(LISTED.map((name) => `runs.${name}` as const));
  if (filter.function_id) query = query.where('runs.function_id', '=', filter.function_id);
  if (filter.status) query = query.where('runs.status', '=', filter.status);
  if (filter.version !== undefined) query = query.where('runs.version', '=', filter.version);
  if (filter.since) query = query.where('runs.created_at', '>=', filter.since);
  if (filter.until) query = query.where('runs.created_at', '<', filter.until);
  if (filter.min_ms !== undefined) query = query.where('runs.duration_ms', '>=', filter.min_ms);
  if (filter.max_ms !== undefined) query = query.where('runs.duration_ms', '<', filter.max_ms);
  if (page.before) query = query.where('runs.run_id', '<', page.before);
  return query.orderBy('runs.run_id', 'desc').limit(page.limit).execute();
}

/** Ends every run that another node than these left going on; answers which. */
export async function endOrphans(
  db: Db,
  alive: string[],
  error: string,
  at: string,
): Promise<Pick<RunsTable, 'account_id' | 'run_id' | 'function_id'>[]> {
  return db
    .updateTable('runs')
    .set({ status: 'ERROR', error, ended_at: at })
    .where('status', '=', 'RUNNING')
    .where('node_id', 'not in', alive)
    .returning(['account_id', 'run_id', 'function_id'])
    .execute();
}

/** Removes up to `limit` runs of a function with their logs; answers how many. */
export async function removeSome(db: Db, account_id: string, function_id: string, limit: number): Promise<number> {
  const { rows } = await sql<{ removed: number }>`
    with gone as (
      delete from runs where account_id = ${account_id} and run_id in (
        select run_id from runs where account_id = ${account_id} and function_id = ${function_id} limit ${limit})
      returning run_id),
    logs as (delete from run_logs where account_id = ${account_id} and run_id in (select run_id from gone))
    select count(*) as removed from gone
  `.execute(db);
  return rows[0]?.removed ?? 0;
}
