import { sql } from 'kysely';
import { firstIdAt } from '../../lib/ids.ts';
import type { Db } from '../../platform/database/schema.ts';
import type { RefusedCallsTable } from '../../platform/database/tables/connection-tables.ts';

export type NewRefusal = RefusedCallsTable;

const UUID = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';

/** Adds calls to their rows, of any accounts. A named connection is stored only if the account of the call has it. */
export async function addCalls(db: Db, rows: readonly NewRefusal[]): Promise<void> {
  await sql`
    insert into refused_calls (account_id, call_id, connection_id, run_id, key_id, key_name, app, method, path, status,
      error, request_id, calls, last_at)
    select r.account_id, r.call_id, c.connection_id, r.run_id, r.key_id, r.key_name, r.app, r.method, r.path, r.status,
      r.error, r.request_id, r.calls, r.last_at
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as r(account_id uuid, call_id uuid, connection_id text, run_id uuid, key_id uuid, key_name text, app text,
        method text, path text, status int4, error text, request_id text, calls int8, last_at timestamptz)
    join accounts a on a.account_id = r.account_id
    left join connections c on c.account_id = r.account_id
      and c.connection_id = case when r.connection_id ~ ${UUID} then r.connection_id::uuid end
    on conflict (account_id, call_id) do update
      set calls = refused_calls.calls + excluded.calls, last_at = excluded.last_at
  `.execute(db);
}

/** Deletes a part of the rows before this time, of all accounts; returns how many. */
export async function removeBefore(db: Db, beforeMs: number, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from refused_calls where (account_id, call_id) in (
      select account_id, call_id from refused_calls where call_id < ${firstIdAt(beforeMs)} limit ${limit})
    returning 1
  `.execute(db);
  return rows.length;
}
