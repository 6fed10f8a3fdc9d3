/**
 * Progress of a bulk replay. Its counters change in the transaction that closes its items, so that a read takes one
 * row, and the counters are as exact as the items after a crash.
 */
import { sql } from 'kysely';
import type { Db, ReplaysTable, Tx } from '../../../platform/database/schema.ts';

/**
 * The lowest event ids with items in a state. Items are sent oldest event first, so both only rise while a replay runs.
 * Queries of open items start there: with any index, closed items are not read again.
 */
export type OpenFrom = { waiting: string; sent: string };
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
/** For a replay that this process has not read before. */
export const FROM_START: OpenFrom = { waiting: FIRST_ID, sent: FIRST_ID };

/** The counters, the first open items, and how many items are sent without an outcome, counted up to `SENT_AT_MOST`. */
export type Progress = Pick<ReplaysTable, 'done' | 'succeeded' | 'failed' | 'skipped'> & {
  /** Whether items wait. */
  waiting: boolean;
  sent: number;
  from: OpenFrom;
};
/** More than a canary has; a larger number makes no difference to what happens next. */
const SENT_AT_MOST = 1000;

type ProgressRow = Omit<Progress, 'waiting' | 'from'> & { waiting_from: string | null; sent_from: string | null };

/** Returns the counters and open items of a replay; undefined when it was deleted. */
export async function progressOf(
  db: Db,
  account_id: string,
  replay_id: string,
  from: OpenFrom,
): Promise<Progress | undefined> {
  const itemsIn = (state: 'WAITING' | 'SENT', fromId: string) => sql`
    from replay_items i where i.account_id = ${account_id} and i.replay_id = ${replay_id} and i.state = ${state}
      and i.event_id >= ${fromId}`;
  const { rows } = await sql<ProgressRow>`
    select done, succeeded, failed, skipped,
      (select event_id ${itemsIn('WAITING', from.waiting)} order by event_id limit 1) as waiting_from,
      (select event_id ${itemsIn('SENT', from.sent)} order by event_id limit 1) as sent_from,
      (select count(*) from (select ${itemsIn('SENT', from.sent)} limit ${SENT_AT_MOST}) s)::int as sent
    from replays where account_id = ${account_id} and replay_id = ${replay_id}
  `.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  const { waiting_from, sent_from, ...counters } = row;
  const waiting = waiting_from ?? from.waiting;
  return { ...counters, waiting: waiting_from !== null, from: { waiting, sent: sent_from ?? waiting } };
}

/**
 * Closes and counts items whose delivery has an outcome since it was sent again. Returns their number by destination.
 */
export async function settle(
  db: Db,
  account_id: string,
  replay_id: string,
  from: OpenFrom,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ destination_id: string; count: number }>`
    with closed as (
      update replay_items i set state = 'DONE', after_status = d.status, after_response_status = d.last_response_status,
        finished_at = now()
      from deliveries d
      where i.account_id = ${account_id} and i.replay_id = ${replay_id} and i.state = 'SENT'
        and i.event_id >= ${from.sent} and d.event_id >= ${from.sent}
        and d.account_id = i.account_id and d.event_id = i.event_id and d.delivery_id = i.delivery_id
        and d.status <> 'PENDING'
      returning i.destination_id, i.after_status
    ), counted as (
      select count(*) as done, count(*) filter (where after_status = 'SUCCEEDED') as succeeded,
        count(*) filter (where after_status in ('FAILED', 'RETRYING')) as failed,
        count(*) filter (where after_status in ('SKIPPED', 'CANCELED')) as skipped
      from closed
    ), moved as (
      update replays r set done = r.done + c.done, succeeded = r.succeeded + c.succeeded, failed = r.failed + c.failed,
        skipped = r.skipped + c.skipped, updated_at = now()
      from counted c where r.account_id = ${account_id} and r.replay_id = ${replay_id} and c.done > 0
    )
    select destination_id, count(*) as count from closed group by destination_id
  `.execute(db);
  return new Map(rows.map(({ destination_id, count }) => [destination_id, count]));
}

/** The number of deliveries that are sent and have no outcome, by destination. */
export async function openByDestination(
  db: Db,
  account_id: string,
  replay_id: string,
  from: OpenFrom,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ destination_id: string; count: number }>`
    select destination_id, count(*) as count from replay_items
    where account_id = ${account_id} and replay_id = ${replay_id} and state = 'SENT' and event_id >= ${from.sent}
    group by destination_id`.execute(db);
  return new Map(rows.map(({ destination_id, count }) => [destination_id, count]));
}

