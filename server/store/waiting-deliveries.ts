/**
 * The deliveries that wait in the table: due now or later, and leased by nobody. They are listed in a small table
 * without partitions, so that finding what is due costs the same whatever lies in the history.
 *
 * `deliveries` is the truth: whoever makes a row wait (`next_at` set, no `leased_by`) lists it in the same statement, and
 * a claim takes it off the list as it leases it. A listed row that doesn't wait any more is taken off by the next claim,
 * under the lock of its delivery; so the list may hold too much for a moment, and never too little. A claim waits for no
 * lock, as those who hold a delivery may wait for its place in the list.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Lease } from './delivery-queue.ts';
import { type Columns, few, givenRows } from './given-rows.ts';
import { PREPARED } from './prepared.ts';
import type { Db, Tx } from './schema.ts';

/** For a statement that has changed deliveries: lists those of its rows (named `rows`) that wait now. */
export const listWaiting = (rows: string): RawBuilder<unknown> => sql`
  insert into waiting_deliveries as w (account_id, event_id, delivery_id, destination_id, next_at)
  select account_id, event_id, delivery_id, destination_id, next_at from ${sql.table(rows)}
  where next_at is not null and leased_by is null
  on conflict (account_id, event_id, delivery_id) do update set next_at = excluded.next_at`;

/** What such a statement has to return of each row. */
export const LISTED = sql`d.account_id, d.event_id, d.delivery_id, d.destination_id, d.next_at, d.leased_by`;

export type Claim = {
  node_id: string;
  leaseMs: number;
  /** Only destinations after this one. */
  after: string;
  perDestination: number;
  total: number;
  /** Destinations that have enough. */
  without: string[];
  /** Destinations that want only one. */
  single: string[];
};

type Key = { account_id: string; event_id: string; delivery_id: string };
const KEY: Columns<Key> = {
  account_id: ['uuid', (row) => row.account_id],
  event_id: ['uuid', (row) => row.event_id],
  delivery_id: ['uuid', (row) => row.delivery_id],
  place: ['int', () => 0],
};
export type Claimed = {
  leases: Lease[];
  /** The destination that filled the total; null when all of them were looked at. */
  upTo: string | null;
};

/** Leases what is due, a few for each destination, so that the backlog of a dead one starves no other. */
export async function claim(db: Db, given: Claim): Promise<Claimed> {
  return db.transaction().execute(async (tx) => {
    const due = await findDue(tx, given);
    const leases = due.length > 0 ? await lease(tx, given, due) : [];
    return { leases, upTo: due.length >= given.total ? (due.at(-1)?.destination_id ?? null) : null };
  });
}

/** A loose index scan steps from destination to destination; the backlog's length doesn't matter. */
async function findDue(tx: Tx, { after, perDestination, total, without, single }: Claim) {
  const { rows } = await sql<Key & { destination_id: string }>`${PREPARED}
    with recursive lane(destination_id) as (
      (select destination_id from waiting_deliveries where destination_id > ${after} order by destination_id limit 1)
      union all
      select (
        select w.destination_id from waiting_deliveries w where w.destination_id > lane.destination_id
        order by w.destination_id limit 1
      ) from lane where lane.destination_id is not null
    )
    select first.* from lane cross join lateral (
      select w.account_id, w.event_id, w.delivery_id, w.destination_id from waiting_deliveries w
      where w.destination_id = lane.destination_id and w.next_at <= now()
      order by w.next_at, w.event_id
      limit case when lane.destination_id = any(${single}::uuid[]) then 1 else ${perDestination}::int end
      for update skip locked
    ) first
    where lane.destination_id is not null and lane.destination_id <> all(${without}::uuid[])
    limit ${total}
  `.execute(tx);
  return rows;
}

/**
 * The commit isn't waited for on disk: a lease that a crash of the database takes back is due again, and what its node
 * had sent meanwhile goes out twice, as with any crash between sending and recording.
 */
async function lease(tx: Tx, { node_id, leaseMs }: Claim, due: Key[]): Promise<Lease[]> {
  const { rows } = await sql<Lease>`${PREPARED}
    with held as (
      select d.account_id, d.event_id, d.delivery_id, d.next_at is not null and d.leased_by is null as waits
      from ${givenRows(due, KEY, 'r')} join deliveries d using (account_id, event_id, delivery_id)
      where ${few('r.place')}
      for update of d skip locked
    ), unlisted as (
      delete from waiting_deliveries w using held
      where w.account_id = held.account_id and w.event_id = held.event_id and w.delivery_id = held.delivery_id
    )
    update deliveries d set leased_by = ${node_id}, attempts = d.attempts + 1,
      next_at = now() + ${leaseMs} * interval '1 millisecond'
    from held join events e using (account_id, event_id)
    where held.waits and d.account_id = held.account_id and d.event_id = held.event_id
      and d.delivery_id = held.delivery_id
      and (select set_config('synchronous_commit', 'off', true)) is not null
    returning d.account_id, d.event_id, d.delivery_id, d.trigger_id, d.destination_id, d.attempts as number, d.step,
      d.generation, d.origin, d.replay_id, d.webhook_id, e.received_at, e.payload
  `.execute(tx);
  return rows;
}

/** Takes what waits for these destinations off the list. */
export async function unlist(tx: Tx, account_id: string, destination_ids: string[]): Promise<void> {
  await sql`
    delete from waiting_deliveries
    where account_id = ${account_id} and destination_id = any(${destination_ids}::uuid[])
  `.execute(tx);
}

/** Takes off the list what retention has taken, of events before this id. */
export async function unlistGone(tx: Tx, before: string): Promise<void> {
  await sql`
    delete from waiting_deliveries w where w.event_id < ${before} and not exists (
      select from deliveries d
      where d.account_id = w.account_id and d.event_id = w.event_id and d.delivery_id = w.delivery_id)
  `.execute(tx);
}
