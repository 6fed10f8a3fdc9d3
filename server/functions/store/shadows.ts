/** Shadows, and the stored requests that each uses; see shadows/shadower.ts. */
import { sql } from 'kysely';
import type { ShadowOutcome } from '../../../contract/states.ts';
import type { Db, Tx } from '../../platform/database/schema.ts';
import type { ShadowRequestsTable, ShadowsTable } from '../../platform/database/tables/function-tables.ts';

export type CountedShadow = ShadowsTable & { done: number; skipped: number };
export type NewRequest = Pick<
  ShadowRequestsTable,
  'run_id' | 'method' | 'path' | 'received_at' | 'stored_outcome' | 'stored_version' | 'stored_status'
>;
export type Result = Pick<
  ShadowRequestsTable,
  | 'before_outcome'
  | 'after_outcome'
  | 'before_ms'
  | 'after_ms'
  | 'before_hosts'
  | 'after_hosts'
  | 'response'
  | 'log'
  | 'differs'
  | 'before_result'
  | 'after_result'
>;

export async function insert(tx: Tx, account_id: string, shadow: Omit<ShadowsTable, 'account_id'>): Promise<void> {
  await tx
    .insertInto('shadows')
    .values({ account_id, ...shadow })
    .execute();
}

export async function insertRequests(
  tx: Tx,
  account_id: string,
  shadow_id: string,
  requests: readonly NewRequest[],
): Promise<void> {
  await tx
    .insertInto('shadow_requests')
    .values(
      requests.map((request) => ({ account_id, shadow_id, state: 'WAITING' as const, ...request, differs: false })),
    )
    .execute();
}

/** The number of the account's shadows in progress. Concurrent creations wait for this transaction. */
export async function countRunning(tx: Tx, account_id: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`shadows/${account_id}`}, 0))`.execute(tx);
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from shadows where account_id = ${account_id} and status = 'RUNNING'`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** The shadow of a function that is in progress. */
export async function running(db: Db | Tx, account_id: string, function_id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('shadows')
    .select('shadow_id')
    .where('account_id', '=', account_id)
    .where('function_id', '=', function_id)
    .where('status', '=', 'RUNNING')
    .executeTakeFirst();
  return row?.shadow_id;
}

const counted = (db: Db | Tx, account_id: string, function_id: string) =>
  db
    .selectFrom('shadows')
    .selectAll('shadows')
    .select((row) =>
      (['DONE', 'SKIPPED'] as const).map((state) =>
        row
          .selectFrom('shadow_requests as r')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .whereRef('r.account_id', '=', 'shadows.account_id')
          .whereRef('r.shadow_id', '=', 'shadows.shadow_id')
          .where('r.state', '=', state)
          .$asScalar()
          .$notNull()
          .as(state === 'DONE' ? ('done' as const) : ('skipped' as const)),
      ),
    )
    .where('account_id', '=', account_id)
    .where('function_id', '=', function_id);

export async function find(
  db: Db | Tx,
  account_id: string,
  function_id: string,
  shadow_id: string,
): Promise<CountedShadow | undefined> {
  return counted(db, account_id, function_id).where('shadow_id', '=', shadow_id).executeTakeFirst();
}

/** Newest first, after the shadow `before` if given. */
export async function list(
  db: Db,
  account_id: string,
  function_id: string,
  { limit, before }: { limit: number; before?: string | undefined },
): Promise<CountedShadow[]> {
  let query = counted(db, account_id, function_id);
  if (before) query = query.where('shadow_id', '<', before);
  return query.orderBy('shadow_id', 'desc').limit(limit).execute();
}

/** Ends a shadow that is in progress; returns whether it was. */
export async function end(
  tx: Db | Tx,
  account_id: string,
  shadow_id: string,
  change: Pick<ShadowsTable, 'status' | 'reason' | 'verdict' | 'findings' | 'deployed_at' | 'ended_at'>,
): Promise<boolean> {
  const ended = await tx
    .updateTable('shadows')
    .set({ ...change, next_at: null, node_id: null })
    .where('account_id', '=', account_id)
    .where('shadow_id', '=', shadow_id)
    .where('status', '=', 'RUNNING')
    .returning('shadow_id')
    .executeTakeFirst();
  return ended !== undefined;
}

