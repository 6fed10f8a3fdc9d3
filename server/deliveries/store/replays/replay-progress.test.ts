import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../lib/ids.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Tx } from '../../../platform/database/schema.ts';
import { openWithTrigger } from '../store-support.ts';
import { FROM_START, type OpenFrom, progressOf, settle, skipDeleted } from './replay-progress.ts';

const account_id = newId();
const trigger_id = newId();
const destination_id = newId();
const [DONE, SENT, WAITING] = [3000, 50, 950];
const ids = Array.from({ length: DONE + SENT + WAITING }, () => newId());

let database: Database;
beforeAll(async () => {
  database = await openWithTrigger(account_id, trigger_id);
  const db = database.kysely;
  await sql`insert into deliveries (account_id, event_id, delivery_id, trigger_id, destination_id, destination_name,
      destination_url, destination_method, status, origin, attempts, created_at)
    select ${account_id}, id, id, ${trigger_id}, ${destination_id}::uuid, 'd', 'http://d', 'POST',
      case when n % 2 = 0 then 'SUCCEEDED' else 'PENDING' end, 'REPLAY', 1, now()
    from unnest(${ids}::uuid[]) with ordinality as r(id, n)`.execute(db);
});
afterAll(() => database.close());

/** A replay in the middle of its items. */
async function makeReplay(items_of = trigger_id): Promise<string> {
  const replay_id = newId();
  const db = database.kysely;
  await sql`insert into replays (account_id, replay_id, status, request, rate_per_second, total, done, created_by, created_at, updated_at)
    values (${account_id}, ${replay_id}, 'RUNNING', '{}', 1, ${ids.length}, ${DONE}, 'x', now(), now())`.execute(db);
  await sql`insert into replay_items (account_id, replay_id, event_id, delivery_id, destination_id, trigger_id, before_status, state)
    select ${account_id}, ${replay_id}, id, id, ${destination_id}::uuid, ${items_of}::uuid, 'FAILED',
      case when n <= ${DONE} then 'DONE' when n <= ${DONE + SENT} then 'SENT' else 'WAITING' end
    from unnest(${ids}::uuid[]) with ordinality as r(id, n)`.execute(db);
  return replay_id;
}

/** Rows of replay_items read so far on this connection. */
async function rowsRead(tx: Tx): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (coalesce(idx_tup_fetch, 0) + seq_tup_read)::int as count from pg_stat_xact_user_tables
    where relname = 'replay_items'`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** One step of a replay, and how many rows it read. */
const step = (replay_id: string, from: OpenFrom) =>
  database.kysely.transaction().execute(async (tx) => {
    const before = await rowsRead(tx);
    await skipDeleted(tx, account_id, replay_id, from);
    await settle(tx, account_id, replay_id, from);
    const found = await progressOf(tx, account_id, replay_id, from);
    return { found, read: (await rowsRead(tx)) - before };
  });

it('a step does not read closed items again, with any plan', async () => {
  const replay_id = await makeReplay();
  const first = await step(replay_id, FROM_START);
  expect(first.found).toMatchObject({ done: DONE + SENT / 2, succeeded: SENT / 2, sent: SENT / 2, waiting: true });
  const second = await step(replay_id, first.found?.from ?? FROM_START);
  expect(second.found).toMatchObject({ done: DONE + SENT / 2, sent: SENT / 2, waiting: true });
  expect(second.read).toBeLessThan(DONE);
  expect(second.found?.from).toEqual({ sent: ids[DONE], waiting: ids[DONE + SENT] });
});

it('all items of a deleted trigger are closed at once', async () => {
  const replay_id = await makeReplay(newId());
  const { found } = await step(replay_id, { sent: ids[DONE] ?? '', waiting: ids[DONE + SENT] ?? '' });
  expect(found).toMatchObject({ done: DONE + SENT / 2 + WAITING, skipped: WAITING, waiting: false });
});
