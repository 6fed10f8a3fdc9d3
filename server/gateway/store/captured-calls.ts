import { sql } from 'kysely';
import { CAPTURE } from '../../../contract/limits.ts';
import { firstIdAt } from '../../lib/ids.ts';
import type { Db } from '../../platform/database/schema.ts';
import type { CapturedCallsTable } from '../../platform/database/tables/connection-tables.ts';

/** Stores captured calls, of any accounts. Those of deleted connections are skipped; each account keeps the newest. */
export async function insert(db: Db, rows: readonly CapturedCallsTable[]): Promise<void> {
  const accounts = [...new Set(rows.map(({ account_id }) => account_id))];
  await db.transaction().execute(async (tx) => {
    await sql`
      insert into captured_calls (account_id, call_id, connection_id, request, response, bytes)
      select r.account_id, r.call_id, r.connection_id, r.request, r.response, r.bytes
      from json_to_recordset(${JSON.stringify(rows)}::json)
        as r(account_id uuid, call_id uuid, connection_id uuid, request text, response text, bytes int4)
      join connections c on c.account_id = r.account_id and c.connection_id = r.connection_id
      on conflict do nothing
    `.execute(tx);
    await sql`
      delete from captured_calls k using unnest(${accounts}::uuid[]) as a(account_id)
      where k.account_id = a.account_id and k.call_id <= (
        select o.call_id from captured_calls o where o.account_id = a.account_id
        order by o.call_id desc offset ${CAPTURE.calls} limit 1)
    `.execute(tx);
  });
}

export async function find(db: Db, account_id: string, call_id: string): Promise<CapturedCallsTable | undefined> {
  return db
    .selectFrom('captured_calls')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('call_id', '=', call_id)
    .executeTakeFirst();
}

/** Deletes a part of the captured calls before this time, of all accounts; returns how many. */
export async function removeBefore(db: Db, beforeMs: number, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from captured_calls where (account_id, call_id) in (
      select account_id, call_id from captured_calls where call_id < ${firstIdAt(beforeMs)} limit ${limit})
    returning 1
  `.execute(db);
  return rows.length;
}
