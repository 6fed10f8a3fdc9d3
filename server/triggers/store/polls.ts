import { sql } from 'kysely';
import type { Db, TriggersTable } from '../../platform/database/schema.ts';

/** Claims triggers of all accounts that are due, by moving their next poll to `until`. */
export async function claim(db: Db, until: string, limit: number): Promise<TriggersTable[]> {
  const { rows } = await sql<TriggersTable>`
    update triggers t set next_poll_at = ${until}::timestamptz
    from (
      select account_id, trigger_id from triggers where next_poll_at <= now() and source <> 'sluice' order by next_poll_at limit ${limit}
      for update skip locked
    ) due
    where t.account_id = due.account_id and t.trigger_id = due.trigger_id
    returning t.*
  `.execute(db);
  return rows;
}

/** Milliseconds until the next poll of any account; null without one. */
export async function untilNext(db: Db): Promise<number | null> {
  const { rows } = await sql<{ ms: number | null }>`
    select (extract(epoch from min(next_poll_at) - now()) * 1000)::float8 as ms from triggers
    where next_poll_at is not null and source <> 'sluice'
  `.execute(db);
  return rows[0]?.ms ?? null;
}

/** The app of a connection. */
export async function appOf(db: Db, account_id: string, connection_id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('connections')
    .select('app')
    .where('account_id', '=', account_id)
    .where('connection_id', '=', connection_id)
    .executeTakeFirst();
  return row?.app;
}
