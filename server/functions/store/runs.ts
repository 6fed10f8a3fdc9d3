import { type RawBuilder, sql } from 'kysely';
import type { RunCaller, RunStatus } from '../../../contract/states.ts';
import { firstIdAt } from '../../lib/ids.ts';
import type { Db } from '../../platform/database/schema.ts';
import type { RunsTable } from '../../platform/database/tables/function-tables.ts';
import { patternsInJson } from '../../platform/database/text-in-json.ts';

export type NamedRun = RunsTable & { function_name: string };
/** The columns of a list; long ones of single runs are not read. */
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
  'caller',
  'key_id',
  'key_name',
] as const satisfies (keyof RunsTable)[];
export type ListedRun = Pick<NamedRun, (typeof LISTED)[number] | 'function_name'>;

/** Runs of existing functions: those of a deleted one are hidden until they are removed. */
const existing = (db: Db, account_id: string) =>
  db
    .selectFrom('runs')
    .innerJoin('functions', (join) =>
      join
        .onRef('functions.account_id', '=', 'runs.account_id')
        .onRef('functions.function_id', '=', 'runs.function_id'),
    )
    .where('runs.account_id', '=', account_id);

const named = (db: Db, account_id: string) => existing(db, account_id).select('functions.name as function_name');

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

/** FAILED: ended with an error or a time-out. */
export type AskedStatus = RunStatus | 'FAILED';
export type RunFilter = {
  function_id?: string | undefined;
  run_ids?: string[] | undefined;
  status?: AskedStatus | undefined;
  version?: number | undefined;
  caller?: RunCaller | undefined;
  key_id?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  min_ms?: number | undefined;
  max_ms?: number | undefined;
  /** Text in the stored data of the run, ignoring case. */
  q?: string | undefined;
};

/** After the run `before` if given, and not before the run `from`. */
export type RunWindow = { limit: number; before?: string | undefined; from?: string | undefined };

/** Newest first. */
export const list = (...asked: Parameters<typeof matching>): Promise<ListedRun[]> =>
  matching(...asked)
    .select('functions.name as function_name')
    .select(LISTED.map((name) => `runs.${name}` as const))
    .execute();

/** The ids of the same runs, without reading long columns. */
export const listIds = (...asked: Parameters<typeof matching>): Promise<Pick<ListedRun, 'run_id'>[]> =>
  matching(...asked)
    .select('runs.run_id')
    .execute();

function matching(db: Db, account_id: string, filter: RunFilter, page: RunWindow) {
  let query = existing(db, account_id).where(
    sql<boolean>`${sql.join([...timeTerms(filter), ...fieldTerms(filter)], sql` and `)}`,
  );
  if (filter.function_id) query = query.where('runs.function_id', '=', filter.function_id);
  if (filter.run_ids) query = query.where('runs.run_id', 'in', filter.run_ids);
  if (page.before) query = query.where('runs.run_id', '<', page.before);
  if (page.from) query = query.where('runs.run_id', '>=', page.from);
  return query.orderBy('runs.run_id', 'desc').limit(page.limit);
}

/** The last of the next `count` runs with the filter's function and time; undefined at the end. */
export async function edgeOf(
  db: Db,
  account_id: string,
  filter: RunFilter,
  before: string | undefined,
  size: number,
): Promise<string | undefined> {
  const terms = [sql`account_id = ${account_id}`, ...timeTerms(filter)];
  if (filter.function_id) terms.push(sql`function_id = ${filter.function_id}`);
  if (before) terms.push(sql`run_id < ${before}`);
  const { rows } = await sql<{ run_id: string }>`
    select run_id from runs where ${sql.join(terms, sql` and `)}
    order by run_id desc offset ${size - 1} limit 1`.execute(db);
  return rows[0]?.run_id;
}

/** Ids are created close to `created_at`, so they select the partitions of a time range. */
const MARGIN_MS = 60_000;

function timeTerms({ since, until }: RunFilter): RawBuilder<unknown>[] {
  const terms: RawBuilder<unknown>[] = [sql`true`];
  const around = (time: string, ms: number) => firstIdAt(Math.max(0, Date.parse(time) + ms));
  if (since) terms.push(sql`runs.run_id >= ${around(since, -MARGIN_MS)} and runs.created_at >= ${since}`);
  if (until) terms.push(sql`runs.run_id < ${around(until, MARGIN_MS)} and runs.created_at < ${until}`);
  return terms;
}

/** The number of lines of a log that are searched, from the first. */
const SEARCHED_LINES = 1_000;

/** Conditions on columns of `runs`. */
export function fieldTerms(filter: Omit<RunFilter, 'function_id' | 'since' | 'until'>): RawBuilder<unknown>[] {
  const { status, version, caller, key_id, min_ms, max_ms, q } = filter;
  const terms: RawBuilder<unknown>[] = [];
  if (status === 'FAILED') terms.push(sql`runs.status in ('ERROR', 'TIMEOUT')`);
  else if (status) terms.push(sql`runs.status = ${status}`);
  if (version !== undefined) terms.push(sql`runs.version = ${version}`);
  // Runs of an earlier release have only the delivery id.
  if (caller === 'EVENT')
    terms.push(sql`(runs.caller = 'EVENT' or runs.caller is null and runs.delivery_id is not null)`);
  else if (caller) terms.push(sql`runs.caller = ${caller}`);
  if (key_id) terms.push(sql`runs.key_id = ${key_id}`);
  if (min_ms !== undefined) terms.push(sql`runs.duration_ms >= ${min_ms}`);
  if (max_ms !== undefined) terms.push(sql`runs.duration_ms < ${max_ms}`);
  if (q) {
    const patterns = sql`any(${patternsInJson(q)}::text[])`;
    terms.push(sql`(runs.path ilike ${patterns} or runs.error ilike ${patterns} or runs.request ilike ${patterns}
      or not runs.response_base64 and runs.response_body ilike ${patterns} or runs.log ilike ${patterns}
      or exists (select from run_logs l where l.account_id = runs.account_id and l.run_id = runs.run_id
        and l.seq < ${SEARCHED_LINES} and l.message ilike ${patterns}))`);
  }
  return terms;
}

/** Ends every run in progress of other nodes than these; returns them. */
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

/** Removes up to `limit` runs of a function with their logs; returns their number. */
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
