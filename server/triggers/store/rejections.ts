import { sql } from 'kysely';
import type { Db, RejectionsTable, Tx } from '../../platform/database/schema.ts';

/** Inserts rejected requests of any accounts in one statement. Rows already stored are skipped. */
export async function insert(db: Db, rows: RejectionsTable[]): Promise<void> {
  const given = rows.map((row) => ({ ...row, whole_body: row.whole_body?.toString('base64') ?? null }));
  await sql`
    insert into rejections (account_id, rejection_id, trigger_id, cause, message, method, headers, body, bytes, ip,
      request_id, request, whole_body)
    select account_id, rejection_id, trigger_id, cause, message, method, headers, body, bytes, ip, request_id, request,
      decode(whole_body, 'base64')
    from json_to_recordset(${JSON.stringify(given)}::json)
      as r(account_id uuid, rejection_id uuid, trigger_id uuid, cause text, message text, method text, headers text,
        body text, bytes bigint, ip text, request_id text, request text, whole_body text)
    on conflict do nothing
  `.execute(db);
}

/** `is_whole`: the request is stored as a whole. */
export type ListedRejection = Omit<RejectionsTable, 'request' | 'whole_body' | 'request_id'> & { is_whole: boolean };

/** Newest first; with `before`, only older ones. */
export async function list(
  db: Db,
  account_id: string,
  trigger_id: string,
  page: { limit: number; before?: string | undefined },
): Promise<ListedRejection[]> {
  let query = db
    .selectFrom('rejections')
    .select(['account_id', 'rejection_id', 'trigger_id', 'cause', 'message', 'method', 'headers', 'body', 'bytes'])
    .select(['ip', 'event_id', sql<boolean>`request is not null`.as('is_whole')])
    .where('account_id', '=', account_id)
    .where('trigger_id', '=', trigger_id);
  if (page.before) query = query.where('rejection_id', '<', page.before);
  return query.orderBy('rejection_id', 'desc').limit(page.limit).execute();
}

/** Locks a rejection of this trigger. */
export async function lock(
  tx: Tx,
  account_id: string,
  trigger_id: string,
  rejection_id: string,
): Promise<RejectionsTable | undefined> {
  return tx
    .selectFrom('rejections')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('trigger_id', '=', trigger_id)
    .where('rejection_id', '=', rejection_id)
    .forUpdate()
    .executeTakeFirst();
}

/** Notes the event that a rejection was accepted as. */
export async function accepted(tx: Tx, account_id: string, rejection_id: string, event_id: string): Promise<void> {
  await tx
    .updateTable('rejections')
    .set({ event_id })
    .where('account_id', '=', account_id)
    .where('rejection_id', '=', rejection_id)
    .execute();
}
