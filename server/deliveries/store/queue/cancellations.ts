/**
 * Cancels open deliveries. One that is leased keeps its lease: an attempt in flight ends, and only its success changes
 * the status (delivery-queue.ts).
 */
import { type RawBuilder, sql } from 'kysely';
import type { DeliveriesTable, Tx } from '../../../platform/database/schema.ts';
import { noteLate } from '../events/figures.ts';

export type Canceled = Pick<DeliveriesTable, 'event_id' | 'delivery_id' | 'trigger_id' | 'destination_id'>;

/** Cancels the open deliveries of an event, or only those to these destinations. */
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
  );
}

/** Cancels the candidates of a stretch (replay-gathering.ts). */
export const cancelCandidates = (tx: Tx, account_id: string, candidates: RawBuilder<unknown>): Promise<Canceled[]> =>
  cancel(tx, account_id, sql`select o.event_id, o.delivery_id ${candidates}`);

/** Locks the rows in the order that every writer uses. */
async function cancel(tx: Tx, account_id: string, chosen: RawBuilder<unknown>): Promise<Canceled[]> {
  const { rows } = await sql<Canceled>`
    with chosen as materialized (${chosen}), open as materialized (
      select d.event_id, d.delivery_id from chosen c
      join deliveries d on d.account_id = ${account_id} and d.event_id = c.event_id and d.delivery_id = c.delivery_id
      where d.status in ('PENDING', 'RETRYING')
      order by d.delivery_id for update of d
    ), canceled as (
      update deliveries d set status = 'CANCELED', reason = 'CANCELED', next_at = null, finished_at = now()
      from open o where d.account_id = ${account_id} and d.event_id = o.event_id and d.delivery_id = o.delivery_id
      returning d.account_id, d.event_id, d.delivery_id, d.trigger_id, d.destination_id
    ), unlisted as (
      delete from waiting_deliveries w using canceled c
      where w.account_id = c.account_id and w.event_id = c.event_id and w.delivery_id = c.delivery_id
    ), noted as (${noteLate('canceled')})
    select event_id, delivery_id, trigger_id, destination_id from canceled
  `.execute(tx);
  return rows;
}
