import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { now } from '../../../lib/clock.ts';
import { newId } from '../../../lib/ids.ts';
import * as nodeStore from '../../../platform/cluster/nodes.ts';
import type { Database } from '../../../platform/database/database.ts';
import { openScratchDatabase } from '../../../platform/database/embedded/scratch.ts';
import { ensurePartitions } from '../../../platform/database/partitions.ts';
import * as deliveryStore from './deliveries.ts';
import * as queue from './delivery-queue.ts';
import type { Lease } from './lease.ts';
import * as leases from './leases.ts';
import * as waiting from './waiting-deliveries.ts';

const LEASE_MS = 60_000;
const EVERYTHING = '00000000-0000-0000-0000-000000000000';
const account_id = newId();
const trigger_id = newId();
const node = newId();

let database: Database;
beforeAll(async () => {
  database = await openScratchDatabase(4);
  await ensurePartitions(database.kysely);
});
afterAll(() => database.close());
beforeEach(async () => {
  await sql`truncate deliveries, waiting_deliveries, events, attempts, nodes`.execute(database.kysely);
});

/** One event for each destination named; `leased_by` null leaves it in the table. */
async function add(destination_id: string, count = 1, leased_by: string | null = null): Promise<Lease[]> {
  const { events, deliveries } = newRows(destination_id, count, leased_by);
  await queue.insert(database.kysely, events, deliveries, LEASE_MS);
  return deliveries.map(({ event_id, delivery_id, created_at }) => ({
    account_id,
    event_id,
    delivery_id,
    trigger_id,
    destination_id,
    number: 1,
    step: 0,
    generation: 0,
    origin: 'EVENT',
    replay_id: null,
    webhook_id: null,
    received_at: created_at,
    payload: '{"a":1}',
  }));
}

function newRows(destination_id: string, count: number, leased_by: string | null) {
  const events = Array.from({ length: count }, () => ({
    account_id,
    event_id: newId(),
    trigger_id,
    received_at: now(),
    payload: '{"a":1}',
    replay_of: null,
  }));
  const deliveries = events.map(({ event_id, received_at }) => ({
    account_id,
    event_id,
    delivery_id: newId(),
    trigger_id,
    destination_id,
    destination: { name: 'd', url: 'http://d', method: 'POST' },
    status: 'PENDING' as const,
    reason: null,
    origin: 'EVENT' as const,
    leased_by,
    created_at: received_at,
    replay_id: null,
    webhook_id: null,
  }));
  return { events, deliveries };
}

const look = (more: Partial<waiting.Claim> = {}) =>
  waiting.claim(database.kysely, {
    node_id: node,
    leaseMs: LEASE_MS,
    after: EVERYTHING,
    perDestination: 3,
    total: 100,
    without: [],
    probed: [],
    ...more,
  });
const claim = async (more: Partial<waiting.Claim> = {}) => (await look(more)).leases;

const completion = (
  lease: Lease,
  status: 'SUCCEEDED' | 'FAILED',
  waits: { retry_ms: number | null; restart_ms: number | null } = { retry_ms: null, restart_ms: null },
): queue.Completion => ({
  ...lease,
  status,
  reason: status === 'FAILED' ? 'HTTP_STATUS' : null,
  ...waits,
  used: 0,
  finished_at: now(),
  was_failing: false,
  sent: {
    started_at: now(),
    duration_ms: 1,
    request_method: 'POST',
    request_url: 'http://d',
    request_headers: '{}',
    request_body: '{}',
    payload_at: null,
    response_status: status === 'FAILED' ? 500 : 200,
    response_headers: '{}',
    response_body: '',
    response_truncated: false,
    error_message: null,
    run_id: null,
    function_id: null,
    replay_id: null,
    webhook_id: null,
    transform_function_id: null,
    transform_version: null,
    transform_run_id: null,
  },
});

const listed = async () => {
  const { rows } = await sql<{ n: number }>`select count(*) as n from waiting_deliveries`.execute(database.kysely);
  return rows[0]?.n;
};
const rowOf = ({ event_id, delivery_id }: Lease) =>
  database.kysely
    .selectFrom('deliveries')
    .selectAll()
    .where('event_id', '=', event_id)
    .where('delivery_id', '=', delivery_id)
    .executeTakeFirstOrThrow();
const attemptsOf = async ({ event_id }: Lease) =>
  (await database.kysely.selectFrom('attempts').select('number').where('event_id', '=', event_id).execute()).length;
const restart = ({ event_id, delivery_id, generation }: Lease, lease: { node_id: string; ms: number } | null = null) =>
  database.kysely.transaction().execute((tx) =>
    deliveryStore.restart(
      tx,
      account_id,
      event_id,
      [
        {
          delivery_id,
          generation,
          destination: { name: 'd', url: 'http://d', method: 'POST' },
          replay_id: null,
          webhook_id: null,
          transform_then: false,
        },
      ],
      lease,
    ),
  );

