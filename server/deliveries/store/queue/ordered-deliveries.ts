/**
 * Places of deliveries in the order of their destination. Of the rows with the same key, the one of the oldest event is
 * the *head*, and only heads are leased. A delivery keeps its place while it waits, is in flight or is retried, and if
 * it failed for good at a destination that stops then. So one delivery of a key is in flight at a time, on all nodes
 * together, and a node that was killed blocks its keys until its leases end.
 *
 * The statement that ends a delivery deletes its row (delivery-queue.ts). A delivery that ended otherwise may leave its
 * row; the next claim deletes a head that has ended.
 */
import { type RawBuilder, sql } from 'kysely';
import { PREPARED } from '../../../platform/database/prepared.ts';
import type { Db, Tx } from '../../../platform/database/schema.ts';

/** Part of a statement that makes deliveries wait: gives those of its rows (the CTE `rows`) a place. */
export const place = (rows: string): RawBuilder<unknown> => sql`
  insert into ordered_deliveries (account_id, event_id, delivery_id, destination_id, order_key)
  select account_id, event_id, delivery_id, destination_id, coalesce(order_key, delivery_id) from ${sql.table(rows)}
  where next_at is not null and destination_id in (select destination_id from destinations where order_by is not null)
  on conflict do nothing`;

/** Part of a statement that ends attempts: deletes the places of those of its rows (the CTE `rows`) that are over. */
export const leavePlaces = (rows: string): RawBuilder<unknown> => sql`
  delete from ordered_deliveries o
  using ${sql.table(rows)} m left join destinations x on x.account_id = m.account_id and x.destination_id = m.destination_id
  where o.account_id = m.account_id and o.event_id = m.event_id and o.delivery_id = m.delivery_id
    and m.next_at is null and (m.status <> 'FAILED' or x.order_end is distinct from 'BLOCK')`;

/** Deletes the places at these destinations, except those of deliveries in flight. */
export async function clear(tx: Tx, account_id: string, destination_ids: string[]): Promise<void> {
  await sql`
    delete from ordered_deliveries o
    where o.account_id = ${account_id} and o.destination_id = any(${destination_ids}::uuid[]) and not exists (
      select from deliveries d where d.account_id = o.account_id and d.event_id = o.event_id
        and d.destination_id = o.destination_id and d.leased_by is not null)
  `.execute(tx);
}

/** Deletes the places of events before this id, which retention has deleted. */
export async function clearGone(tx: Tx, before: string): Promise<void> {
  await sql`
    delete from ordered_deliveries o where o.event_id < ${before} and not exists (
      select from deliveries d
      where d.account_id = o.account_id and d.event_id = o.event_id and d.destination_id = o.destination_id)
  `.execute(tx);
}

const ADOPTED_MAX = 10_000;

/**
 * Gives a place to waiting deliveries that have none: they were stored before their destination had an order. Each has
 * its own key unless it once had another. Returns whether there may be more.
 */
