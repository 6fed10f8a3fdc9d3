import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../lib/ids.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { EventFilter } from '../events/events.ts';
import { openWithTrigger } from '../store-support.ts';
import { type Choice, count, countEvents, gather, insertItems, oldest } from './replay-gathering.ts';

const account_id = newId();
const trigger_id = newId();
const [first_id, second_id] = [newId(), newId()];
const replay_id = newId();
const EVENTS = 1200;
const ids = Array.from({ length: EVENTS }, () => newId());

let database: Database;
/** Each event goes to two destinations; every hundredth says "rare", and fails at the first with 404. */
beforeAll(async () => {
  database = await openWithTrigger(account_id, trigger_id);
  const db = database.kysely;
  await sql`insert into events (account_id, event_id, trigger_id, received_at, payload, replay_of)
    select ${account_id}, id, ${trigger_id}, now(), case when n % 100 = 0 then '{"text":"RARE"}' else '{}' end,
      case when n > 1190 then ${ids[0]}::uuid end
    from unnest(${ids}::uuid[]) with ordinality as r(id, n)`.execute(db);
  for (const destination_id of [first_id, second_id])
    await sql`insert into deliveries (account_id, event_id, delivery_id, trigger_id, destination_id, destination_name,
        destination_url, destination_method, status, origin, attempts, last_response_status, created_at)
      select ${account_id}, id, gen_random_uuid(), ${trigger_id}, ${destination_id}::uuid, 'd', 'http://d', 'POST',
        case when n % 100 = 0 and ${destination_id === first_id} then 'FAILED' else 'SUCCEEDED' end, 'EVENT', 1,
        case when n % 100 = 0 and ${destination_id === first_id} then 404 else 200 end, now()
      from unnest(${ids}::uuid[]) with ordinality as r(id, n)`.execute(db);
  await sql`insert into replays (account_id, replay_id, status, request, rate_per_second, total, created_by, created_at, updated_at)
    values (${account_id}, ${replay_id}, 'COMPLETED', '{}', 1, 1, 'x', now(), now())`.execute(db);
  await sql`insert into replay_items (account_id, replay_id, event_id, delivery_id, destination_id, trigger_id, before_status, state)
    select account_id, ${replay_id}, event_id, delivery_id, destination_id, trigger_id, 'FAILED', 'DONE' from deliveries
    where status = 'FAILED'`.execute(db);
});
afterAll(() => database.close());