/** Counts the items again, for a replay that another process or version of the service counted. */
export async function recount(db: Db, account_id: string, replay_id: string): Promise<void> {
  await sql`
    update replays r set done = c.done, succeeded = c.succeeded, failed = c.failed, skipped = c.skipped
    from (
      select count(*) filter (where state in ('DONE', 'SKIPPED')) as done,
        count(*) filter (where state = 'DONE' and after_status = 'SUCCEEDED') as succeeded,
        count(*) filter (where state = 'DONE' and after_status in ('FAILED', 'RETRYING')) as failed,
        count(*) filter (where state = 'SKIPPED' or (state = 'DONE' and after_status in ('SKIPPED', 'CANCELED'))) as skipped
      from replay_items where account_id = ${account_id} and replay_id = ${replay_id}
    ) c where r.account_id = ${account_id} and r.replay_id = ${replay_id}
  `.execute(db);
}

/** Closes and counts items that were not sent. */
const countSkipped = sql`
  update replays r set done = r.done + c.count, skipped = r.skipped + c.count, updated_at = now()
  from (select count(*) as count from closed) c`;

/**
 * Changes the state of waiting items of a replay. Uses arrays instead of a join: without statistics of a new replay the
 * planner would read all waiting items for each given one.
 */
export async function markItems(
  tx: Tx,
  account_id: string,
  replay_id: string,
  items: { event_id: string; delivery_id: string }[],
  state: 'SENT' | 'SKIPPED',
): Promise<void> {
  if (items.length === 0) return;
  const mark = sql`
    update replay_items set state = ${state}
    where account_id = ${account_id} and replay_id = ${replay_id} and state = 'WAITING'
      and event_id = any(${items.map(({ event_id }) => event_id)}::uuid[])
      and delivery_id = any(${items.map(({ delivery_id }) => delivery_id)}::uuid[])`;
  await (state === 'SENT'
    ? mark
    : sql`with closed as (${mark} returning 1) ${countSkipped}
          where r.account_id = ${account_id} and r.replay_id = ${replay_id}`
  ).execute(tx);
}

/** Items of a deleted trigger closed in one step, which takes under a second. */
const CLOSED_AT_ONCE = 20_000;

/**
 * If the next item to send is one of a deleted trigger, closes all of its items among the next waiting ones. Two
 * statements: in one, the planner looks up the next item for each waiting item.
 */
export async function skipDeleted(db: Db, account_id: string, replay_id: string, from: OpenFrom): Promise<void> {
  const { rows } = await sql<{ trigger_id: string }>`
    select n.trigger_id from (
      select trigger_id from replay_items
      where account_id = ${account_id} and replay_id = ${replay_id} and state = 'WAITING' and event_id >= ${from.waiting}
      order by event_id limit 1
    ) n where not exists (
      select from triggers t where t.account_id = ${account_id} and t.trigger_id = n.trigger_id)
  `.execute(db);
  if (!rows[0]) return;
  await sql`
    with next as materialized (
      select event_id, delivery_id, trigger_id from replay_items
      where account_id = ${account_id} and replay_id = ${replay_id} and state = 'WAITING' and event_id >= ${from.waiting}
      order by event_id limit ${CLOSED_AT_ONCE}
    ), closed as (
      update replay_items i set state = 'SKIPPED' from next n
      where i.account_id = ${account_id} and i.replay_id = ${replay_id} and i.state = 'WAITING'
        and i.event_id = n.event_id and i.delivery_id = n.delivery_id and n.trigger_id = ${rows[0].trigger_id}
      returning 1
    )
    ${countSkipped} where r.account_id = ${account_id} and r.replay_id = ${replay_id} and c.count > 0
  `.execute(db);
}

/** The response statuses of its deliveries that failed again. */
export async function statusesOfFailed(db: Db, account_id: string, replay_id: string): Promise<number[]> {
  const { rows } = await sql<{ status: number }>`
    select distinct after_response_status as status from replay_items
    where account_id = ${account_id} and replay_id = ${replay_id} and state = 'DONE'
      and after_status in ('FAILED', 'RETRYING') and after_response_status is not null
    order by 1 limit 5
  `.execute(db);
  return rows.map(({ status }) => status);
}

/** The number of its deliveries that were not sent, or were canceled, because their trigger was deleted. */
export async function deletedOf(db: Db, account_id: string, replay_id: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from replay_items i
    where i.account_id = ${account_id} and i.replay_id = ${replay_id}
      and (i.state = 'SKIPPED' or (i.state = 'DONE' and i.after_status = 'CANCELED'))
      and not exists (select from triggers t where t.account_id = i.account_id and t.trigger_id = i.trigger_id)
  `.execute(db);
  return rows[0]?.count ?? 0;
}
