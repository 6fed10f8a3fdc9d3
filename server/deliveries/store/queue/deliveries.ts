import { sql } from 'kysely';
import type { DeliveryReason, DeliveryStatus } from '../../../../contract/states.ts';
import type { Db, DeliveriesTable, Tx } from '../../../platform/database/schema.ts';
import type { RecordedDestination } from '../destinations/destinations.ts';
import { noteLate } from '../events/figures.ts';
import { clear, place } from './ordered-deliveries.ts';
import { LISTED, listWaiting, unlist } from './waiting-deliveries.ts';

/** Deliveries of one event, in order of creation of their destinations. */
export async function listOf(db: Db | Tx, account_id: string, event_id: string): Promise<DeliveriesTable[]> {
  return db
    .selectFrom('deliveries')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('event_id', '=', event_id)
    .orderBy('destination_id')
    .execute();
}

/** The same, locked in the order that every writer uses. */
export async function lockOf(tx: Tx, account_id: string, event_id: string): Promise<DeliveriesTable[]> {
  return tx
    .selectFrom('deliveries')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('event_id', '=', event_id)
    .orderBy('delivery_id')
    .forUpdate()
    .execute();
}

/** Whether this delivery belongs to the trigger's event. */
export async function exists(
  db: Db,
  account_id: string,
  key: { trigger_id: string; event_id: string; delivery_id: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('deliveries')
    .select('delivery_id')
    .where('account_id', '=', account_id)
    .where('event_id', '=', key.event_id)
    .where('delivery_id', '=', key.delivery_id)
    .where('trigger_id', '=', key.trigger_id)
    .executeTakeFirst();
  return row !== undefined;
}

export type OutcomeRow = Pick<
  DeliveriesTable,
  | 'event_id'
  | 'delivery_id'
  | 'destination_id'
  | 'destination_name'
  | 'status'
  | 'attempts'
  | 'leased_by'
  | 'last_response_status'
>;

/** Outcomes of several events. */
export async function outcomesOf(db: Db, account_id: string, event_ids: string[]): Promise<OutcomeRow[]> {
  if (event_ids.length === 0) return [];
  return db
    .selectFrom('deliveries')
    .select([
      'event_id',
      'delivery_id',
      'destination_id',
      'destination_name',
      'status',
      'attempts',
      'leased_by',
      'last_response_status',
    ])
    .where('account_id', '=', account_id)
    .where('event_id', 'in', event_ids)
    .orderBy('destination_id')
    .execute();
}

/** The last error of each delivery of several events that has one, by delivery. */
export async function lastErrorsOf(db: Db, account_id: string, event_ids: string[]): Promise<Map<string, string>> {
  if (event_ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('deliveries')
    .select(['delivery_id', 'last_error_message'])
    .where('account_id', '=', account_id)
    .where('event_id', 'in', event_ids)
    .where('last_error_message', 'is not', null)
    .execute();
  return new Map(rows.map(({ delivery_id, last_error_message }) => [delivery_id, last_error_message ?? '']));
}

/** `generation`: the value that was read. */
export type Restart = Pick<
  DeliveriesTable,
  'delivery_id' | 'replay_id' | 'webhook_id' | 'generation' | 'transform_then'
> & {
  destination: RecordedDestination;
};
/** A newly leased delivery, with its fence. */
export type Restarted = Pick<DeliveriesTable, 'delivery_id' | 'destination_id' | 'generation'> & { number: number };

/** Whether the delivery `d` has an attempt in flight, which a replay joins. */
export const IN_FLIGHT = sql`(d.leased_by is not null and d.next_at > now())`;

/** Columns that a replay sets in the delivery `d` from the row `r`, except attempts, lease and due time. */
export const RESTARTED = sql`status = 'PENDING', reason = null, step = 0, origin = 'REPLAY', finished_at = null,
  generation = case when ${IN_FLIGHT} then d.generation else d.generation + 1 end,
  destination_name = r.destination_name, destination_url = r.destination_url,
  destination_method = r.destination_method, replay_id = r.replay_id, webhook_id = r.webhook_id`;

/**
 * Restarts deliveries: PENDING, due now, with a new schedule. A replay joins an attempt in flight; only a different
 * generation would send twice. With `lease` the other deliveries are leased to that node, which sends them; the result
 * lists them.
 */
export async function restart(
  tx: Tx,
  account_id: string,
  event_id: string,
  deliveries: Restart[],
  lease: { node_id: string; ms: number } | null,
): Promise<Restarted[]> {
  const given = deliveries.map(({ destination, ...rest }) => ({ ...rest, ...columnsOf(destination) }));
  const { rows } = await sql<Restarted>`
    with restarted as (
      update deliveries d set
        ${RESTARTED},
        transform_then = r.transform_then,
        attempts = case when ${IN_FLIGHT} or ${lease === null} then d.attempts else d.attempts + 1 end,
        next_at = case when ${IN_FLIGHT} then d.next_at
          else now() + ${lease?.ms ?? 0}::float8 * interval '1 millisecond' end,
        leased_by = case when ${IN_FLIGHT} then d.leased_by else ${lease?.node_id ?? null}::uuid end
      from json_to_recordset(${JSON.stringify(given)}::json)
        as r(delivery_id uuid, destination_name text, destination_url text, destination_method text, replay_id uuid,
          webhook_id text, generation int, transform_then boolean)
      where d.account_id = ${account_id} and d.event_id = ${event_id} and d.delivery_id = r.delivery_id
      returning ${LISTED}, d.order_key, d.attempts, d.generation, d.generation > r.generation as is_new
    ), listed as (${listWaiting('restarted')}), placed as (${place('restarted')}), noted as (${noteLate('restarted')})
    select delivery_id, destination_id, attempts as number, generation from restarted
    where is_new and leased_by = ${lease?.node_id ?? null}::uuid
  `.execute(tx);
  return rows;
}

const columnsOf = ({ name, url, method }: RecordedDestination) => ({
  destination_name: name,
  destination_url: url,
  destination_method: method,
});

/** The destination of a delivery when the delivery was stored or last sent, in the shape of the API. */
export const destinationOf = ({ destination_name, destination_url, destination_method }: DeliveriesTable) => ({
  destination_name,
  destination_url,
  destination_method,
});

/**
 * Ends the waiting deliveries of these destinations. Deliveries in flight are left to their worker, which finds the
 * destination disabled or deleted before the next attempt.
 */
export async function setAside(
  tx: Tx,
  account_id: string,
  destination_ids: string[],
  verdict: { status: DeliveryStatus; reason: DeliveryReason; at: string },
): Promise<void> {
  if (destination_ids.length === 0) return;
  await sql`
    with aside as (
      update deliveries set status = ${verdict.status}, reason = ${verdict.reason}, next_at = null,
        finished_at = ${verdict.at}::timestamptz
      where account_id = ${account_id} and destination_id = any(${destination_ids}::uuid[]) and next_at is not null
        and leased_by is null
      returning account_id, event_id
    )
    ${noteLate('aside')}
  `.execute(tx);
  await unlist(tx, account_id, destination_ids);
  await clear(tx, account_id, destination_ids);
}
