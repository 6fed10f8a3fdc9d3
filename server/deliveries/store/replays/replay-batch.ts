/** Statements for a batch of items of a bulk replay: each is one statement however many items there are. */
import { sql } from 'kysely';
import { type Columns, few, givenRows } from '../../../platform/database/given-rows.ts';
import { PREPARED } from '../../../platform/database/prepared.ts';
import type { DeliveriesTable, Tx } from '../../../platform/database/schema.ts';
import type { RecordedDestination } from '../destinations/destinations.ts';
import { noteLate } from '../events/figures.ts';
import { IN_FLIGHT, RESTARTED } from '../queue/deliveries.ts';
import { place } from '../queue/ordered-deliveries.ts';
import { LISTED, listWaiting } from '../queue/waiting-deliveries.ts';

/** The ids of those events that exist. */
export async function existingEvents(tx: Tx, account_id: string, event_ids: string[]): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('events')
    .select('event_id')
    .where('account_id', '=', account_id)
    .where('event_id', '=', sql<string>`any(${event_ids}::uuid[])`)
    .execute();
  return new Set(rows.map(({ event_id }) => event_id));
}

/** A delivery that returns to PENDING, with its current destination. */
export type BatchRestart = Pick<DeliveriesTable, 'event_id' | 'delivery_id' | 'replay_id' | 'webhook_id'> & {
  destination: RecordedDestination;
};
const RESTART: Columns<BatchRestart> = {
  event_id: ['uuid', (row) => row.event_id],
  delivery_id: ['uuid', (row) => row.delivery_id],
  destination_name: ['text', (row) => row.destination.name],
  destination_url: ['text', (row) => row.destination.url],
  destination_method: ['text', (row) => row.destination.method],
  replay_id: ['uuid', (row) => row.replay_id],
  webhook_id: ['text', (row) => row.webhook_id],
  place: ['int', () => 0],
};

/**
 * Like `restart` of store/deliveries.ts without a lease, for deliveries of many events: PENDING, due now, with a new
 * generation and schedule; an attempt in flight is joined. Returns the ids of deliveries that exist; with
 * `onlyUndelivered`, of those that have not succeeded.
 */
export async function restartBatch(
  tx: Tx,
  account_id: string,
  given: BatchRestart[],
  { onlyUndelivered }: { onlyUndelivered: boolean },
): Promise<Set<string>> {
  if (given.length === 0) return new Set();
  const { rows } = await sql<{ delivery_id: string }>`${PREPARED}
    with r as materialized (
      select * from ${givenRows(given, RESTART, 'r')} where ${few('r.place')}
    ), restarted as (
      update deliveries d set
        ${RESTARTED},
        next_at = case when ${IN_FLIGHT} then d.next_at else now() end,
        leased_by = case when ${IN_FLIGHT} then d.leased_by end
      from r
      where d.account_id = ${account_id} and d.event_id = r.event_id and d.delivery_id = r.delivery_id
        ${onlyUndelivered ? sql`and d.status <> 'SUCCEEDED'` : sql``}
      returning ${LISTED}, d.order_key
    ), listed as (${listWaiting('restarted')}), placed as (${place('restarted')}), noted as (${noteLate('restarted')})
    select delivery_id from restarted
  `.execute(tx);
  return new Set(rows.map(({ delivery_id }) => delivery_id));
}
