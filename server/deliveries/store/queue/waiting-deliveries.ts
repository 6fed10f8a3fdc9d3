/**
 * The waiting deliveries: due now or later, and not leased. They are listed in a small table without partitions, so
 * that the cost of finding due ones does not depend on the history.
 *
 * `deliveries` is authoritative: a writer that makes a row wait (`next_at` set, no `leased_by`) lists it in the same
 * statement, and a claim removes it from the list as it leases it. The next claim removes a listed row that no longer
 * waits, under the lock of its delivery. The list may therefore briefly have too many rows, and never too few. A claim
 * waits for no lock, because a transaction that holds a delivery may wait for its row in the list.
 */
import { type RawBuilder, sql } from 'kysely';
import { msOf } from '../../../lib/ids.ts';
import { type Columns, few, givenRows } from '../../../platform/database/given-rows.ts';
import { DAY_MS, type Retained } from '../../../platform/database/partitions.ts';
import { PREPARED } from '../../../platform/database/prepared.ts';
import type { Db, Tx } from '../../../platform/database/schema.ts';
import type { Lease } from './lease.ts';
import * as ordered from './ordered-deliveries.ts';

/** Part of a statement that changes deliveries: lists those of its rows (the CTE `rows`) that wait now. */
export const listWaiting = (rows: string): RawBuilder<unknown> => sql`
  insert into waiting_deliveries as w (account_id, event_id, delivery_id, destination_id, next_at)
  select account_id, event_id, delivery_id, destination_id, next_at from ${sql.table(rows)}
  where next_at is not null and leased_by is null
  on conflict (account_id, event_id, delivery_id) do update set next_at = excluded.next_at`;

/** The columns that such a statement returns for each row. */
export const LISTED = sql`d.account_id, d.event_id, d.delivery_id, d.destination_id, d.next_at, d.leased_by`;

export type Holder = { node_id: string; leaseMs: number };
export type Claim = Holder & {
  /** Only destinations after this one. */
  after: string;
  perDestination: number;
  total: number;
  /** Destinations to exclude. */
  without: string[];
  /** Destinations with a half-open breaker: for each, the oldest due delivery, the newest, and one between them. */
  probed: string[];
};

type Key = { account_id: string; event_id: string; delivery_id: string };
const KEY: Columns<Key> = {
  account_id: ['uuid', (row) => row.account_id],
  event_id: ['uuid', (row) => row.event_id],
  delivery_id: ['uuid', (row) => row.delivery_id],
  place: ['int', () => 0],
};
/**
 * Whether `claim` may fetch for a destination: it is not paused, without limits and order. An index lists the others.
 */
const isUnlimited = (destination_id: RawBuilder<unknown>) => sql`${destination_id} not in (
  select destination_id from destinations
  where paused_at is not null or rate_requests is not null or max_in_flight is not null or order_by is not null)`;

export type Claimed = {
  leases: Lease[];
  /** The destination at which the total was reached; null if all were read. */
  upTo: string | null;
};

/** Leases due deliveries, a few per destination, so that the backlog of a dead one cannot starve the others. */
export async function claim(db: Db, given: Claim): Promise<Claimed> {
  return db.transaction().execute(async (tx) => {
    const due = await findDue(tx, given);
    const probes = given.probed.length > 0 ? await findProbes(tx, given, isUnlimited(sql`id`)) : [];
    const leases = await leaseAll(tx, given, due, probes);
    return { leases, upTo: due.length >= given.total ? (due.at(-1)?.destination_id ?? null) : null };
  });
}

/** Probes keep the time for which the circuit breaker has held them. */
async function leaseAll(tx: Tx, given: Holder, due: Key[], probes: Key[]): Promise<Lease[]> {
  const keys = [...due, ...probes];
  const leased = keys.length > 0 ? await lease(tx, given, keys) : [];
  const isProbe = new Set(probes.map(({ delivery_id }) => delivery_id));
  return leased.map(({ overdue_ms, ...each }) =>
    isProbe.has(each.delivery_id) ? { ...each, held_ms: overdue_ms } : each,
  );
}

/** What to lease at a destination with limits, up to `lack`, and the reservation that its rate needs. */
export type LimitedShare = {
  destination_id: string;
  lack: number;
  isProbed: boolean;
  reservedInMs: number | null;
  /** At a destination with an order: only heads, from this key on. */
  order: Pick<ordered.HeadShare, 'after' | 'checks' | 'blocks'> | null;
};
/** `upTo`, `ended`: see ordered-deliveries.ts. */
export type LimitedClaim = { leases: Lease[] } & Pick<ordered.Heads, 'upTo' | 'ended'>;

const NO_HEADS: ordered.Heads = { due: [], upTo: new Map(), ended: false };

/**
 * Leases due deliveries of destinations with limits or an order that are leased to this node (leases.ts), oldest due
 * first. Another node takes over none of these destinations until the transaction ends. `room`: how many in total.
 */
