/** Deliveries held by a circuit breaker: visible, counted, replayed on request, and ended by their retry schedule. */
import { type RawBuilder, sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { type Service, startService } from '../../test/service.ts';
import { type Sink, startSink } from '../../test/sink.ts';
import { ingest } from '../intake/intake.ts';
import { makeEvent, makeTrigger, only, patchDestination, readEvent, whenAll } from './delivery-support.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let service: Service;
let sink: Sink;
let path = '';
let count = 0;
beforeAll(async () => {
  sink = await startSink();
});
afterAll(() => sink.close());
beforeEach(() => {
  path = `/held-${++count}`;
});
afterEach(() => service.stop());

/** A destination with five deliveries that FAILED, and three that its open breaker holds. */
async function held() {
  service = await startService({
    retryScheduleSeconds: [],
    breaker: { failures: 5, firstPauseMs: HOUR_MS, longestPauseMs: HOUR_MS },
  });
  sink.answer(path, { status: 500 });
  const trigger = await makeTrigger(service, [{ url: sink.url + path }]);
  const { trigger_id } = trigger;
  const { destination_id } = only(trigger.destinations);
  const failed = [];
  for (let n = 0; n < 5; n++) failed.push(await whenAll(service, await makeEvent(service, trigger_id), 'FAILED'));
  const waiting = [];
  for (let n = 0; n < 3; n++) waiting.push(await makeEvent(service, trigger_id));
  return { trigger_id, destination_id, failed, waiting };
}
const idsOf = (events: { event_id: string }[]) => events.map(({ event_id }) => event_id);
const listed = async (query: string) =>
  idsOf((await service.api<Reply<'eventListAll'>>('GET', `/events?${query}`)).body.events);
const destinationAt = async ({ trigger_id, destination_id }: { trigger_id: string; destination_id: string }) =>
  (await service.api<Reply<'destinationGet'>>('GET', `/triggers/${trigger_id}/destinations/${destination_id}`)).body
    .destination;
const stats = async () => (await service.api<Reply<'triggerStats'>>('GET', '/triggers:stats')).body.triggers;

it('a held delivery shows it, with its next attempt, and lists and counts include it', async () => {
  const { waiting, ...place } = await held();
  for (const event of waiting) {
    await expect
      .poll(async () => only((await readEvent(service, event)).deliveries))
      .toMatchObject({ status: 'PENDING', reason: 'CIRCUIT_OPEN', attempts: 0 });
    const { next_attempt_at } = only((await readEvent(service, event)).deliveries);
    expect(Date.parse(next_attempt_at ?? '')).toBeGreaterThan(Date.now() + HOUR_MS / 2);
  }
  const newestFirst = idsOf(waiting).toReversed();
  expect(await listed('held=true')).toEqual(newestFirst);
  expect(await listed(`held=true&destination_id=${place.destination_id}&limit=2`)).toEqual(newestFirst.slice(0, 2));
  expect(await listed('held=true&status=FAILED')).toEqual([]);
  const queue = { waiting: 3, due: 3, held: 3, at_least: false, drain_seconds: null, health: 'FAILING' };
  expect((await destinationAt(place)).queue).toMatchObject({ ...queue, oldest_waiting_at: expect.any(String) });
  expect(only(only(await stats()).queues)).toMatchObject({ ...queue, destination_id: place.destination_id });
  // A change closes the breaker.
  sink.answer(path, { status: 200 });
  await patchDestination(service, place.trigger_id, place.destination_id, { name: 'repaired' });
  for (const event of waiting) await whenAll(service, event, 'SUCCEEDED');
  expect(await listed('held=true')).toEqual([]);
  // a success is stored before the health of its destination
  await expect
    .poll(async () => (await destinationAt(place)).queue)
    .toMatchObject({ waiting: 0, oldest_waiting_at: null, health: 'HEALTHY' });
});

it('a backlog of a slow receiver is not held', async () => {
  service = await startService();
  const { account_id, services } = service;
  const released = Promise.withResolvers<void>();
  sink.answer(path, (response) => void released.promise.then(() => response.end()));
  const { trigger_id, destinations } = await makeTrigger(service, [{ url: sink.url + path }]);
  const place = { trigger_id, destination_id: only(destinations).destination_id };
  const events = Array.from({ length: 100 }, () => ({ account_id, trigger_id, payload: {} }));
  // The first deliveries fill the lane, so that the others wait in the table.
  await ingest(services, 'webhook', events);
  const stored = await ingest(services, 'webhook', events);
  const { queue } = await destinationAt(place);
  expect(queue).toMatchObject({ waiting: 200, due: 100, held: 0 });
  expect(await listed('held=true')).toEqual([]);
  const newest = `/triggers/${trigger_id}/events/${stored.at(-1)?.event_id}`;
  const { body } = await service.api<Reply<'eventGet'>>('GET', newest);
  expect(only(body.event.deliveries)).toMatchObject({ status: 'PENDING', reason: null });
  released.resolve();
  await expect.poll(() => sink.received(path).length).toBe(200);
});

it('refuses other values of the filter', async () => {
  await held();
  expect(await service.api('GET', '/events?held=maybe')).toMatchObject({ status: 400 });
  expect(await service.api('POST', '/events:replay', { filter: { held: 'true' } })).toMatchObject({ status: 400 });
});

it('a bulk replay of failed deliveries includes those that are held', async () => {
  const { waiting } = await held();
  await expect.poll(() => listed('held=true')).toHaveLength(3);
  const dry = async (body: object) =>
    (await service.api<Reply<'replayCreate'>>('POST', '/events:replay', { ...body, dry_run: true })).body.dry_run;
  const failed = { filter: { status: 'FAILED' }, only_failed: true };
  expect(await dry(failed)).toMatchObject({ events: 5, deliveries: 5 });
  expect(await dry({ ...failed, only_held: true })).toMatchObject({ events: 8, deliveries: 8 });
  expect(await dry({ filter: { held: true }, only_held: true })).toMatchObject({ events: 3, deliveries: 3 });
  expect(await dry({ filter: { event_ids: idsOf(waiting) }, only_held: true })).toMatchObject({ deliveries: 3 });
  // also those that were skipped, and events that have no others
  const { trigger_id, destinations } = await makeTrigger(service, [{ url: `${sink.url}/skipped` }]);
  const { destination_id } = only(destinations);
  await patchDestination(service, trigger_id, destination_id, { status: 'DISABLED' });
  await whenAll(service, await makeEvent(service, trigger_id), 'SKIPPED');
  await patchDestination(service, trigger_id, destination_id, { status: 'ENABLED' });
  const each = { only_failed: true, only_skipped: true, only_held: true };
  const all = { filter: { received_after: '2026-01-01T00:00:00Z' }, ...each };
  expect(await dry(all)).toMatchObject({ events: 9, deliveries: 9 });
  sink.answer(path, { status: 200 });
  await service.api('POST', '/events:replay', { ...failed, only_held: true, canary: 1 });
  for (const event of waiting) await whenAll(service, event, 'SUCCEEDED');
});

it('a receiver that recovers with a 4xx response ends the hold', async () => {
  const { waiting, failed } = await held();
  await expect.poll(() => listed('held=true')).toHaveLength(3);
  sink.answer(path, { status: 422 });
  const [first] = failed;
  await service.api('POST', `/triggers/${first?.trigger_id}/events/${first?.event_id}:replay`);
  for (const event of waiting) await whenAll(service, event, 'FAILED');
  await expect.poll(() => listed('held=true')).toEqual([]);
});

it('a held delivery is FAILED when its retry schedule is over, and 10,000 of them disable the destination', async () => {
  service = await startService({
    retryScheduleSeconds: [5, 300, 1800, 7200],
    breaker: { failures: 5, firstPauseMs: 50, longestPauseMs: 50 },
  });
  const { account_id, services } = service;
  services.settings.health = { disableAfterMs: 5 * DAY_MS, exhaustedApartMs: 12 * HOUR_MS };
  sink.answer(path, { status: 500 });
  const { trigger_id, destinations } = await makeTrigger(service, [{ url: sink.url + path }]);
  const place = { trigger_id, destination_id: only(destinations).destination_id };
  for (let n = 0; n < 10_000; n += 500)
    await ingest(
      services,
      'webhook',
      Array.from({ length: 500 }, () => ({ account_id, trigger_id, payload: {} })),
    );
  await expect.poll(async () => (await destinationAt(place)).failing_since).not.toBeNull();

  /** Time passes: all waiting deliveries have been due for longer. */
  const pass = async (hours: number) => {
    const ago = sql`${hours} * interval '1 hour'`;
    // Locks the whole table, because the service locks rows in another order.
    const update = (table: string, which: RawBuilder<unknown>) =>
      services.db.transaction().execute(async (tx) => {
        await sql`lock table ${sql.table(table)} in exclusive mode`.execute(tx);
        await sql`update ${sql.table(table)} set next_at = next_at - ${ago} where ${which}`.execute(tx);
      });
    await update('deliveries', sql`next_at is not null and leased_by is null`);
    await update('waiting_deliveries', sql`true`);
    await sql`update destinations set failing_since = failing_since - ${ago}, exhausted_at = exhausted_at - ${ago}`.execute(
      services.db,
    );
  };
  await pass(28);
  await expect.poll(async () => (await listed('status=FAILED&limit=1')).length).toBe(1);
  // The health of a destination is stored after its attempts.
  const exhausted = services.db.selectFrom('destinations').select('exhausted_at');
  await expect.poll(() => exhausted.executeTakeFirstOrThrow()).not.toEqual({ exhausted_at: null });
  await pass(5 * 24);
  await expect.poll(() => destinationAt(place)).toMatchObject({ status: 'DISABLED', reason: 'FAILING' });
  // A probe in flight ends a moment later.
  await expect.poll(async () => (await destinationAt(place)).queue).toMatchObject({ waiting: 0, health: 'DISABLED' });
  expect((await destinationAt(place)).missed).toBeGreaterThan(9000);
});

it('a destination that returned 410 counts missed deliveries, and a replay sends only those', async () => {
  service = await startService({ retryScheduleSeconds: [] });
  const filter = { wanted: true };
  const { trigger_id, destinations } = await makeTrigger(service, [{ url: sink.url + path, filter }]);
  const place = { trigger_id, destination_id: only(destinations).destination_id };
  const wanted = (n: number) => makeEvent(service, trigger_id, { wanted: true, n });
  sink.answer(path, { status: 410 });
  const first = await wanted(0);
  await expect.poll(() => destinationAt(place)).toMatchObject({ status: 'DISABLED', reason: 'GONE', missed: 0 });
  for (let n = 1; n <= 3; n++) await wanted(n);
  await makeEvent(service, trigger_id, { wanted: false });
  const { missed, disabled_at, queue } = await destinationAt(place);
  expect(missed).toBe(3);
  expect(queue.health).toBe('DISABLED');
  expect(only(only(await stats()).disabled)).toEqual({ destination_id: place.destination_id, disabled_at, missed: 3 });

  sink.answer(path, { status: 200 });
  await patchDestination(service, trigger_id, place.destination_id, { status: 'ENABLED' });
  const { body } = await service.api<Reply<'replayCreate'>>('POST', '/events:replay', {
    filter: { trigger_id, destination_id: place.destination_id, status: 'SKIPPED' },
    only_skipped: true,
    missed_since: disabled_at,
  });
  expect(body.replay).toMatchObject({ total: 3 });
  const bodies = () => sink.received(path).map(({ headers }) => headers['webhook-id']);
  await expect.poll(bodies).toHaveLength(4);
  expect(bodies()[0]).toBe(first.event_id);
  expect(await destinationAt(place)).toMatchObject({ status: 'ENABLED', disabled_at: null, missed: 0 });
});
