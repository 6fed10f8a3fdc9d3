/**
 * Pinned events. When the partitions of their day are dropped, their rows move to a partition of the same days that has
 * only them, so every read and every write continues to work.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Kept } from '../../../platform/database/partitions.ts';
import type { Db, PinnedEventsTable, Tx } from '../../../platform/database/schema.ts';

/** The pinned events of an account. */
export async function idsOf(db: Db | Tx, account_id: string): Promise<string[]> {
  const rows = await db.selectFrom('pinned_events').select('event_id').where('account_id', '=', account_id).execute();
  return rows.map(({ event_id }) => event_id);
}

/** The number of pinned events of existing triggers. */
export async function count(tx: Tx, account_id: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pinned_events p join triggers t using (account_id, trigger_id)
    where p.account_id = ${account_id}`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** Pins an event. One that is pinned gets the new note, if one is given. */
export async function put(
  tx: Tx,
  account_id: string,
  { note, ...row }: Omit<PinnedEventsTable, 'account_id' | 'note'> & { note: string | null | undefined },
): Promise<void> {
  await tx
    .insertInto('pinned_events')
    .values({ account_id, ...row, note: note ?? null })
    .onConflict((on) => {
      const known = on.columns(['account_id', 'event_id']);
      return note === undefined ? known.doNothing() : known.doUpdateSet({ note });
    })
    .execute();
}

export async function remove(tx: Tx, account_id: string, event_id: string): Promise<void> {
  await tx.deleteFrom('pinned_events').where('account_id', '=', account_id).where('event_id', '=', event_id).execute();
}

/** Whether the event of this row is pinned, and its trigger exists. */
const isPinned = (row: RawBuilder<unknown>) => sql`(${row}.account_id, ${row}.event_id) in (
  select p.account_id, p.event_id from pinned_events p join triggers t using (account_id, trigger_id))`;

const ROW = sql.raw('r');

/** The rows of pinned events, which retention keeps. */
export const pinnedEvents: Kept = {
  tables: ['events', 'event_requests', 'deliveries', 'attempts'],

  async exist(tx, from, to) {
    const { rows } = await sql`
      select from pinned_events p join triggers t using (account_id, trigger_id)
      where p.event_id >= ${from} and p.event_id < ${to} limit 1`.execute(tx);
    return rows.length > 0;
  },

  async copy(tx, table, from, to) {
    if (table !== 'event_requests') {
      const chosen = sql`select r.* from ${sql.table(from)} r where ${isPinned(ROW)}`;
      await sql`insert into ${sql.table(to)} ${chosen}`.execute(tx);
      return;
    }
    // The body may be stored with another event of the same request.
    await sql`
      insert into ${sql.table(to)} (account_id, event_id, request, body, body_of)
      select r.account_id, r.event_id, r.request, coalesce(r.body, f.body), case when f.body is null then r.body_of end
      from ${sql.table(from)} r
      left join event_requests f on f.account_id = r.account_id and f.event_id = r.body_of
      where ${isPinned(ROW)}`.execute(tx);
  },

  async hasOthers(tx, partition) {
    const { rows } = await sql`select from ${sql.table(partition)} r where not ${isPinned(ROW)} limit 1`.execute(tx);
    return rows.length > 0;
  },

  async clear(tx, partition, condition) {
    await sql`delete from ${sql.table(partition)} r where not ${isPinned(ROW)} and ${condition}`.execute(tx);
  },
};