export async function claimLimited(
  db: Db,
  holder: Holder,
  shares: LimitedShare[],
  room: number,
): Promise<LimitedClaim> {
  return db.transaction().execute(async (tx) => {
    const own = await reserve(tx, holder.node_id, shares);
    const wanted = shares.filter(({ destination_id, lack }) => lack > 0 && own.has(destination_id));
    const inOrder = wanted.flatMap(({ order, ...each }) => (order ? [{ ...each, ...order }] : []));
    const heads = inOrder.length > 0 ? await ordered.findHeads(tx, inOrder) : NO_HEADS;
    const isHead = new Set(heads.due.map(({ delivery_id }) => delivery_id));
    const free = wanted.filter(({ order }) => order === null);
    const [probed = [], plain = []] = [true, false].map((is) => free.filter(({ isProbed }) => isProbed === is));
    const due = plain.length > 0 ? await findShares(tx, plain, room) : [];
    const ids = probed.map(({ destination_id }) => destination_id);
    const total = probed.reduce((sum, { lack }) => sum + lack, 0);
    const probes = ids.length > 0 ? await findProbes(tx, { probed: ids, total }, sql`true`) : [];
    const first = heads.due.slice(0, Math.max(room - due.length, Math.ceil(room / 2)));
    const leases = await leaseAll(tx, holder, [...due.slice(0, room - first.length), ...first], probes);
    return {
      leases: leases.map((each) => ({ ...each, isLimited: true, isOrdered: isHead.has(each.delivery_id) })),
      upTo: heads.upTo,
      ended: heads.ended,
    };
  });
}

/** Returns those of the destinations that are leased to this node. */
async function reserve(tx: Tx, node_id: string, shares: LimitedShare[]): Promise<Set<string>> {
  const { rows } = await sql<{ destination_id: string }>`
    update destination_leases l
    set reserved_at = coalesce(now() + r."reservedInMs" * interval '1 millisecond', l.reserved_at)
    from json_to_recordset(${JSON.stringify(shares)}::json) as r(destination_id uuid, "reservedInMs" float8)
    where l.destination_id = r.destination_id and l.node_id = ${node_id}
    returning l.destination_id
  `.execute(tx);
  return new Set(rows.map(({ destination_id }) => destination_id));
}

async function findShares(tx: Tx, shares: LimitedShare[], room: number): Promise<Key[]> {
  const { rows } = await sql<Key>`
    select first.* from json_to_recordset(${JSON.stringify(shares)}::json) as r(destination_id uuid, lack int)
    cross join lateral (
      select w.account_id, w.event_id, w.delivery_id from waiting_deliveries w
      where w.destination_id = r.destination_id and w.next_at <= now()
      order by w.next_at, w.event_id
      limit r.lack
      for update skip locked
    ) first
    limit ${room}
  `.execute(tx);
  return rows;
}

