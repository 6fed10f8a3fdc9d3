/** A paused destination: its deliveries wait, and nothing is sent until it is resumed. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import { ingest } from '../intake/intake.ts';
import { makeEvent, makeTrigger, only, patchDestination, readEvent, whenAll } from './delivery-support.ts';

const sink = sinkForAll();
const service = serviceForAll({ attemptTimeoutMs: 60_000 });

let path = '';
let count = 0;
beforeEach(() => {
  path = `/paused-${++count}`;
});

async function makeDestination(settings = {}) {
  const { trigger_id, destinations } = await makeTrigger(service, [{ url: sink.url + path, ...settings }]);
  return { trigger_id, destination_id: only(destinations).destination_id };
}
type Place = Awaited<ReturnType<typeof makeDestination>>;
const at = ({ trigger_id, destination_id }: Place) => `/triggers/${trigger_id}/destinations/${destination_id}`;
const read = async (place: Place) => (await service.api<Reply<'destinationGet'>>('GET', at(place))).body.destination;
const change = (place: Place, changes: object) =>
  patchDestination(service, place.trigger_id, place.destination_id, changes);
const paused = async (settings = {}) => {
  const place = await makeDestination(settings);
  await change(place, { paused: true });
  return place;
};
const queued = async (place: Place, events: number) => {
  const made = [];
  for (let n = 0; n < events; n++) made.push(await makeEvent(service, place.trigger_id, { n }));
  return made;
};
const deliveryOf = async (event: { trigger_id: string; event_id: string }) =>
  only((await readEvent(service, event as Parameters<typeof readEvent>[1])).deliveries);

describe('a paused destination', () => {
  it('queues its events, which shows in reads, figures and statistics', async () => {
    const place = await paused();
    const [first] = await queued(place, 3);
    if (!first) throw new Error('three were made');
    expect(await deliveryOf(first)).toMatchObject({
      status: 'PENDING',
      reason: 'DESTINATION_PAUSED',
      attempts: 0,
      next_attempt_at: null,
    });
    const destination = await read(place);
    expect(destination).toMatchObject({ status: 'ENABLED', paused_at: expect.any(String), missed: 0 });
    const queue = { waiting: 3, due: 3, held: 0, drain_seconds: null, health: 'PAUSED' };
    expect(destination.queue).toMatchObject({ ...queue, oldest_waiting_at: expect.any(String) });
    const { body } = await service.api<Reply<'triggerStats'>>('GET', '/triggers:stats');
    const trigger = body.triggers.find(({ trigger_id }) => trigger_id === place.trigger_id);
    const { destination_id } = place;
    expect(trigger?.paused).toEqual([{ destination_id, paused_at: destination.paused_at }]);
    expect(trigger?.queues).toMatchObject([{ destination_id, ...queue }]);
    expect(sink.received(path)).toEqual([]);
  });

  it('sends neither retries nor replays, single or bulk, but a test request', async () => {
    const place = await makeDestination({ retry_schedule: [1] });
    const responding = Promise.withResolvers<void>();
    sink.answer(path, (response) => void responding.promise.then(() => response.writeHead(500).end()));
    const event = await makeEvent(service, place.trigger_id);
    await expect.poll(() => sink.received(path).length).toBe(1);
    await change(place, { paused: true });
    sink.answer(path, { status: 200 });
    // The attempt in flight fails after the pause: its retry may not be sent, however soon it is due.
    responding.resolve();
    await whenAll(service, event, 'RETRYING');
    const replay = `/triggers/${place.trigger_id}/events/${event.event_id}:replay`;
    const { body } = await service.api<Reply<'eventReplay'>>('POST', replay);
    expect(only(body.event.deliveries)).toMatchObject({ status: 'PENDING', reason: 'DESTINATION_PAUSED' });
    const filter = { event_ids: [event.event_id] };
    const bulk = await service.api<Reply<'replayCreate'>>('POST', '/events:replay', { filter, canary: 1 });
    const { replay_id } = bulk.body.replay ?? {};
    const state = async () => (await service.api<Reply<'replayGet'>>('GET', `/replays/${replay_id}`)).body.replay;
    expect((await service.api('POST', `${at(place)}:test`)).status).toBe(200);
    // The test request arrives, and a destination that is not paused gets its events meanwhile.
    const other = await makeTrigger(service, [{ url: `${sink.url}/other` }]);
    await whenAll(service, await makeEvent(service, other.trigger_id), 'SUCCEEDED');
    expect(sink.received(path).map(({ headers }) => headers['webhook-id'] === event.event_id)).toEqual([true, false]);
    expect(await state()).toMatchObject({ status: 'RUNNING', done: 0 });
    await change(place, { paused: false });
    await expect.poll(state).toMatchObject({ status: 'COMPLETED', succeeded: 1 });
    expect((await deliveryOf(event)).attempts).toBe(2);
  });

  /** Eight deliveries in flight, others in the lane behind them, and 20 more, in the table if the lane is full. */
  async function full(place: Place, events: number) {
    const { account_id, services } = service;
    const { trigger_id } = place;
    const responses: (() => void)[] = [];
    sink.answer(path, (response) => responses.push(() => response.end()));
    for (const length of [events, 20])
      await ingest(
        services,
        'webhook',
        Array.from({ length }, (_, n) => ({ account_id, trigger_id, payload: { n } })),
      );
    await expect.poll(() => responses.length).toBe(8);
    return () => {
      sink.answer(path, { status: 200 });
      for (const respond of responses) respond();
    };
  }

  it('finishes the attempts in flight; deliveries that waited behind them return to the queue, in order', async () => {
    const place = await makeDestination();
    const respond = await full(place, 80);
    await change(place, { paused: true });
    await expect.poll(async () => (await read(place)).queue.due).toBe(92);
    respond();
    await expect.poll(async () => (await read(place)).queue.waiting).toBe(92);
    expect(sink.received(path)).toHaveLength(8);
    await change(place, { paused: false });
    await expect.poll(async () => (await read(place)).queue.waiting).toBe(0);
    expect(sink.received(path)).toHaveLength(100);
    const attempts = await service.services.db
      .selectFrom('attempts')
      .innerJoin('events', 'events.event_id', 'attempts.event_id')
      .select('attempts.started_at')
      .where('events.trigger_id', '=', place.trigger_id)
      .orderBy('attempts.event_id')
      .execute();
    const started = attempts.map(({ started_at }) => started_at);
    expect(started).toEqual(started.toSorted());
    // New events are sent at once again.
    await whenAll(service, await makeEvent(service, place.trigger_id), 'SUCCEEDED');
  });

  it('is noticed by a node that missed the change, before it starts an attempt', async () => {
    const place = await makeDestination();
    const respond = await full(place, 20);
    const { db, pipeline } = service.services;
    const { destination_id } = place;
    await db
      .updateTable('destinations')
      .set({ paused_at: new Date().toISOString() })
      .where('destination_id', '=', destination_id)
      .execute();
    pipeline.routes.forgetAll();
    respond();
    await expect.poll(async () => (await read(place)).queue.due).toBe(32);
    expect(sink.received(path)).toHaveLength(8);
    await change(place, { paused: false });
    await expect.poll(() => sink.received(path).length).toBe(40);
  });

  it('is not disabled for its failures before the pause, nor those of attempts in flight', async () => {
    const place = await makeDestination({ retry_schedule: [3600] });
    sink.answer(path, { status: 500 });
    await whenAll(service, await makeEvent(service, place.trigger_id), 'RETRYING');
    await expect.poll(async () => (await read(place)).failing_since).not.toBeNull();
    const responding = Promise.withResolvers<void>();
    sink.answer(path, (response) => void responding.promise.then(() => response.writeHead(500).end()));
    const event = await makeEvent(service, place.trigger_id);
    await expect.poll(() => sink.received(path).length).toBe(2);
    expect(await change(place, { paused: true })).toMatchObject({ failing_since: null, disable_at: null });
    responding.resolve();
    await whenAll(service, event, 'RETRYING');
    expect(await deliveryOf(event)).toMatchObject({ attempts: 1, reason: 'DESTINATION_PAUSED' });
    expect(await read(place)).toMatchObject({ failing_since: null, queue: { health: 'PAUSED', waiting: 2, due: 0 } });
    await change(place, { paused: false });
    expect(await deliveryOf(event)).toMatchObject({ status: 'RETRYING', reason: 'HTTP_STATUS' });
  });

  it('that is disabled skips its queue, and one that is deleted cancels it', async () => {
    const place = await paused();
    const [skipped] = await queued(place, 1);
    if (!skipped) throw new Error('one was made');
    expect(await change(place, { status: 'DISABLED' })).toMatchObject({ paused_at: expect.any(String) });
    expect(await deliveryOf(skipped)).toMatchObject({ status: 'SKIPPED', reason: 'DESTINATION_DISABLED' });
    await change(place, { status: 'ENABLED' });
    const [canceled] = await queued(place, 1);
    if (!canceled) throw new Error('one was made');
    expect(await deliveryOf(canceled)).toMatchObject({ status: 'PENDING', reason: 'DESTINATION_PAUSED' });
    await service.api('DELETE', at(place));
    expect(await deliveryOf(canceled)).toMatchObject({ status: 'CANCELED' });
    expect(sink.received(path)).toEqual([]);
  });

  it('keeps the time of the first of two pauses, is in the audit log, and belongs to its account', async () => {
    const place = await paused();
    const { paused_at } = await read(place);
    expect((await change(place, { paused: true, name: 'again' })).paused_at).toBe(paused_at);
    const { body } = await service.api<Reply<'auditList'>>('GET', '/audit?limit=1');
    expect(only(body.entries)).toMatchObject({ operation: 'destinationUpdate', resource_id: place.destination_id });
    const { key } = await service.secondAccount();
    expect((await service.api('PATCH', at(place), { paused: false }, { key })).status).toBe(404);
    expect((await service.api('PATCH', at(place), { paused: 'yes' })).body['message']).toMatch(/^paused: /);
    expect((await change(place, { paused: false })).paused_at).toBeNull();
  });
});