/** Leases up to `limit` shadows that are due to this node. */
export async function claim(db: Db, node_id: string, leaseMs: number, limit: number): Promise<ShadowsTable[]> {
  const { rows } = await sql<ShadowsTable>`
    update shadows s set node_id = ${node_id}, next_at = now() + ${leaseMs} * interval '1 millisecond'
    from (
      select account_id, shadow_id from shadows where next_at <= now() order by next_at limit ${limit}
      for update skip locked
    ) due
    where s.account_id = due.account_id and s.shadow_id = due.shadow_id
    returning s.*
  `.execute(db);
  return rows;
}

/** Extends the lease of this node; returns whether the shadow is in progress and still leased to it. */
export async function renew(
  db: Db,
  { account_id, shadow_id }: Pick<ShadowsTable, 'account_id' | 'shadow_id'>,
  node_id: string,
  leaseMs: number,
): Promise<boolean> {
  const { rows } = await sql`
    update shadows set next_at = now() + ${leaseMs} * interval '1 millisecond'
    where account_id = ${account_id} and shadow_id = ${shadow_id} and status = 'RUNNING' and node_id = ${node_id}
    returning 1
  `.execute(db);
  return rows.length > 0;
}

/** Gives a shadow in progress to any node. */
export async function release(
  db: Db,
  { account_id, shadow_id }: Pick<ShadowsTable, 'account_id' | 'shadow_id'>,
  node_id: string,
): Promise<void> {
  await sql`
    update shadows set next_at = now(), node_id = null
    where account_id = ${account_id} and shadow_id = ${shadow_id} and status = 'RUNNING' and node_id = ${node_id}
  `.execute(db);
}

/** The next requests, the oldest first. */
export async function waiting(db: Db, account_id: string, shadow_id: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('shadow_requests')
    .select('run_id')
    .where('account_id', '=', account_id)
    .where('shadow_id', '=', shadow_id)
    .where('state', '=', 'WAITING')
    .orderBy('run_id')
    .limit(limit)
    .execute();
  return rows.map(({ run_id }) => run_id);
}

/** Stores the result of a request that waits, while the shadow is in progress. */
export async function settle(
  db: Db,
  account_id: string,
  shadow_id: string,
  run_id: string,
  change: ({ state: 'DONE'; reason: null } & Result) | { state: 'SKIPPED'; reason: string },
): Promise<void> {
  await db
    .updateTable('shadow_requests')
    .set(change)
    .where('account_id', '=', account_id)
    .where('shadow_id', '=', shadow_id)
    .where('run_id', '=', run_id)
    .where('state', '=', 'WAITING')
    .where((row) =>
      row.exists(
        row
          .selectFrom('shadows')
          .select('shadow_id')
          .where('account_id', '=', account_id)
          .where('shadow_id', '=', shadow_id)
          .where('status', '=', 'RUNNING'),
      ),
    )
    .execute();
}

/** The fields of a request without its responses and logs. */
const LISTED = [
  'run_id',
  'state',
  'reason',
  'method',
  'path',
  'received_at',
  'stored_outcome',
  'stored_version',
  'stored_status',
  'before_outcome',
  'after_outcome',
  'before_ms',
  'after_ms',
  'before_hosts',
  'after_hosts',
  'response',
  'log',
  'differs',
] as const satisfies (keyof ShadowRequestsTable)[];
/** `head`: status and error of a result, without its long parts. */
type Head = { before_head: string | null; after_head: string | null };
export type ListedRequest = Pick<ShadowRequestsTable, (typeof LISTED)[number]> & Head;

const head = (side: 'before' | 'after') =>
  sql<string | null>`json_build_object('response_status', ${sql.ref(`${side}_result`)}::json -> 'response_status',
    'error', ${sql.ref(`${side}_result`)}::json -> 'error')::text`.as(`${side}_head`);