/** A loose index scan from destination to destination; its cost does not depend on the length of a backlog. */
async function findDue(tx: Tx, { after, perDestination, total, without, probed }: Claim) {
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
      limit ${perDestination}::int
      for update skip locked
    ) first
    where lane.destination_id is not null and lane.destination_id <> all(${[...without, ...probed]}::uuid[])
      and ${isUnlimited(sql`lane.destination_id`)}
    limit ${total}
  `.execute(tx);
  return rows;
}

/**
 * The oldest may fail because of its payload, so the newest and a random one probe, too. Two nodes may find the
 * same: `lease` locks.
 */
async function findProbes(
  tx: Tx,
  { probed, total }: Pick<Claim, 'probed' | 'total'>,
  isIncluded: RawBuilder<unknown>,
): Promise<Key[]> {
  const due = sql`from waiting_deliveries w where w.next_at <= now() and w.destination_id`;
  const key = sql`w.account_id, w.event_id, w.delivery_id`;
  const { rows } = await sql<Key>`${PREPARED}
    with span as materialized (
      select id, oldest.next_at + random() * (newest.next_at - oldest.next_at) as between_at
      from unnest(${probed}::uuid[]) id
      cross join lateral (select w.next_at ${due} = id order by w.next_at limit 1) oldest
      cross join lateral (select w.next_at ${due} = id order by w.next_at desc limit 1) newest
      where ${isIncluded}
    )
    select distinct probe.* from span cross join lateral (
      (select ${key} ${due} = span.id order by w.next_at, w.event_id limit 1)
      union all (select ${key} ${due} = span.id order by w.next_at desc, w.event_id desc limit 1)
      union all (select ${key} ${due} = span.id and w.next_at >= span.between_at order by w.next_at, w.event_id limit 1)
    ) probe
    limit ${total}
  `.execute(tx);
  return rows;
}

/**
 * Commits asynchronously: a lease that is lost in a crash of the database is due again, and what its node sent
 * meanwhile is sent twice, as after any crash between sending and recording.
 */
async function lease(tx: Tx, { node_id, leaseMs }: Holder, due: Key[]): Promise<(Lease & { overdue_ms: number })[]> {
  const { rows } = await sql<Lease & { overdue_ms: number }>`${PREPARED}
    with held as (
      select d.account_id, d.event_id, d.delivery_id, d.next_at is not null and d.leased_by is null as waits,
        greatest(0, extract(epoch from now() - d.next_at) * 1000)::float8 as overdue_ms
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
      d.generation, d.origin, d.replay_id, d.webhook_id, e.received_at, e.payload, e.traceparent,
      e.tracestate,
      held.overdue_ms
  `.execute(tx);
  return rows;
}

/** Removes the waiting deliveries of these destinations from the list. */
export async function unlist(tx: Tx, account_id: string, destination_ids: string[]): Promise<void> {
  await sql`
    delete from waiting_deliveries
    where account_id = ${account_id} and destination_id = any(${destination_ids}::uuid[])
  `.execute(tx);
}

/** Removes from the list the deliveries of events before this id, which retention has deleted. */
async function unlistGone(tx: Tx, before: string): Promise<void> {
  await sql`
    delete from waiting_deliveries w where w.event_id < ${before} and not exists (
      select from deliveries d
      where d.account_id = w.account_id and d.event_id = w.event_id and d.delivery_id = w.delivery_id)
  `.execute(tx);
}

/** The days before `before` with deliveries still to be sent. */
async function daysWithOpenDeliveries(tx: Tx, before: string): Promise<number[]> {
  // PENDING and RETRYING deliveries are waiting or leased. The first 11 characters of an id are 256 ms.
  const { rows } = await sql<{ event_id: string }>`
    select distinct on (left(event_id::text, 11)) event_id from (
      select event_id from waiting_deliveries where event_id < ${before}
      union all
      select event_id from deliveries where leased_by is not null and next_at is not null and event_id < ${before}
    ) open
    order by left(event_id::text, 11), event_id
  `.execute(tx);
  return [...new Set(rows.map(({ event_id }) => Math.floor(msOf(event_id) / DAY_MS) * DAY_MS))];
}

/** Retention keeps a day that has PENDING or RETRYING deliveries. */
export const openDeliveries: Retained = {
  heldDays: daysWithOpenDeliveries,
  async afterDrop(tx, before) {
    await unlistGone(tx, before);
    await ordered.clearGone(tx, before);
  },
};

/** Of an account: how many deliveries wait, and when the oldest of their events was received. */
export async function waitingOf(
  db: Db,
  account_id: string,
): Promise<{ waiting_deliveries: number; oldest_event_at: string | null }> {
  const { rows } = await sql<{ waiting: number; oldest: string | null }>`
    select count(*)::int as waiting,
      (select event_id from waiting_deliveries where account_id = ${account_id} order by event_id limit 1) as oldest
    from waiting_deliveries where account_id = ${account_id}
  `.execute(db);
  const { waiting = 0, oldest = null } = rows[0] ?? {};
  return {
    waiting_deliveries: waiting,
    oldest_event_at: oldest === null ? null : new Date(msOf(oldest)).toISOString(),
  };
}

export type Backlog = { waiting: number; due: number; oldest_due_seconds: number };
/** More are not counted. */
const COUNTED_MAX = 100_000;

/** How long the oldest due delivery of all accounts has been due; 0 if none is due. */
export async function oldestDueSeconds(db: Db): Promise<number> {
  // The oldest of each destination, by its index; then the oldest of all.
  const { rows } = await sql<{ seconds: number }>`
    with recursive oldest as (
      (select destination_id, next_at from waiting_deliveries order by destination_id, next_at limit 1)
      union all
      select w.destination_id, w.next_at from oldest o cross join lateral (
        select destination_id, next_at from waiting_deliveries
        where destination_id > o.destination_id order by destination_id, next_at limit 1) w
    )
    select coalesce(greatest(0, extract(epoch from now() - min(next_at))), 0)::float8 as seconds from oldest
  `.execute(db);
  return rows[0]?.seconds ?? 0;
}

/** The deliveries of all accounts that wait for an attempt, and the age of the oldest due one. */
export async function backlog(db: Db): Promise<Backlog> {
  const { rows } = await sql<Omit<Backlog, 'oldest_due_seconds'>>`
    select
      (select count(*) from (select from waiting_deliveries limit ${COUNTED_MAX}) w)::int as waiting,
      (select count(*) from (select from waiting_deliveries where next_at <= now() limit ${COUNTED_MAX}) w)::int as due
  `.execute(db);
  const { waiting = 0, due = 0 } = rows[0] ?? {};
  return { waiting, due, oldest_due_seconds: await oldestDueSeconds(db) };
}
