import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDeliveries } from '../../deliveries/store/queue/waiting-deliveries.ts';
import { now } from '../../lib/clock.ts';
import { firstIdAt } from '../../lib/ids.ts';
import type { Database } from './database.ts';
import { openScratchDatabase } from './embedded/scratch.ts';
import { dropOldPartitions, ensurePartitions } from './partitions.ts';

const NOON = Date.UTC(2026, 0, 10, 12);
const DAY_MS = 86_400_000;

let database: Database;
beforeAll(async () => {
  database = await openScratchDatabase(8);
});
afterAll(() => database.close());

async function partitions(table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = ${table}::regclass order by name
  `.execute(database.kysely);
  return rows.map(({ name }) => name);
}

async function addEvent(atMs: number): Promise<string> {
  const id = firstIdAt(atMs);
  await database.kysely
    .insertInto('events')
    .values({ account_id: id, event_id: id, trigger_id: id, received_at: now(), payload: '{}' })
    .execute();
  return id;
}

async function placeOf(event_id: string): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select tableoid::regclass::text as name from events where event_id = ${event_id}
  `.execute(database.kysely);
  return rows[0]?.name;
}

it('creates five days and a default for each table, once for any number of calls', async () => {
  await Promise.all(Array.from({ length: 6 }, () => ensurePartitions(database.kysely, NOON)));
  await ensurePartitions(database.kysely, NOON);
  const days = ['20260109', '20260110', '20260111', '20260112', '20260113', 'default'];
  for (const table of ['events', 'deliveries', 'attempts', 'runs', 'run_logs']) {
    expect(await partitions(table)).toEqual(days.map((day) => `${table}_${day}`));
  }
});

it('stores a row without a partition, and moves it when its partition is created', async () => {
  const edge = await addEvent(Date.UTC(2026, 0, 14));
  const later = await addEvent(Date.UTC(2026, 1, 1));
  expect(await placeOf(edge)).toBe('events_default');
  await ensurePartitions(database.kysely, NOON + DAY_MS);
  expect(await placeOf(edge)).toBe('events_20260114');
  expect(await placeOf(later)).toBe('events_default');
});

it('drops whole days that are past retention', async () => {
  const old = await addEvent(Date.UTC(2025, 0, 1));
  const kept = await addEvent(NOON);
  expect((await dropOldPartitions(database.kysely, 1, openDeliveries, NOON)).names).toEqual([]);
  const { names: dropped } = await dropOldPartitions(database.kysely, 1, openDeliveries, NOON + DAY_MS);
  const tables = [
    'event_search_blocks',
    'events',
    'event_requests',
    'deliveries',
    'attempts',
    'runs',
    'run_logs',
    'rejections',
    'gateway_calls',
  ];
  expect(dropped).toEqual(tables.map((table) => `${table}_20260109`));
  expect(await placeOf(old)).toBeUndefined();
  expect(await placeOf(kept)).toBe('events_20260110');
});

it('waits for a transaction that reads the search index and then events, without a deadlock', async () => {
  const { kysely } = database;
  await ensurePartitions(kysely, NOON + 20 * DAY_MS);
  const dropping = await kysely.transaction().execute(async (reader) => {
    await sql`select from event_search_blocks limit 1`.execute(reader);
    const dropping = dropOldPartitions(kysely, 1, openDeliveries, NOON + 40 * DAY_MS);
    await expect.poll(waitingLocks).toBe(1);
    await sql`select from events limit 1`.execute(reader);
    return { done: dropping };
  });
  expect((await dropping.done).names).not.toEqual([]);
});

async function waitingLocks(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_locks where not granted and locktype = 'relation'`.execute(database.kysely);
  return rows[0]?.count ?? 0;
}
