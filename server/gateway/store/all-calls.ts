/** Calls of all connections of an account, and those that were refused. */
import { type RawBuilder, sql } from 'kysely';
import type { Db, GatewayCallsTable } from '../../platform/database/schema.ts';
import { type CallFilter, pageOfIds } from './call-pages.ts';

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

/** Newest first, after `before`. `next`: the call after which the next page starts; null at the end. */
export async function page(
  db: Db,
  account_id: string,
  filter: CallFilter,
  { limit, before }: { limit: number; before?: string | undefined },
): Promise<{ rows: LoggedRow[]; next: string | null }> {
  const { ids, next } = await pageOfIds(db, account_id, filter, { limit, before, withRefused: true });
  if (ids.length === 0) return { rows: [], next };
  const are = sql`account_id = ${account_id} and call_id = any(${ids}::uuid[])`;
  return { rows: await read(db, account_id, are), next };
}

/** A call, passed or refused. */
export async function find(db: Db, account_id: string, call_id: string): Promise<LoggedRow | undefined> {
  const [row] = await read(db, account_id, sql`account_id = ${account_id} and call_id = ${call_id}`);
  return row;
}

async function read(db: Db, account_id: string, are: RawBuilder<unknown>): Promise<LoggedRow[]> {
  const { rows } = await sql<LoggedRow>`
    select f.*, c.name as connection_name, exists (
        select from captured_calls k where k.account_id = ${account_id} and k.call_id = f.call_id) as captured
    from (select ${PASSED} from gateway_calls where ${are} union all select ${REFUSED} from refused_calls where ${are}) f
    left join connections c on c.account_id = ${account_id} and c.connection_id = f.connection_id
    order by f.call_id desc
  `.execute(db);
  return rows;
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
