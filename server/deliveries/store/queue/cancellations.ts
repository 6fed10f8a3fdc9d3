/**
 * Cancels open deliveries. One that is leased keeps its lease: an attempt in flight ends, and only its success changes
 * the status (delivery-queue.ts).
 */
import { type RawBuilder, sql } from 'kysely';
import type { DeliveriesTable, Tx } from '../../../platform/database/schema.ts';
import { noteLate } from '../events/figures.ts';

export type Canceled = Pick<DeliveriesTable, 'event_id' | 'delivery_id' | 'trigger_id' | 'destination_id'>;

/**
 * Cancels the open deliveries of an event, or only those to these destinations. Also those that failed and block
 * others.
 */
export async function cancelOf(
  tx: Tx,
  account_id: string,
  event_id: string,
  destination_ids: string[] | undefined,
): Promise<Canceled[]> {
  return cancel(
    tx,
    account_id,
    sql`select event_id, delivery_id from deliveries
      where account_id = ${account_id} and event_id = ${event_id}
        and ${destination_ids ? sql`destination_id = any(${destination_ids}::uuid[])` : sql`true`}`,
    BLOCKING,
  );
}

/** Cancels the candidates of a stretch (replay-gathering.ts). */
export const cancelCandidates = (tx: Tx, account_id: string, candidates: RawBuilder<unknown>): Promise<Canceled[]> =>
  cancel(tx, account_id, sql`select o.event_id, o.delivery_id ${candidates}`);

/** The delivery `d` failed for good and keeps its place in the order of its destination. */
const BLOCKING = sql`(d.status = 'FAILED' and exists (select from ordered_deliveries o
  where o.account_id = d.account_id and o.event_id = d.event_id and o.delivery_id = d.delivery_id))`;

/** Locks the rows in the order that every writer uses. */
async function cancel(
  tx: Tx,
  account_id: string,
  chosen: RawBuilder<unknown>,
  also: RawBuilder<unknown> = sql`false`,
): Promise<Canceled[]> {
  const { rows } = await sql<Canceled>`
    with chosen as materialized (${chosen}), open as materialized (
      select d.event_id, d.delivery_id from chosen c
      join deliveries d on d.account_id = ${account_id} and d.event_id = c.event_id and d.delivery_id = c.delivery_id
      where d.status in ('PENDING', 'RETRYING') or ${also}
      order by d.delivery_id for update of d
    ), canceled as (
      update deliveries d set status = 'CANCELED', reason = 'CANCELED', next_at = null, finished_at = now()
      from open o where d.account_id = ${account_id} and d.event_id = o.event_id and d.delivery_id = o.delivery_id
      returning d.account_id, d.event_id, d.delivery_id, d.trigger_id, d.destination_id, d.leased_by
    ), unlisted as (
      delete from waiting_deliveries w using canceled c
      where w.account_id = c.account_id and w.event_id = c.event_id and w.delivery_id = c.delivery_id
    ), left_places as (
      delete from ordered_deliveries o using canceled c where c.leased_by is null
        and o.account_id = c.account_id and o.event_id = c.event_id and o.delivery_id = c.delivery_id
    ), noted as (${noteLate('canceled')})
    select event_id, delivery_id, trigger_id, destination_id from canceled
  `.execute(tx);
  return rows;
}