const SELECTIONS: [string, EventFilter, Choice, events: number, deliveries: number][] = [
  ['a trigger', { trigger_id }, {}, 1200, 2400],
  ['a trigger, failed ones alone', { trigger_id }, { statuses: ['FAILED'] }, 12, 12],
  ['a trigger, one destination', { trigger_id }, { destination_ids: [second_id] }, 1200, 1200],
  ['a trigger, both destinations', { trigger_id }, { destination_ids: [first_id, second_id] }, 1200, 2400],
  ['failed', { status: 'FAILED' }, {}, 12, 24],
  ['failed, the other destination', { status: 'FAILED' }, { destination_ids: [second_id] }, 12, 12],
  ['succeeded, failed ones alone', { status: 'SUCCEEDED' }, { statuses: ['FAILED'] }, 12, 12],
  ['of one destination, failed ones alone', { destination_id: second_id }, { statuses: ['FAILED'] }, 12, 12],
  ['returned 404', { response_status: '404' }, { statuses: ['FAILED'] }, 12, 12],
  ['a text', { q: 'rare' }, {}, 12, 24],
  ['a text that none has', { q: 'never' }, {}, 0, 0],
  ['a source', { source: 'webhook' }, { statuses: ['FAILED', 'SKIPPED'] }, 12, 12],
  ['copies', { replay_of: ids[0] }, {}, 10, 20],
  ['copies that failed', { replay_of: ids[0], status: 'FAILED' }, {}, 1, 2],
  ['another replay', { replay_id }, {}, 12, 24],
  ['another replay, what failed', { replay_id, status: 'FAILED' }, { statuses: ['FAILED'] }, 12, 12],
  ['chosen events', { event_ids: ids.slice(100, 700) }, { statuses: ['FAILED'] }, 6, 6],
  ['chosen events that failed', { event_ids: ids.slice(100, 700), status: 'FAILED' }, {}, 6, 12],
  ['another trigger', { trigger_id: second_id }, {}, 0, 0],
];
it.each(SELECTIONS)(
  'of %s, no delivery is left out and none comes twice, however often it is interrupted',
  async (_, filter, choice, events, deliveries) => {
    const mine = newId();
    const selection = { filter, choice };
    const counted = { events: 0, deliveries: 0 };
    let shown: string[] = [];
    let before: string | null | undefined;
    await database.kysely.transaction().execute(async (tx) => {
      await sql`insert into replays (account_id, replay_id, status, request, rate_per_second, total, created_by, created_at, updated_at)
        values (${account_id}, ${mine}, 'PAUSED', '{}', 1, 0, 'x', now(), now())`.execute(tx);
      while (before !== null)
        before = await gather(tx, account_id, selection, { before, budgetMs: 0 }, async (candidates) => {
          const found = await count(tx, candidates);
          counted.events += found.events;
          counted.deliveries += found.deliveries;
          shown = [...(await oldest(tx, candidates, 3)).map(({ delivery_id }) => delivery_id), ...shown].slice(0, 3);
          expect(await insertItems(tx, account_id, mine, candidates)).toEqual(found);
          return true;
        });
      expect(await countEvents(tx, account_id, mine)).toBe(events);
    });
    expect(counted).toEqual({ events, deliveries });
    const items = await database.kysely
      .selectFrom('replay_items')
      .select('delivery_id')
      .where('replay_id', '=', mine)
      .orderBy('event_id')
      .orderBy('destination_id')
      .execute();
    expect(items).toHaveLength(deliveries);
    expect(shown).toEqual(items.slice(0, 3).map(({ delivery_id }) => delivery_id));
  },
);

it('stops when the time is up or enough is found, and returns where to continue', async () => {
  const selection = { filter: { trigger_id }, choice: {} };
  let stretches = 0;
  const stopAt = (most: number) => async () => {
    stretches += 1;
    return stretches < most;
  };
  const late = { before: undefined, budgetMs: 0 };
  expect(await gather(database.kysely, account_id, selection, late, stopAt(100))).toBe(ids[EVENTS - 400]);
  expect(stretches).toBe(1);
  const unhurried = { before: undefined, budgetMs: 60_000 };
  expect(await gather(database.kysely, account_id, selection, unhurried, stopAt(2))).toBe(ids[EVENTS - 400]);
  stretches = 0;
  expect(await gather(database.kysely, account_id, selection, unhurried, stopAt(100))).toBeNull();
  expect(stretches).toBe(2);
});

it('looks up the deliveries of each event without searching a list of ids', async () => {
  const selection = { filter: { event_ids: ids }, choice: { statuses: ['FAILED' as const] } };
  const conditions: string[] = [];
  await gather(database.kysely, account_id, selection, { before: undefined, budgetMs: 0 }, async (candidates) => {
    const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>`
      explain (format json) select o.delivery_id ${candidates}`.execute(database.kysely);
    const nodes = rows.flatMap((row) => nodesOf(row['QUERY PLAN'][0].Plan));
    conditions.push(...nodes.map(({ 'Relation Name': name, 'Index Cond': text }) => `${name}: ${text}`));
    return false;
  });
  const ofDeliveries = conditions.filter((text) => text.startsWith('deliveries_'));
  expect(ofDeliveries).not.toHaveLength(0);
  expect(ofDeliveries.filter((text) => text.includes('ANY'))).toEqual([]);
});

type PlanNode = { 'Relation Name'?: string; 'Index Cond'?: string; Plans?: PlanNode[] };
const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];
