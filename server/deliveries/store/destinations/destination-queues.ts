/** Waiting deliveries of each destination, counted by index and up to a limit. */
import { sql } from 'kysely';
import type { Db, DestinationsTable } from '../../../platform/database/schema.ts';
import { isCircuitOpen } from '../queue/held-deliveries.ts';

/** Counting stops at this number, so a backlog of a million costs no more. */
export const COUNTED_MAX = 10_000;

export type QueueRow = Pick<
  DestinationsTable,
  'trigger_id' | 'destination_id' | 'status' | 'failing_since' | 'paused_at'
> & {
  waiting: number;
  due: number;
  circuit_open: boolean;
  /** Ids sort by time of receipt. */
  oldest_event_id: string | null;
  oldest_due_at: string | null;
};

/**
 * The queues of the account's destinations with waiting deliveries, or of one destination. Waiting deliveries are read
 * in order of their due time; leased deliveries are few.
 */
export async function list(db: Db, account_id: string, destination_id?: string): Promise<QueueRow[]> {
  const { rows } = await sql<QueueRow>`
    with leased as materialized (
      select destination_id, count(*) as n, min(event_id::text) as oldest from deliveries
      where leased_by is not null and next_at is not null and account_id = ${account_id} group by 1
    )
    select x.trigger_id, x.destination_id, x.status, x.failing_since, x.paused_at, coalesce(${isCircuitOpen('x')}, false) as circuit_open,
      (q.waiting + coalesce(l.n, 0))::int as waiting, q.due::int as due, q.oldest_due_at,
      least(q.oldest, l.oldest) as oldest_event_id
    from destinations x
    left join leased l using (destination_id)
    cross join lateral (
      select count(*) as waiting, count(*) filter (where w.next_at <= now()) as due,
        min(w.next_at) filter (where w.next_at <= now()) as oldest_due_at, min(w.event_id::text) as oldest
      from (select next_at, event_id from waiting_deliveries
        where destination_id = x.destination_id order by next_at, event_id limit ${COUNTED_MAX}) w
    ) q
    where x.account_id = ${account_id}
      and ${destination_id ? sql`x.destination_id = ${destination_id}` : sql`q.waiting + coalesce(l.n, 0) > 0`}
  `.execute(db);
  return rows;
}

/** The account's paused destinations. */
export async function listPaused(db: Db, account_id: string) {
  const rows = await db
    .selectFrom('destinations')
    .select(['trigger_id', 'destination_id', 'paused_at'])
    .where('account_id', '=', account_id)
    .where('paused_at', 'is not', null)
    .orderBy('destination_id')
    .execute();
  return rows.flatMap(({ paused_at, ...row }) => (paused_at === null ? [] : [{ ...row, paused_at }]));
}

export type MissedRow = { trigger_id: string; destination_id: string; disabled_at: string; missed: number };

/** The account's disabled destinations, or one, and how many deliveries each has missed since. */
export async function listMissed(db: Db, account_id: string, destination_id?: string): Promise<MissedRow[]> {
  const { rows } = await sql<MissedRow>`
    select x.trigger_id, x.destination_id, x.disabled_at, m.missed::int as missed
    from destinations x cross join lateral (
      select count(*) as missed from (
        select from deliveries d
        where d.account_id = x.account_id and d.destination_id = x.destination_id and d.status = 'SKIPPED'
          and d.reason = 'DESTINATION_DISABLED' and d.finished_at >= x.disabled_at
        limit ${COUNTED_MAX}) d
    ) m
    where x.account_id = ${account_id} and x.status = 'DISABLED' and x.disabled_at is not null
      and ${destination_id ? sql`x.destination_id = ${destination_id}` : sql`true`}
    order by x.destination_id
  `.execute(db);
  return rows;
}
