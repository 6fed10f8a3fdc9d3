/** Leases of deliveries, and their release when a node expires. */
import { type RawBuilder, sql } from 'kysely';
import type { Db, DestinationsTable, Tx } from '../../../platform/database/schema.ts';
import { LISTED, listWaiting } from './waiting-deliveries.ts';

/**
 * Deletes nodes without a heartbeat for `silentMs` and releases their leases, in one transaction. Returns the numbers
 * of nodes and of deliveries that became due.
 */
export async function releaseExpired(db: Db, silentMs: number): Promise<{ expired: number; released: number }> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ node_id: string }>`
      delete from nodes where heartbeat_at < now() - ${silentMs} * interval '1 millisecond' returning node_id
    `.execute(tx);
    if (rows.length === 0) return { expired: 0, released: 0 };
    const expired = rows.map(({ node_id }) => node_id);
    return { expired: rows.length, released: await release(tx, sql`d.leased_by = any(${expired}::uuid[])`) };
  });
}

/** Releases the leases of nodes without a heartbeat; with `alone`, those of every node except this one. */
export async function releaseOrphans(db: Db, node_id: string, alone: boolean): Promise<number> {
  return release(db, sql`d.leased_by <> ${node_id} and (${alone} or d.leased_by not in (select node_id from nodes))`);
}

/**
 * A destination with limits or an order that this node may send to. `reserved_ms`: from now to the latest reserved
 * request.
 */
export type LimitedDestination = Pick<
  DestinationsTable,
  'account_id' | 'destination_id' | 'rate_requests' | 'rate_per' | 'max_in_flight' | 'order_by' | 'order_end'
> & { is_mine: boolean; reserved_ms: number | null };

/**
 * The destinations with limits or an order that are leased to this node, and those with due deliveries that are leased
 * to no node with a heartbeat. `total`: the number of such destinations.
 */
export async function listLimited(
  db: Db,
  node_id: string,
): Promise<{ destinations: LimitedDestination[]; total: number }> {
  const { rows } = await sql<LimitedDestination & { is_free: boolean }>`
    select x.account_id, x.destination_id, x.rate_requests, x.rate_per, x.max_in_flight, x.order_by, x.order_end,
      coalesce(l.node_id = ${node_id}, false) as is_mine,
      l.node_id is null or l.node_id not in (select node_id from nodes) as is_free,
      (extract(epoch from l.reserved_at - now()) * 1000)::float8 as reserved_ms
    from destinations x left join destination_leases l using (account_id, destination_id)
    where x.paused_at is null
      and (x.rate_requests is not null or x.max_in_flight is not null or x.order_by is not null)
  `.execute(db);
  const free = rows.flatMap(({ is_free, is_mine, destination_id }) => (is_free && !is_mine ? [destination_id] : []));
  const due = free.length > 0 ? await withDueDeliveries(db, free) : new Set();
  const destinations = rows.filter(({ is_mine, destination_id }) => is_mine || due.has(destination_id));
  return { destinations: destinations.map(({ is_free: _, ...each }) => each), total: rows.length };
}

async function withDueDeliveries(db: Db, destination_ids: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${destination_ids}::uuid[]) id
    where exists (select from waiting_deliveries w where w.destination_id = id and w.next_at <= now())
  `.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Leases these destinations to this node if no other node holds them; returns those that are leased to it now. */
export async function leaseDestinations(
  db: Db,
  node_id: string,
  wanted: Pick<LimitedDestination, 'account_id' | 'destination_id'>[],
): Promise<{ destination_id: string; reserved_ms: number | null }[]> {
  const { rows } = await sql<{ destination_id: string; reserved_ms: number | null }>`
    insert into destination_leases as l (account_id, destination_id, node_id)
    select r.account_id, r.destination_id, ${node_id}::uuid
    from json_to_recordset(${JSON.stringify(wanted)}::json) as r(account_id uuid, destination_id uuid)
    join destinations using (account_id, destination_id)
    order by r.destination_id
    on conflict (account_id, destination_id) do update set node_id = excluded.node_id
    where l.node_id is null or l.node_id not in (select node_id from nodes)
    returning l.destination_id, (extract(epoch from l.reserved_at - now()) * 1000)::float8 as reserved_ms
  `.execute(db);
  return rows;
}

/** Releases the destinations leased to this node, or with `others` those leased to other nodes. */
export async function releaseDestinations(db: Db, node_id: string, others = false): Promise<void> {
  await sql`
    update destination_leases set node_id = null where node_id is not null and (node_id = ${node_id}) <> ${others}
  `.execute(db);
}

/** A lease as stored: its holder may make attempt `number`. */
export type Leased = { account_id: string; event_id: string; delivery_id: string; number: number; mine: boolean };

/** Leases of this node, and leases without a live owner: the owner has no heartbeat, or the lease has expired. */
export async function listDoubtful(db: Db, node_id: string): Promise<Leased[]> {
  const { rows } = await sql<Leased>`
    select account_id, event_id, delivery_id, attempts as number, leased_by = ${node_id} and next_at > now() as mine
    from deliveries
    where leased_by is not null and next_at is not null
      and (leased_by = ${node_id} or next_at <= now() or leased_by not in (select node_id from nodes))
  `.execute(db);
  return rows;
}

/** Releases these leases if they are unchanged. */
export async function releaseLeased(db: Db, leased: Leased[]): Promise<number> {
  return release(
    db,
    sql`(d.account_id, d.event_id, d.delivery_id, d.attempts) in (
      select account_id, event_id, delivery_id, number from json_to_recordset(${JSON.stringify(leased)}::json)
        as r(account_id uuid, event_id uuid, delivery_id uuid, number int))`,
  );
}

async function release(db: Db | Tx, which: RawBuilder<unknown>): Promise<number> {
  const { numAffectedRows } = await sql`
    with released as (
      update deliveries d set leased_by = null, next_at = now()
      where d.next_at is not null and d.leased_by is not null and (${which})
      returning ${LISTED}
    )
    ${listWaiting('released')}
  `.execute(db);
  return Number(numAffectedRows ?? 0n);
}
