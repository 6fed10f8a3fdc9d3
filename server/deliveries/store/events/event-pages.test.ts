import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../lib/ids.ts';
import type { Database } from '../../../platform/database/database.ts';
import { openWithTrigger } from '../store-support.ts';
import { page } from './event-pages.ts';
import { walk } from './event-walk.ts';
import { type EventFilter, list } from './events.ts';

const account_id = newId();
const [kept, gone] = [newId(), newId()];
const destination_id = newId();
const second = newId();
const replay_id = newId();
const EVENTS = 1500;

let database: Database;
/**
 * Every hundredth event says "rare" and failed with 404; every third belongs to a deleted trigger; even ones have a
 * delivery. An event that failed with 404 at one destination failed with 500 at a second.
 */
beforeAll(async () => {
  database = await openWithTrigger(account_id, kept);
  const db = database.kysely;
  const ids = Array.from({ length: EVENTS }, () => newId());
  await sql`insert into events (account_id, event_id, trigger_id, received_at, payload)
    select ${account_id}, id, case when n % 3 = 0 then ${gone}::uuid else ${kept}::uuid end, now(),
      case when n % 100 = 1 then '{"text":"RARE"}' else '{"text":"often"}' end
    from unnest(${ids}::uuid[]) with ordinality as r(id, n)`.execute(db);
  await sql`insert into deliveries (account_id, event_id, delivery_id, trigger_id, destination_id, destination_name,
      destination_url, destination_method, status, origin, attempts, last_response_status, created_at)
    select ${account_id}, id, id, case when n % 3 = 0 then ${gone}::uuid else ${kept}::uuid end,
      case when n % 4 = 0 then ${destination_id}::uuid else ${kept}::uuid end, 'd', 'http://d', 'POST',
      case when n % 100 in (1, 2) then 'FAILED' else 'SUCCEEDED' end, 'EVENT', 1,
      case when n % 100 = 1 then 404 when n % 100 = 2 then null else 200 end, now()
    from unnest(${ids}::uuid[]) with ordinality as r(id, n) where n % 2 = 0 or n % 100 = 1`.execute(db);
  await sql`insert into deliveries (account_id, event_id, delivery_id, trigger_id, destination_id, destination_name,
      destination_url, destination_method, status, origin, attempts, last_response_status, created_at)
    select account_id, event_id, gen_random_uuid(), trigger_id, ${second}, 'e', 'http://e', 'POST', 'FAILED', 'EVENT', 1, 500,
      created_at from deliveries where last_response_status = 404`.execute(db);
  await sql`insert into replays (account_id, replay_id, status, request, rate_per_second, total, created_by, created_at, updated_at)
    values (${account_id}, ${replay_id}, 'COMPLETED', '{}', 1, 1, 'x', now(), now())`.execute(db);
  await sql`insert into replay_items (account_id, replay_id, event_id, delivery_id, destination_id, trigger_id, before_status, state)
    select account_id, ${replay_id}, event_id, delivery_id, destination_id, trigger_id, 'FAILED', 'DONE' from deliveries
    where status = 'FAILED' or last_response_status = 200`.execute(db);
});
afterAll(() => database.close());

async function readAll(filter: EventFilter, limit: number) {
  const pages: string[][] = [];
  let before: string | undefined;
  do {
    const found = await page(database.kysely, account_id, filter, { limit, before, budgetMs: 0 });
    pages.push(found.rows.map(({ event_id }) => event_id));
    before = found.next ?? undefined;
  } while (before !== undefined);
  return pages;
}

const FILTERS: [string, EventFilter, count: number][] = [
  ['all', {}, 1000],
  ['a trigger', { trigger_id: kept }, 1000],
  ['a text', { q: 'rare' }, 10],
  ['a text of a trigger', { q: 'rare', trigger_id: kept }, 10],
  ['a text that none has', { q: 'never' }, 0],
  ['a source', { source: 'webhook' }, 1000],
  ['a source without events', { source: 'schedule' }, 0],
  ['failed', { status: 'FAILED' }, 20],
  ['succeeded', { status: 'SUCCEEDED' }, 490],
  ['none pending', { status: 'PENDING' }, 0],
  ['returned 404', { response_status: '404' }, 10],
  ['without a response', { response_status: 'none' }, 10],
  ['returned 2xx', { response_status: '2xx' }, 490],
  ['a destination', { destination_id }, 250],
  ['a destination, succeeded', { destination_id, status: 'SUCCEEDED' }, 250],
  ['a destination, returned 404', { destination_id: kept, response_status: '404' }, 10],
  ['a destination, returned 500', { destination_id: kept, response_status: '500' }, 0],
  ['a destination of another trigger', { destination_id, trigger_id: second }, 0],
  ['failed with 404, of a trigger', { status: 'FAILED', response_status: '404', trigger_id: kept }, 10],
  ['succeeded, of a trigger', { status: 'SUCCEEDED', trigger_id: kept }, 490],
  ['a replay', { replay_id }, 510],
  ['a replay, failed with 404', { replay_id, status: 'FAILED', response_status: '404' }, 10],
  ['a replay, with a text', { replay_id, q: 'rare' }, 10],
  ['another replay', { replay_id: kept }, 0],
  ['failed, with a text', { status: 'FAILED', q: 'rare' }, 10],
];
it.each(FILTERS)('pages of %s contain every event once', async (_, filter, count) => {
  const whole = await list(database.kysely, account_id, filter, { limit: EVENTS });
  expect(whole).toHaveLength(count);
  const pages = await readAll(filter, 7);
  expect(pages.flat()).toEqual(whole.map(({ event_id }) => event_id));
  expect(Math.max(...pages.map((rows) => rows.length))).toBeLessThanOrEqual(7);
});

it('a page ends before it is full if the next match is far away', async () => {
  const pages = await readAll({ q: 'never' }, 7);
  expect(pages.length).toBeGreaterThan(1);
  const unhurried = { limit: 7, budgetMs: 60_000 };
  expect(await page(database.kysely, account_id, { q: 'never' }, unhurried)).toEqual({ rows: [], next: null });
});

it.each<[string, EventFilter]>([
  ['returned 404', { response_status: '404' }],
  ['failed with 500', { status: 'FAILED', response_status: '500' }],
  ['a destination, succeeded', { destination_id, status: 'SUCCEEDED' }],
  ['succeeded', { status: 'SUCCEEDED' }],
  ['a replay', { replay_id }],
])('windows of %s meet each delivery once, wherever they end', async (_, filter) => {
  const whole = await list(database.kysely, account_id, filter, { limit: EVENTS });
  const there = new Set(whole.map(({ event_id }) => event_id));
  for (const size of [1, 3, 100]) {
    const found: string[] = [];
    for (let before: string | undefined, more = true; more; ) {
      const { ids, last } = await walk(database.kysely, account_id, filter, before, size);
      found.push(...ids);
      before = last;
      more = last !== undefined;
    }
    // Events of deleted triggers match, too; the list omits them.
    expect(found.filter((id) => there.has(id))).toEqual([...there]);
    expect(new Set(found).size).toBe(found.length);
  }
});
