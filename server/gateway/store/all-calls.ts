/** Calls of all connections of an account, and those that were refused. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { firstIdAt } from '../../lib/ids.ts';
import type { Db, GatewayCallsTable } from '../../platform/database/schema.ts';

export type LoggedRow = Omit<GatewayCallsTable, 'account_id' | 'connection_id' | 'app'> & {
  connection_id: string | null;
  connection_name: string | null;
  app: string | null;
  refused: boolean;
  calls: number;
  /** Of refused calls. */
  last_at: string | null;
  captured: boolean;
};

export type LoggedFilter = {
  connection_id?: string | undefined;
  app?: string | undefined;
  path?: string | undefined;
  /** `404`, `4xx`, `none` or `refused`. */
  status?: string | undefined;
  method?: string | undefined;
  key_id?: string | undefined;
  run_id?: string | undefined;
  error?: string | undefined;
  min_duration_ms?: number | undefined;
  since_ms?: number | undefined;
  until_ms?: number | undefined;
};

/** From this duration on, calls are in the index of slow ones. */
const SLOW_MS = 1000;

/** Newest first; with `before`, only older calls. */
export async function list(
  db: Db,
  account_id: string,
  filter: LoggedFilter,
  { limit, before }: { limit: number; before?: string | undefined },
): Promise<LoggedRow[]> {
  const all = sql.join([...conditionsOf(account_id, filter), ...pageOf(before)], sql` and `);
  const { rows } = await sql<LoggedRow>`
    with found as (
      (select ${PASSED} from gateway_calls where ${filter.status === 'refused' ? sql`false` : all}
        ${passedOnly(filter)} order by call_id desc limit ${limit})
      union all
      (select ${REFUSED} from refused_calls where ${hasNoRefusals(filter) ? sql`false` : all}
        order by call_id desc limit ${limit})
      order by call_id desc limit ${limit})
    select f.*, c.name as connection_name, exists (
        select from captured_calls k where k.account_id = ${account_id} and k.call_id = f.call_id) as captured
    from found f left join connections c on c.account_id = ${account_id} and c.connection_id = f.connection_id
    order by f.call_id desc
  `.execute(db);
  return rows;
}

/** A call, passed or refused. */
export async function find(db: Db, account_id: string, call_id: string): Promise<LoggedRow | undefined> {
  const is = sql`account_id = ${account_id} and call_id = ${call_id}`;
  const { rows } = await sql<LoggedRow>`
    select f.*, c.name as connection_name, exists (
        select from captured_calls k where k.account_id = ${account_id} and k.call_id = f.call_id) as captured
    from (select ${PASSED} from gateway_calls where ${is} union all select ${REFUSED} from refused_calls where ${is}) f
    left join connections c on c.account_id = ${account_id} and c.connection_id = f.connection_id
    limit 1
  `.execute(db);
  return rows[0];
}

/** The problem that a failed call belongs to. */
export async function problemOf(
  db: Db,
  account_id: string,
  call_id: string,
): Promise<{ problem_id: string; title: string } | undefined> {
  const { rows } = await sql<{ problem_id: string; title: string }>`
    select p.problem_id, p.title from problems p
    where p.account_id = ${account_id} and exists (
      select from problem_failures f
      where f.account_id = p.account_id and f.problem_id = p.problem_id and f.subject_id = ${call_id})
    order by p.last_seen_at desc limit 1
  `.execute(db);
  return rows[0];
}

const PASSED = sql`call_id, connection_id, run_id, key_id, key_name, app, method, path, status, duration_ms,
  request_bytes, response_bytes, error, request_id, replay_of, false as refused, 1::float8 as calls, null::timestamptz as last_at`;
const REFUSED = sql`call_id, connection_id, run_id, key_id, key_name, app, method, path, status,
  0::float8 as duration_ms, 0::int8 as request_bytes, 0::int8 as response_bytes, error, request_id,
  null::uuid as replay_of, true as refused,
  calls::float8 as calls, last_at`;

function conditionsOf(account_id: string, filter: LoggedFilter): RawBuilder<SqlBool>[] {
  const { connection_id, app, path, status, method, key_id, run_id, error, since_ms, until_ms } = filter;
  const found = [sql<SqlBool>`account_id = ${account_id}`];
  if (connection_id !== undefined) found.push(sql`connection_id = ${connection_id}`);
  if (app !== undefined) found.push(sql`app = ${app}`);
  if (path !== undefined) found.push(sql`strpos(path, ${path}) > 0`);
  if (method !== undefined) found.push(sql`method = ${method}`);
  if (key_id !== undefined) found.push(sql`key_id = ${key_id}`);
  if (run_id !== undefined) found.push(sql`run_id = ${run_id}`);
  if (error !== undefined) found.push(sql`error is not null`, sql`strpos(lower(error), ${error.toLowerCase()}) > 0`);
  if (status !== undefined) found.push(...statusIs(status));
  if (since_ms !== undefined) found.push(sql`call_id >= ${firstIdAt(since_ms)}`);
  if (until_ms !== undefined) found.push(sql`call_id < ${firstIdAt(until_ms)}`);
  return found;
}

const pageOf = (before: string | undefined) => (before === undefined ? [] : [sql<SqlBool>`call_id < ${before}`]);

/** Literals, from which PostgreSQL concludes that an index of failed calls has them. */
function statusIs(status: string): RawBuilder<SqlBool>[] {
  if (status === 'refused') return [];
  if (status === 'none') return [sql`status is null`];
  if (!status.endsWith('xx')) return [sql`status = ${sql.lit(Number(status))}`];
  const first = Number(status[0]) * 100;
  return [sql`status >= ${sql.lit(first)}`, sql`status <= ${sql.lit(first + 99)}`];
}

/** The duration of refused calls is not measured. */
function passedOnly({ min_duration_ms }: LoggedFilter): RawBuilder<unknown> {
  if (min_duration_ms === undefined || min_duration_ms === 0) return sql``;
  const isSlow = min_duration_ms >= SLOW_MS ? sql`and duration_ms >= ${sql.lit(SLOW_MS)}` : sql``;
  return sql`and duration_ms >= ${min_duration_ms} ${isSlow}`;
}

const hasNoRefusals = ({ status, min_duration_ms = 0 }: LoggedFilter) =>
  status === 'none' || (status !== undefined && /^[123]/.test(status)) || min_duration_ms > 0;
