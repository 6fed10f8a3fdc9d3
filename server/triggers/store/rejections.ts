import { sql } from 'kysely';
import type { Db, RejectionsTable } from '../../platform/database/schema.ts';

/** Inserts rejected requests of any accounts in one statement. Rows already stored are skipped. */
export async function insert(db: Db, rows: RejectionsTable[]): Promise<void> {
  await sql`
    insert into rejections (account_id, rejection_id, trigger_id, cause, message, method, headers, body, bytes, ip,
      request_id)
    select account_id, rejection_id, trigger_id, cause, message, method, headers, body, bytes, ip, request_id
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as r(account_id uuid, rejection_id uuid, trigger_id uuid, cause text, message text, method text, headers text,
        body text, bytes bigint, ip text, request_id text)
    on conflict do nothing
  `.execute(db);
}

/** Newest first; with `before`, only older ones. */
export async function list(
  db: Db,
  account_id: string,
  trigger_id: string,
  page: { limit: number; before?: string | undefined },
): Promise<RejectionsTable[]> {
  let query = db
    .selectFrom('rejections')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('trigger_id', '=', trigger_id);
  if (page.before) query = query.where('rejection_id', '<', page.before);
  return query.orderBy('rejection_id', 'desc').limit(page.limit).execute();
}
