/** Charts over days: rollups, later changes and recent events add up to one result. */
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { newId } from '../../lib/ids.ts';
import { ensurePartitions } from '../../platform/database/partitions.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import { dropOldFigures, noteUncounted, rollUp } from '../store/events/figures.ts';
import * as queue from '../store/queue/delivery-queue.ts';
import { addDestination, makeEvent, makeTrigger, only, patchDestination, whenAll } from './delivery-support.ts';

const sink = sinkForAll();
const service = serviceForAll({ retryScheduleSeconds: [] });
beforeAll(async () => {
  for (const age of [2, 4, 6, 20]) await ensurePartitions(service.services.db, Date.now() - age * DAY_MS);
});

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
type Trigger = Reply<'triggerCreate'>['trigger'];
type Event = Reply<'eventGet'>['event'];
type Stats = Reply<'eventStats'>;

/** An event of that age, delivered as if it were received now. */
async function comeLate({ trigger_id, destinations }: Trigger, ageMs: number): Promise<Event> {
  const { account_id, services } = service;
  const atMs = Date.now() - ageMs;
  const hex = atMs.toString(16).padStart(12, '0');
  const event_id = `${hex.slice(0, 8)}-${hex.slice(8)}${newId().slice(13)}`;
  const at = new Date(atMs).toISOString();
  await queue.insert(
    services.db,
    [{ account_id, event_id, trigger_id, received_at: at, payload: '{}', replay_of: null }],
    destinations.map(({ destination_id, url, name }) => ({
      account_id,
      event_id,
      delivery_id: newId(),
      trigger_id,
      destination_id,
      destination: { name, url, method: 'POST' },
      status: 'PENDING',
      reason: null,
      origin: 'EVENT',
      leased_by: null,
      created_at: at,
      replay_id: null,
      webhook_id: null,
    })),
    0,
  );
  services.nudge('deliverer');
  return (await service.api<{ event: Event }>('GET', `/triggers/${trigger_id}/events/${event_id}`)).body.event;
}

const whenDone = (event: Event) =>
  expect
    .poll(async () => {
      const { body } = await service.api<{ event: Event }>(
        'GET',
        `/triggers/${event.trigger_id}/events/${event.event_id}`,
      );
      return body.event.deliveries.every(({ finished_at }) => finished_at !== null);
    })
    .toBe(true);

/** Without empty buckets, because one may appear or disappear meanwhile. */
async function stats(query: string) {
  const { body, status } = await service.api<Stats>('GET', `/events/stats?${query}`);
  expect(status).toBe(200);
  const { buckets, codes } = body;
  return { codes, buckets: buckets.filter(({ events, attempts, skipped }) => events + attempts + skipped > 0) };
}
const sums = async (query: string) => {
  const { buckets } = await stats(query);
  const sum = (name: 'events' | 'succeeded' | 'failed' | 'open' | 'skipped' | 'attempts' | 'failures') =>
    buckets.reduce((total, bucket) => total + bucket[name], 0);
  return [
    sum('events'),
    sum('succeeded'),
    sum('failed'),
    sum('open'),
    sum('skipped'),
    sum('attempts'),
    sum('failures'),
  ];
};

/** The service counts meanwhile: while it holds the lock, `rollUp` finds nothing to do. */
const addAll = async () => {
  const { db } = service.services;
  for (let isDone = false; !isDone; ) {
    while (await rollUp(db));
    // Waits for its commit. The last three minutes may not be settled.
    const { rows } = await sql<{ done: boolean }>`
      select until_ms > extract(epoch from now()) * 1000 - 180000 and not exists (select from stale_figures) as done
      from figures_state for update`.execute(db);
    isDone = only(rows).done;
  }
};
const recount = () => sql`update figures_state set until_ms = 0`.execute(service.services.db);