export async function adopt(db: Db, destination_ids: string[]): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into ordered_deliveries (account_id, event_id, delivery_id, destination_id, order_key)
    select w.account_id, w.event_id, w.delivery_id, w.destination_id, coalesce(d.order_key, d.delivery_id)
    from waiting_deliveries w
    join deliveries d on d.account_id = w.account_id and d.event_id = w.event_id and d.destination_id = w.destination_id
    where w.destination_id = any(${destination_ids}::uuid[]) and not exists (
      select from ordered_deliveries o
      where o.account_id = w.account_id and o.event_id = w.event_id and o.delivery_id = w.delivery_id)
    limit ${ADOPTED_MAX}
    on conflict do nothing
  `.execute(db);
  return (numAffectedRows ?? 0n) >= BigInt(ADOPTED_MAX);
}

/** How many heads of a destination one claim reads; the next claim continues after them. */
export const HEADS_READ = 2000;

/**
 * `after`: only keys after this one. `checks`: also find heads that have ended. `blocks`: a delivery that failed for
 * good keeps its place.
 */
export type HeadShare = { destination_id: string; lack: number; after: string; checks: boolean; blocks: boolean };
export type Key = { account_id: string; event_id: string; delivery_id: string };
/** `upTo`: by destination, the last key that was read where there may be more. `ended`: places were deleted. */
export type Heads = { due: Key[]; upTo: Map<string, string>; ended: boolean };
type HeadRow = Key & { destination_id: string; order_key: string; is_due: boolean; is_listed: boolean };

/** The due heads of these destinations, up to `lack`, oldest event first. Deletes heads that have ended. */
export async function findHeads(tx: Tx, shares: HeadShare[]): Promise<Heads> {
  const { rows } = await sql<HeadRow>`${PREPARED}
    select h.account_id, h.event_id, h.delivery_id, h.destination_id, h.order_key, w.next_at is not null as is_listed,
      coalesce(w.next_at <= now(), false) as is_due
    from json_to_recordset(${JSON.stringify(shares)}::json) as r(destination_id uuid, after uuid)
    cross join lateral (
      with recursive head as (
        (select o.* from ordered_deliveries o where o.destination_id = r.destination_id and o.order_key > r.after
          order by o.order_key, o.event_id limit 1)
        union all
        select n.* from head cross join lateral (
          select o.* from ordered_deliveries o
          where o.destination_id = r.destination_id and o.order_key > head.order_key
          order by o.order_key, o.event_id limit 1) n
      )
      select * from head limit ${HEADS_READ}::int
    ) h
    left join lateral (
      select w.next_at from waiting_deliveries w
      where w.account_id = h.account_id and w.event_id = h.event_id and w.delivery_id = h.delivery_id offset 0) w on true
    order by h.event_id
  `.execute(tx);
  const ended = await endedOf(tx, rows, shares);
  if (ended.length > 0) await deletePlaces(tx, ended);
  const heads = shares.map(({ destination_id, lack }) => {
    const read = rows.filter((row) => row.destination_id === destination_id);
    const last = read.map(({ order_key }) => order_key).reduce((a, b) => (a > b ? a : b), '');
    const due = read.filter(({ is_due }) => is_due).slice(0, lack);
    return { destination_id, last: read.length < HEADS_READ ? '' : last, due };
  });
  return {
    due: heads.flatMap(({ due }) => due),
    upTo: new Map(heads.flatMap(({ destination_id, last }) => (last === '' ? [] : [[destination_id, last]]))),
    ended: ended.length > 0,
  };
}

/** Those that are neither waiting nor in flight, and do not block. A canceled delivery may still be in flight. */
async function endedOf(tx: Tx, rows: HeadRow[], shares: HeadShare[]): Promise<Key[]> {
  const blocks = new Map(shares.flatMap((share) => (share.checks ? [[share.destination_id, share.blocks]] : [])));
  const given = rows.flatMap(({ account_id, event_id, delivery_id, destination_id, is_listed }) =>
    is_listed || !blocks.has(destination_id)
      ? []
      : [{ account_id, event_id, delivery_id, destination_id, blocks: blocks.get(destination_id) }],
  );
  if (given.length === 0) return [];
  const { rows: ended } = await sql<Key>`
    select r.account_id, r.event_id, r.delivery_id
    from json_to_recordset(${JSON.stringify(given)}::json)
      as r(account_id uuid, event_id uuid, delivery_id uuid, destination_id uuid, blocks boolean)
    where not exists (
      select from deliveries d
      where d.account_id = r.account_id and d.event_id = r.event_id and d.destination_id = r.destination_id
        and (d.next_at is not null or d.status = 'FAILED' and r.blocks or d.leased_by in (select node_id from nodes)))
  `.execute(tx);
  return ended;
}

/** Waits for no lock: a transaction that holds a delivery may wait for its place. */
async function deletePlaces(tx: Tx, keys: Key[]): Promise<void> {
  await sql`
    delete from ordered_deliveries where (account_id, event_id, delivery_id) in (
      select o.account_id, o.event_id, o.delivery_id from ordered_deliveries o
      join json_to_recordset(${JSON.stringify(keys)}::json) as r(account_id uuid, event_id uuid, delivery_id uuid)
        using (account_id, event_id, delivery_id)
      for update of o skip locked)
  `.execute(tx);
}

/** The delivery is behind that of another event, which has the same key, or failed for good and stops its key. */
export type PlaceRow = { delivery_id: string; ahead: string | null; blocks: boolean };

/** The deliveries of one event that wait for another or block others. */
export async function placesOf(db: Db | Tx, account_id: string, event_id: string): Promise<PlaceRow[]> {
  const { rows } = await sql<PlaceRow>`
    select d.delivery_id, h.event_id as ahead, d.status = 'FAILED' as blocks
    from deliveries d
    join ordered_deliveries o
      on o.account_id = d.account_id and o.event_id = d.event_id and o.delivery_id = d.delivery_id
    join destinations x on x.account_id = d.account_id and x.destination_id = d.destination_id
    left join lateral (
      select h.event_id from ordered_deliveries h
      where h.destination_id = o.destination_id and h.order_key = o.order_key and h.event_id < o.event_id
      order by h.event_id limit 1) h on true
    where d.account_id = ${account_id} and d.event_id = ${event_id}
      and (d.next_at is not null and d.leased_by is null and h.event_id is not null
        or d.status = 'FAILED' and x.order_end = 'BLOCK')
  `.execute(db);
  return rows;
}
