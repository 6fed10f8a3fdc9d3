/** Queries of triggers for deliveries: existence, and the time of the last event. */
import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/schema.ts';

/** Whether the account has this trigger. */
export async function exists(db: Db, account_id: string, trigger_id: string): Promise<boolean> {
  return (await find(db, account_id, trigger_id).executeTakeFirst()) !== undefined;
}

/** The same, locked against deletion until the transaction ends. */
export async function lock(tx: Tx, account_id: string, trigger_id: string): Promise<boolean> {
  return (await find(tx, account_id, trigger_id).forUpdate().executeTakeFirst()) !== undefined;
}

const find = (db: Db | Tx, account_id: string, trigger_id: string) =>
  db
    .selectFrom('triggers')
    .select('trigger_id')
    .where('account_id', '=', account_id)
    .where('trigger_id', '=', trigger_id);

/** Stores the time of each trigger's last event. Sorted by id, which prevents deadlocks. */
export async function noteLastEvents(
  db: Db,
  events: { account_id: string; trigger_id: string; at: string }[],
): Promise<void> {
  await sql`
    with latest as (
      select account_id, trigger_id, max(at) as at
      from json_to_recordset(${JSON.stringify(events)}::json) as r(account_id uuid, trigger_id uuid, at timestamptz)
      group by account_id, trigger_id
    ), locked as (
      select t.account_id, t.trigger_id, latest.at from triggers t join latest using (account_id, trigger_id)
      where t.last_event_at is null or t.last_event_at < latest.at
      order by t.trigger_id for no key update of t
    )
    update triggers t set last_event_at = locked.at from locked
    where t.account_id = locked.account_id and t.trigger_id = locked.trigger_id
  `.execute(db);
}