it('statistics do not depend on how much is rolled up', async () => {
  sink.answer('/bad', { status: 500 });
  const pair = await makeTrigger(service, [{ url: `${sink.url}/good` }, { url: `${sink.url}/bad` }]);
  const single = await makeTrigger(service, [{ url: `${sink.url}/good` }]);
  const none = await makeTrigger(service);
  const agesMs = [3 * MINUTE_MS, 4 * MINUTE_MS, 50 * MINUTE_MS, 300 * MINUTE_MS, 3 * DAY_MS, 6 * DAY_MS, 20 * DAY_MS];
  for (const ageMs of agesMs) for (const trigger of [pair, single]) await whenDone(await comeLate(trigger, ageMs));
  await whenAll(service, await makeEvent(service, single.trigger_id), 'SUCCEEDED');
  await makeEvent(service, none.trigger_id);

  const [good, bad] = pair.destinations;
  const trigger = `trigger_id=${pair.trigger_id}`;
  const queries = [
    '',
    trigger,
    `${trigger}&destination_id=${good?.destination_id}`,
    `destination_id=${bad?.destination_id}`,
  ];
  await addAll();
  expect(await sums('range=30d')).toEqual([16, 15, 7, 0, 0, 22, 7]);
  expect(await sums('range=7d')).toEqual([14, 13, 6, 0, 0, 19, 6]);
  expect(await sums(`range=7d&${trigger}`)).toEqual([6, 6, 6, 0, 0, 12, 6]);
  expect(await sums(`range=24h&${trigger}`)).toEqual([4, 4, 4, 0, 0, 8, 4]);
  expect(await sums(`range=1h&${queries[2]}`)).toEqual([3, 3, 0, 0, 0, 3, 0]);
  expect((await stats(`range=7d&${queries[3]}`)).codes).toEqual([{ status: 500, reason: null, count: 6 }]);

  const all = queries.flatMap((query) => ['1h', '24h', '7d', '30d'].map((range) => `range=${range}&${query}`));
  const whole = new Map<string, unknown>();
  for (const query of all) whole.set(query, await stats(query));
  // A concurrent rollup only does more of it.
  await recount();
  for (let more = true; more; ) {
    for (const query of all) expect(await stats(query), query).toEqual(whole.get(query));
    for (let step = 0; step < 40 && more; step++) more = await rollUp(service.services.db);
  }
  const { body } = await service.api<Reply<'triggerStats'>>('GET', '/triggers:stats?range=7d');
  const counts = body.triggers.map(({ events, succeeded, failed, open }) => [events, succeeded, failed, open]);
  expect(counts.toSorted((a, b) => Number(a[0]) - Number(b[0]))).toEqual([
    [1, 0, 0, 0],
    [6, 6, 6, 0],
    [7, 7, 0, 0],
  ]);
});

it('charts of days read rollups, not events', async () => {
  const { db } = service.services;
  const trigger = await makeTrigger(service, [{ url: `${sink.url}/good` }]);
  await whenDone(await comeLate(trigger, 5 * DAY_MS));
  await addAll();
  const before = await stats(`range=7d&trigger_id=${trigger.trigger_id}`);
  await db.deleteFrom('deliveries').where('trigger_id', '=', trigger.trigger_id).execute();
  await db.deleteFrom('events').where('trigger_id', '=', trigger.trigger_id).execute();
  expect(await stats(`range=7d&trigger_id=${trigger.trigger_id}`)).toEqual(before);
  expect(before.buckets).not.toEqual([]);
});

it('a replay, a retry and a disabled destination change the days of their events', async () => {
  sink.answer('/later', { status: 503 });
  sink.answer('/waits', { status: 503 });
  const trigger = await makeTrigger(service, [{ url: `${sink.url}/later` }]);
  const { trigger_id } = trigger;
  const waits = await addDestination(service, trigger_id, { url: `${sink.url}/waits`, retry_schedule: [36_000] });
  const event = await comeLate({ ...trigger, destinations: [...trigger.destinations, waits] }, 2 * DAY_MS);
  const query = `range=7d&trigger_id=${trigger_id}`;
  const poll = () =>
    expect.poll(async () => {
      await addAll();
      return sums(query);
    });
  await poll().toEqual([1, 0, 1, 1, 0, 2, 2]);

  sink.answer('/later', { status: 200 });
  const body = { destination_ids: [only(trigger.destinations).destination_id] };
  await service.api('POST', `/triggers/${trigger_id}/events/${event.event_id}:replay`, body);
  await poll().toEqual([1, 1, 0, 1, 0, 3, 2]);

  await patchDestination(service, trigger_id, waits.destination_id, { status: 'DISABLED' });
  await poll().toEqual([1, 1, 0, 0, 1, 3, 2]);
});

it('rollups that an earlier version deleted are counted again', async () => {
  const { db } = service.services;
  await addAll();
  const before = await sums('range=30d');
  await dropOldFigures(db, 8, Date.now());
  expect(await sums('range=30d')).not.toEqual(before);
  await noteUncounted(db);
  await addAll();
  expect(await sums('range=30d')).toEqual(before);
  await noteUncounted(db);
  const { rows } = await sql`select from stale_figures`.execute(db);
  expect(rows).toEqual([]);
});

it('is deleted with the days that retention removes', async () => {
  const { db } = service.services;
  const count = async () => {
    const { rows } = await sql<{
      n: number;
    }>`select count(*) as n from event_figures f where at_ms < ${Date.now() - 4 * DAY_MS}`.execute(db);
    return only(rows).n;
  };
  expect(await count()).toBeGreaterThan(0);
  await dropOldFigures(db, 3, Date.now());
  expect(await count()).toBe(0);
});