it.each([
  ['an event without a key', null],
  ['an event with a key', 'k'],
])('does not store %s whose trigger has changed, and reports the trigger', async (_, key) => {
  const { events, deliveries } = newRows(newId(), 1, null);
  const given = events.map((event) => ({ ...event, key }));
  const inserted = await queue.insert(database.kysely, given, deliveries, LEASE_MS, [
    { account_id, trigger_id, version: 'of before' },
  ]);
  expect(inserted.stale).toEqual([trigger_id]);
  const { rows } = await sql`select from events union all select from deliveries`.execute(database.kysely);
  expect(rows).toEqual([]);
});

describe('a claim', () => {
  it('takes a few per destination, oldest first, regardless of the backlog of one', async () => {
    const [dead, small] = [newId(), newId()];
    const backlog = await add(dead, 50);
    const few = await add(small, 2);
    const claimed = await claim();
    const of = (id: string) => claimed.filter((each) => each.destination_id === id).map(({ event_id }) => event_id);
    expect(of(dead).sort()).toEqual(backlog.slice(0, 3).map(({ event_id }) => event_id));
    expect(of(small).sort()).toEqual(few.map(({ event_id }) => event_id));
    expect(claimed[0]).toMatchObject({ number: 1, step: 0, generation: 0, payload: '{"a":1}' });
  });

  it('skips leased deliveries and excluded destinations', async () => {
    const destination = newId();
    await add(destination, 4);
    expect(await claim({ without: [destination] })).toEqual([]);
    const [first, second] = await Promise.all([claim(), claim({ node_id: newId() })]);
    const ids = [...first, ...second].map(({ delivery_id }) => delivery_id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(await claim({ perDestination: 10 }).then((rest) => rest.length + ids.length)).toBe(4);
    expect(await claim()).toEqual([]);
  });

  it('continues after the destination at which the last claim was full', async () => {
    const ids = [newId(), newId(), newId()];
    for (const id of ids) await add(id, 2);
    const first = await look({ total: 3 });
    expect(first.upTo).toBe(ids[1]);
    const second = await look({ total: 3, after: first.upTo ?? '' });
    expect(second.leases.map(({ destination_id }) => destination_id)).toEqual([ids[2], ids[2]]);
    expect(second.upTo).toBeNull();
    expect((await claim()).map(({ destination_id }) => destination_id)).toEqual([ids[1]]);
  });

  it('takes the oldest, the newest and one between of a half-open destination', async () => {
    const [probed, other] = [newId(), newId()];
    const [oldest, , newest] = [await add(probed, 1), await add(probed, 8), await add(probed, 1)];
    await add(other, 3);
    const claimed = await claim({ probed: [probed] });
    const probes = claimed.filter(({ destination_id }) => destination_id === probed).map((each) => each.event_id);
    expect(probes).toEqual(expect.arrayContaining([...oldest, ...newest].map((each) => each.event_id)));
    expect([2, 3]).toContain(probes.length);
    expect(claimed).toHaveLength(3 + probes.length);
  });

  it('skips locked deliveries and takes them later', async () => {
    const [lease] = (await add(newId(), 1)) as [Lease];
    await database.kysely.transaction().execute(async (tx) => {
      await deliveryStore.lockOf(tx, account_id, lease.event_id);
      expect(await claim()).toEqual([]);
    });
    expect(await claim()).toHaveLength(1);
  });

  it('removes listed deliveries that no longer wait', async () => {
    const [lease] = (await add(newId(), 1)) as [Lease];
    await database.kysely.updateTable('deliveries').set({ next_at: null }).execute();
    expect(await claim()).toEqual([]);
    expect(await listed()).toBe(0);
    expect(await rowOf(lease)).toMatchObject({ leased_by: null, attempts: 0 });
  });
});

describe('a completion', () => {
  it('updates the delivery and stores the attempt', async () => {
    const [lease] = (await add(newId(), 1, node)) as [Lease];
    const [done] = await queue.complete(database.kysely, [completion(lease, 'SUCCEEDED')]);
    expect(done).toMatchObject({ status: 'SUCCEEDED', wait_ms: null });
    expect(await rowOf(lease)).toMatchObject({
      attempts: 1,
      next_at: null,
      leased_by: null,
      last_response_status: 200,
    });
    expect(await attemptsOf(lease)).toBe(1);
  });

  it('schedules the next attempt, and fails when none is left', async () => {
    const [lease] = (await add(newId(), 1, node)) as [Lease];
    const waits = { retry_ms: 0, restart_ms: 5000 };
    expect(await queue.complete(database.kysely, [completion(lease, 'FAILED', waits)])).toMatchObject([
      { status: 'RETRYING' },
    ]);
    const [again] = (await claim()) as [Lease];
    expect(again).toMatchObject({ number: 2, step: 1, origin: 'RETRY' });
    const last = completion(again, 'FAILED', { retry_ms: null, restart_ms: 5000 });
    expect(await queue.complete(database.kysely, [last])).toMatchObject([{ status: 'FAILED', wait_ms: null }]);
    expect(await rowOf(lease)).toMatchObject({ status: 'FAILED', reason: 'HTTP_STATUS', attempts: 2, step: 2 });
  });

  it('of a worker that lost its lease adds the attempt and changes no state', async () => {
    const [stale] = (await add(newId(), 1, newId())) as [Lease];
    await leases.releaseOrphans(database.kysely, node, false);
    const [fresh] = (await claim()) as [Lease];
    expect(fresh.number).toBe(2);
    expect(await queue.complete(database.kysely, [completion(stale, 'SUCCEEDED')])).toEqual([]);
    expect(await rowOf(stale)).toMatchObject({ status: 'PENDING', leased_by: node, attempts: 2 });
    await queue.complete(database.kysely, [completion(fresh, 'SUCCEEDED')]);
    expect(await rowOf(stale)).toMatchObject({ status: 'SUCCEEDED' });
    expect(await attemptsOf(stale)).toBe(2);
  });

  it('of an attempt from before a replay changes no state', async () => {
    const [lease] = (await add(newId(), 1, node)) as [Lease];
    await queue.release(database.kysely, node, [lease]);
    await restart(lease);
    expect(await queue.complete(database.kysely, [completion(lease, 'FAILED')])).toEqual([]);
    expect(await rowOf(lease)).toMatchObject({ status: 'PENDING', generation: 1 });
  });

  it('without an attempt restores the attempt number', async () => {
    const [lease] = (await add(newId(), 1, node)) as [Lease];
    const aside = {
      ...completion(lease, 'FAILED'),
      status: 'SKIPPED',
      reason: 'DESTINATION_DISABLED',
      sent: null,
    } as const;
    await queue.complete(database.kysely, [aside]);
    expect(await rowOf(lease)).toMatchObject({ status: 'SKIPPED', attempts: 0, next_at: null });
    expect(await attemptsOf(lease)).toBe(0);
  });
});

describe('a replay', () => {
  it('joins an attempt in flight, and a failure of that attempt restarts the schedule', async () => {
    const [first] = (await add(newId(), 1, node)) as [Lease];
    await queue.complete(database.kysely, [completion(first, 'FAILED', { retry_ms: 0, restart_ms: 0 })]);
    const [last] = (await claim()) as [Lease];
    await restart(last);
    expect(await rowOf(last)).toMatchObject({ generation: 0, leased_by: node, step: 0, origin: 'REPLAY' });
    expect(await claim()).toEqual([]);
    const failed = completion(last, 'FAILED', { retry_ms: null, restart_ms: 5000 });
    expect(await queue.complete(database.kysely, [failed])).toMatchObject([{ status: 'RETRYING' }]);
    expect(await rowOf(last)).toMatchObject({ status: 'RETRYING', step: 1, origin: 'REPLAY' });
  });

  it('of a delivery at rest makes it due at once', async () => {
    const [lease] = (await add(newId(), 1, node)) as [Lease];
    await queue.complete(database.kysely, [completion(lease, 'SUCCEEDED')]);
    await restart(lease);
    expect(await claim()).toMatchObject([{ number: 2, step: 0, generation: 1, origin: 'REPLAY' }]);
  });

  it('may be leased at once, and one that waits for its next attempt is no longer claimed', async () => {
    const [lease] = (await add(newId(), 1, node)) as [Lease];
    await queue.complete(database.kysely, [completion(lease, 'FAILED', { retry_ms: 0, restart_ms: 0 })]);
    const asked = { node_id: newId(), ms: LEASE_MS };
    const { destination_id, delivery_id } = lease;
    expect(await restart(lease, asked)).toEqual([{ destination_id, delivery_id, number: 2, generation: 1 }]);
    expect(await claim()).toEqual([]);
    expect(await rowOf(lease)).toMatchObject({ leased_by: asked.node_id, attempts: 2, status: 'PENDING' });
    expect(await restart({ ...lease, generation: 1 }, asked)).toEqual([]);
  });
});

describe('leases', () => {
  it('that are released are due at once, with their attempt number', async () => {
    const [lease] = (await add(newId(), 1, node)) as [Lease];
    await queue.release(database.kysely, newId(), [lease]);
    expect(await claim()).toEqual([]);
    await queue.release(database.kysely, node, [lease]);
    expect(await claim()).toMatchObject([{ number: 1 }]);
  });

  it('of a node without a heartbeat are released, those of a live node are not', async () => {
    const [silentNode, living] = [newId(), newId()];
    for (const each of [silentNode, living]) await nodeStore.beat(database.kysely, each);
    await sql`update nodes set heartbeat_at = now() - interval '16 seconds' where node_id = ${silentNode}`.execute(
      database.kysely,
    );
    const lost = await add(newId(), 2, silentNode);
    await add(newId(), 1, living);
    expect(await leases.releaseExpired(database.kysely, 15_000)).toEqual({ expired: 1, released: 2 });
    expect(await leases.releaseOrphans(database.kysely, node, false)).toBe(0);
    expect((await claim()).map(({ delivery_id }) => delivery_id).sort()).toEqual(
      lost.map(({ delivery_id }) => delivery_id),
    );
    expect(await leases.releaseOrphans(database.kysely, node, true)).toBe(1);
  });
});
