import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../lib/ids.ts';
import type { Database } from '../../platform/database/database.ts';
import { openScratchDatabase } from '../../platform/database/embedded/scratch.ts';
import type { RunsTable } from '../../platform/database/tables/function-tables.ts';
import { store, storeNew } from './run-batch.ts';

const account_id = newId();

let database: Database;
beforeAll(async () => {
  database = await openScratchDatabase(2);
  await sql`create table runs_default partition of runs default`.execute(database.kysely);
});
afterAll(() => database.close());

const rowOf = (more: Partial<RunsTable> = {}): RunsTable => ({
  ...{ account_id, run_id: newId(), function_id: newId(), version: 2_147_483_647, status: 'RUNNING' },
  ...{ method: 'GET', path: '/', request: '{}', response_status: null, response_headers: null, response_body: null },
  ...{ response_base64: false, response_truncated: false, error: null, trigger_id: null, event_id: null },
  ...{
    delivery_id: null,
    attempt: null,
    caller: null,
    key_id: null,
    key_name: null,
    node_id: newId(),
    created_at: '2026-01-02T03:04:05.000006Z',
  },
  ...{ started_at: null, ended_at: null, duration_ms: null, start: null, ready_ms: null, loaded_ms: null },
  ...{ answer_ms: null, log: null },
  ...more,
});
const full = (): Partial<RunsTable> => ({
  ...{ status: 'TIMEOUT', path: '/ä🦥\n"\\', request: '{"a":"\\u0000"}', response_status: 999, response_headers: '{}' },
  ...{ response_body: `${'ü'.repeat(70_000)}\t`, response_base64: true, response_truncated: true, error: '{}' },
  ...{
    trigger_id: newId(),
    event_id: newId(),
    delivery_id: newId(),
    attempt: 7,
    caller: 'KEY',
    key_id: newId(),
    key_name: 'a key',
    duration_ms: 12_345.678,
  },
  ...{ created_at: '1969-12-31T23:59:59.999999Z', started_at: '2026-12-31T23:59:59.999000Z' },
  ...{ ended_at: '2284-12-31T23:59:59.999999Z', start: 'SPARE', ready_ms: 0.5, loaded_ms: 1.25, answer_ms: 1e6 },
  ...{ log: '[[0,"START"]]' },
});

const read = async (given: readonly RunsTable[]) =>
  database.kysely
    .selectFrom('runs')
    .select(Object.keys(rowOf()) as (keyof RunsTable)[])
    .where(
      'run_id',
      'in',
      given.map(({ run_id }) => run_id),
    )
    .orderBy('run_id')
    .execute();

it('copied rows are read back unchanged, like inserted ones', async () => {
  const copied = Array.from({ length: 500 }, (_, n) => rowOf(n % 2 ? full() : {}));
  await storeNew(database.kysely, copied);
  expect(await read(copied)).toEqual(copied);
  const inserted = copied.map((row) => ({ ...row, run_id: newId() }));
  await store(database.kysely, { begun: inserted, ended: [], lines: [] });
  expect(await read(inserted)).toEqual(inserted);
});

it('a rejected copy stores nothing, and the connection remains usable', async () => {
  const rows = [rowOf(), rowOf(full()), rowOf()];
  await storeNew(database.kysely, rows.slice(0, 1));
  const again = storeNew(database.kysely, rows.toReversed());
  await expect(again).rejects.toMatchObject({ code: '23505' });
  expect(await read(rows)).toHaveLength(1);
  await storeNew(database.kysely, rows.slice(1));
  expect(await read(rows)).toEqual(rows);
});

it('a connection lost during a copy fails that copy, and the next one uses another connection', async () => {
  const rows = [rowOf()];
  await database.kysely.transaction().execute(async (tx) => {
    await sql`lock table runs in exclusive mode`.execute(tx);
    const broken = expect(storeNew(database.kysely, rows)).rejects.toThrow(/terminat/i);
    const breakIt = async () => {
      await sql`select pg_stat_clear_snapshot()`.execute(tx);
      const found = await sql`
        select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock' and query like '%copy runs%'
      `.execute(tx);
      return found.rows.length;
    };
    await expect.poll(breakIt).toBe(1);
    await broken;
  });
  expect(await read(rows)).toEqual([]);
  await storeNew(database.kysely, rows);
  expect(await read(rows)).toEqual(rows);
});
