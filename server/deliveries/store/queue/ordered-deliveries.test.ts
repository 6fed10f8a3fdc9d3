import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { now } from '../../../lib/clock.ts';
import { newId } from '../../../lib/ids.ts';
import type { Database } from '../../../platform/database/database.ts';
import { openWithTrigger } from '../store-support.ts';
import * as queue from './delivery-queue.ts';
import type { Lease } from './lease.ts';
import * as ordered from './ordered-deliveries.ts';
import * as waiting from './waiting-deliveries.ts';

const FIRST_KEY = '00000000-0000-0000-0000-000000000000';
const LEASE_MS = 60_000;
const account_id = newId();
const trigger_id = newId();
const destination_id = newId();
const node_id = newId();
/** Keys in the order in which they are read. */
const [A, B, C] = ['a', 'b', 'c'].map((letter) => `${letter}0000000-0000-4000-8000-000000000000`) as [
  string,
  string,
  string,
];

let database: Database;
beforeAll(async () => {
  database = await openWithTrigger(account_id, trigger_id);
  await sql`insert into destinations (account_id, destination_id, trigger_id, url, method, name, signing_secret, status,
      created_at, updated_at, order_by, order_end)
    values (${account_id}, ${destination_id}, ${trigger_id}, 'http://d', 'POST', 'd', '', 'ENABLED', now(), now(), 'ALL', 'BLOCK')`.execute(
    database.kysely,
  );
  await sql`insert into destination_leases (account_id, destination_id, node_id)
    values (${account_id}, ${destination_id}, ${node_id})`.execute(database.kysely);
});
afterAll(() => database.close());
beforeEach(async () => {
  await sql`truncate deliveries, waiting_deliveries, ordered_deliveries, events, attempts`.execute(database.kysely);
  await sql`update destinations set order_end = 'BLOCK'`.execute(database.kysely);
});

/** One event for each key; returns their ids. */
async function add(...keys: string[]): Promise<string[]> {
  const rows = keys.map((order_key) => ({ order_key, event_id: newId(), received_at: now() }));
  const events = rows.map(({ event_id, received_at }) => ({
    account_id,
    event_id,
    trigger_id,
    received_at,
    payload: '{}',
    replay_of: null,
  }));
  const deliveries = rows.map(
    ({ event_id, order_key, received_at }): queue.NewDeliveryRow => ({
      account_id,
      event_id,
      delivery_id: newId(),
      trigger_id,
      destination_id,
      destination: { name: 'd', url: 'http://d', method: 'POST' },
      status: 'PENDING',
      reason: null,
      origin: 'EVENT',
      leased_by: null,
      created_at: received_at,
      replay_id: null,
      webhook_id: null,
      order_key,
    }),
  );
  await queue.insert(database.kysely, events, deliveries, LEASE_MS);
  return rows.map(({ event_id }) => event_id);
}

const claim = (given: { lack?: number; after?: string; blocks?: boolean } = {}) => {
  const { lack = 10, after = FIRST_KEY, blocks = true } = given;
  const share = { destination_id, lack, isProbed: false, reservedInMs: null, order: { after, blocks, checks: true } };
  return waiting.claimLimited(database.kysely, { node_id, leaseMs: LEASE_MS }, [share], lack);
};
const ids = (leases: Lease[]) => leases.map(({ event_id }) => event_id).toSorted();
const places = async () => (await database.kysely.selectFrom('ordered_deliveries').selectAll().execute()).length;

const end = (leases: Lease[], status: 'SUCCEEDED' | 'FAILED', retry_ms: number | null = null) =>
  queue.complete(
    database.kysely,
    leases.map((lease) => ({
      ...lease,
      status,
      reason: status === 'FAILED' ? 'TEMPLATE_ERROR' : null,
      retry_ms,
      restart_ms: retry_ms,
      used: 0,
      finished_at: now(),
      was_failing: false,
      sent: null,
    })),
  );

it('leases the first delivery of each key, and the next one when it has ended', async () => {
  const [a1, b1, a2, b2] = await add(A, B, A, B);
  const first = (await claim()).leases;
  expect(ids(first)).toEqual([a1, b1]);
  expect(first.every((lease) => lease.isOrdered && lease.isLimited)).toBe(true);
  expect(await claim()).toMatchObject({ leases: [], ended: false });
  await end(
    first.filter(({ event_id }) => event_id === a1),
    'SUCCEEDED',
  );
  expect(ids((await claim()).leases)).toEqual([a2]);
  await end(
    first.filter(({ event_id }) => event_id === b1),
    'FAILED',
    60_000,
  );
  // A retry keeps its place.
  expect((await claim()).leases).toEqual([]);
  expect([await places(), b2]).toEqual([3, expect.any(String)]);
});

it('leases the oldest events first, up to the lack', async () => {
  const [c, b, a] = await add(C, B, A);
  expect(ids((await claim({ lack: 2 })).leases)).toEqual([c, b]);
  expect(ids((await claim({ lack: 2 })).leases)).toEqual([a]);
});

it('reads a part of the keys, and the next claim continues after them', async () => {
  const few = ordered.HEADS_READ + 5;
  const keys = Array.from({ length: few }, () => newId());
  await add(...keys);
  const { leases, upTo } = await claim({ lack: few });
  expect([leases.length, upTo.get(destination_id)]).toEqual([ordered.HEADS_READ, keys[ordered.HEADS_READ - 1]]);
  const rest = await claim({ lack: few, after: upTo.get(destination_id) ?? '' });
  expect([rest.leases.length, rest.upTo.size]).toEqual([5, 0]);
});

it('a delivery that failed for good keeps its place, unless the others continue', async () => {
  const [, a2] = await add(A, A);
  await end((await claim()).leases, 'FAILED');
  expect(await claim()).toMatchObject({ leases: [], ended: false });
  // The setting has changed: the place is deleted first.
  expect(await claim({ blocks: false })).toMatchObject({ leases: [], ended: true });
  expect(ids((await claim({ blocks: false })).leases)).toEqual([a2]);
});

it('a delivery that ended without leaving its place blocks no other', async () => {
  const [a1, a2] = await add(A, A);
  await sql`update deliveries set status = 'CANCELED', next_at = null where event_id = ${a1}`.execute(database.kysely);
  await sql`delete from waiting_deliveries where event_id = ${a1}`.execute(database.kysely);
  expect(await claim()).toMatchObject({ leases: [], ended: true });
  expect(ids((await claim()).leases)).toEqual([a2]);
});

it('deliveries without a place get one, each with a different key', async () => {
  const events = await add(A, A, A);
  await sql`update deliveries set order_key = null`.execute(database.kysely);
  await sql`delete from ordered_deliveries`.execute(database.kysely);
  expect((await claim()).leases).toEqual([]);
  expect(await ordered.adopt(database.kysely, [destination_id])).toBe(false);
  expect(ids((await claim()).leases)).toEqual(events);
});

it('an index finds the heads, however many deliveries are behind them', async () => {
  await sql`insert into ordered_deliveries (account_id, event_id, delivery_id, destination_id, order_key)
    select ${account_id}, gen_random_uuid(), gen_random_uuid(), ${destination_id}, ${A}::uuid
    from generate_series(1, 5000)`.execute(database.kysely);
  const { rows } = await sql<Record<'QUERY PLAN', string>>`explain (analyze, buffers) select event_id
    from ordered_deliveries where destination_id = ${destination_id} and order_key > ${FIRST_KEY}
    order by order_key, event_id limit 1`.execute(database.kysely);
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('ordered_deliveries_places');
});