/** Newest first, after the request `before` if given. */
export async function requests(
  db: Db,
  account_id: string,
  shadow_id: string,
  filter: { differs?: boolean | undefined },
  page: { limit: number; before?: string | undefined },
): Promise<ListedRequest[]> {
  let query = db
    .selectFrom('shadow_requests')
    .select([...LISTED])
    .select([head('before'), head('after')])
    .where('account_id', '=', account_id)
    .where('shadow_id', '=', shadow_id);
  if (filter.differs !== undefined) query = query.where('differs', '=', filter.differs);
  if (page.before) query = query.where('run_id', '<', page.before);
  return query.orderBy('run_id', 'desc').limit(page.limit).execute();
}

export async function request(
  db: Db,
  account_id: string,
  shadow_id: string,
  run_id: string,
): Promise<ShadowRequestsTable | undefined> {
  return db
    .selectFrom('shadow_requests')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('shadow_id', '=', shadow_id)
    .where('run_id', '=', run_id)
    .executeTakeFirst();
}

export type MatrixRow = { before: ShadowOutcome; after: ShadowOutcome; stored: ShadowOutcome; count: number };
export type Figures = {
  same_response: number;
  different_response: number;
  varying_response: number;
  same_log: number;
  different_log: number;
  varying_log: number;
  before_p50: number | null;
  before_p95: number | null;
  after_p50: number | null;
  after_p95: number | null;
  timeouts: number;
};
export type HostRow = { host: string; before: number; after: number };

/** The results of a shadow so far. */
export async function results(
  db: Db | Tx,
  account_id: string,
  shadow_id: string,
): Promise<{ matrix: MatrixRow[]; figures: Figures; hosts: HostRow[] }> {
  const done = sql`shadow_requests where account_id = ${account_id} and shadow_id = ${shadow_id} and state = 'DONE'`;
  const percentile = (part: number, column: string) =>
    sql`percentile_cont(${sql.lit(part)}) within group (order by ${sql.ref(column)})`;
  const equal = (column: string, value: string) => sql`count(*) filter (where ${sql.ref(column)} = ${value})::int`;
  const matrix = await sql<MatrixRow>`
    select before_outcome as before, after_outcome as after, stored_outcome as stored, count(*)::int as count
    from ${done} group by 1, 2, 3 order by 1, 2, 3`.execute(db);
  const figures = await sql<Figures>`
    select ${equal('response', 'SAME')} as same_response, ${equal('response', 'DIFFERENT')} as different_response,
      ${equal('response', 'VARIES')} as varying_response, ${equal('log', 'SAME')} as same_log,
      ${equal('log', 'DIFFERENT')} as different_log, ${equal('log', 'VARIES')} as varying_log,
      ${percentile(0.5, 'before_ms')} as before_p50, ${percentile(0.95, 'before_ms')} as before_p95,
      ${percentile(0.5, 'after_ms')} as after_p50, ${percentile(0.95, 'after_ms')} as after_p95,
      count(*) filter (where (after_result::json -> 'error' -> 'name')::text = '"Timeout"')::int as timeouts
    from ${done}`.execute(db);
  const hosts = await sql<HostRow>`
    select host, count(*) filter (where side = 'before')::int as before,
      count(*) filter (where side = 'after')::int as after
    from (
      select 'before' as side, json_array_elements_text(before_hosts::json) as host from ${done}
      union all
      select 'after', json_array_elements_text(after_hosts::json) from ${done}
    ) called
    group by host order by count(*) desc, host limit 100`.execute(db);
  const [found] = figures.rows;
  if (!found) throw new Error('an aggregate without a row');
  return { matrix: matrix.rows, figures: found, hosts: hosts.rows };
}

/** The newest runs of a function among the failures of a problem. */
export async function runsOfProblem(
  db: Db,
  account_id: string,
  function_id: string,
  problem_id: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ run_id: string }>`
    select distinct run_id from problem_failures
    where account_id = ${account_id} and problem_id = ${problem_id} and function_id = ${function_id}
      and run_id is not null
    order by run_id desc limit ${limit}`.execute(db);
  return rows.map(({ run_id }) => run_id);
}

/** Deletes shadows that were created before a time; returns how many. */
export async function deleteOld(db: Db, before: string, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from shadows where (account_id, shadow_id) in (
      select account_id, shadow_id from shadows where created_at < ${before}::timestamptz limit ${limit})
    returning 1`.execute(db);
  return rows.length;
}
