/** Replay: the same delivery again, from each of its states. */
import { beforeEach, expect, it } from 'vitest';
import type { Body, Reply } from '../../../contract/operations.ts';
import { firstIdAt, newId } from '../../lib/ids.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import {
  addDestination,
  attemptsOf,
  makeEvent,
  makeTrigger,
  only,
  patchDestination,
  readEvent,
  whenAll,
} from './delivery-support.ts';

type Event = Reply<'eventGet'>['event'];

const sink = sinkForAll();
const service = serviceForAll({ retryScheduleSeconds: [] });

let path = '';
let count = 0;
beforeEach(() => {
  path = `/hook-${++count}`;
});
const url = () => sink.url + path;

const replay = ({ trigger_id, event_id }: Pick<Event, 'trigger_id' | 'event_id'>, body?: Body<'eventReplay'>) =>
  service.api<Reply<'eventReplay'> & { message: string }>(
    'POST',
    `/triggers/${trigger_id}/events/${event_id}:replay`,
    body,
  );

it('brings a failed event to SUCCEEDED once its destination works again', async () => {
  const trigger = await makeTrigger(service, [{ url: url() }]);
  sink.answer(path, { status: 500 });
  const event = await whenAll(service, await makeEvent(service, trigger.trigger_id), 'FAILED');
  const { destination_id } = only(trigger.destinations);
  const repaired = `${url()}-repaired`;
  await patchDestination(service, trigger.trigger_id, destination_id, { url: repaired, name: 'Repaired' });
  const { status, body } = await replay(event);
  expect(status).toBe(200);
  expect(body.skipped).toEqual([]);
  expect(only(body.event.deliveries)).toMatchObject({
    delivery_id: only(event.deliveries).delivery_id,
    status: 'PENDING',
    reason: null,
    attempts: 1,
    finished_at: null,
    destination_url: repaired,
    destination_name: 'Repaired',
  });
  const done = await whenAll(service, event, 'SUCCEEDED');
  expect(only(done.deliveries)).toMatchObject({ attempts: 2, reason: null, last_response_status: 200 });
  expect((await attemptsOf(service, done)).map(({ number, origin, request }) => [number, origin, request.url])).toEqual(
    [
      [1, 'EVENT', url()],
      [2, 'REPLAY', repaired],
    ],
  );
  expect(only(sink.received(`${path}-repaired`)).headers['webhook-id']).toBe(event.event_id);
});

it('sends a succeeded delivery again, with retries that belong to the replay', async () => {
  const { trigger_id } = await makeTrigger(service, [{ url: url() }]);
  const event = await whenAll(service, await makeEvent(service, trigger_id), 'SUCCEEDED');
  sink.answer(path, { status: 500 });
  service.services.settings.retryScheduleSeconds = [0.01];
  await replay(event);
  const failed = await whenAll(service, event, 'FAILED').finally(() => {
    service.services.settings.retryScheduleSeconds = [];
  });
  expect((await attemptsOf(service, failed)).map(({ origin }) => origin)).toEqual(['EVENT', 'REPLAY', 'REPLAY']);
});

it('restarts the schedule of a delivery that waits for its next attempt', async () => {
  const { trigger_id } = await makeTrigger(service, [{ url: url() }]);
  sink.answer(path, { status: 500 });
  service.services.settings.retryScheduleSeconds = [3600];
  const event = await whenAll(service, await makeEvent(service, trigger_id), 'RETRYING');
  sink.answer(path, { status: 200 });
  service.services.settings.retryScheduleSeconds = [];
  await replay(event);
  await whenAll(service, event, 'SUCCEEDED');
});

it('joins an attempt in flight instead of sending twice, with ten replays at once', async () => {
  const { trigger_id } = await makeTrigger(service, [{ url: url() }]);
  const held = Promise.withResolvers<void>();
  sink.answer(path, (response) => void held.promise.then(() => response.end('late')));
  const event = await makeEvent(service, trigger_id);
  await expect.poll(() => sink.received(path).length).toBe(1);
  const replies = await Promise.all(Array.from({ length: 10 }, () => replay(event)));
  expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(200));
  expect(only(replies[0]?.body.event.deliveries ?? [])).toMatchObject({ status: 'PENDING', attempts: 0 });
  held.resolve();
  const done = await whenAll(service, event, 'SUCCEEDED');
  expect(only(done.deliveries).attempts).toBe(1);
  expect(sink.received(path)).toHaveLength(1);
});

it('ten replays at once of a failed delivery send it at most ten times', async () => {
  const { trigger_id } = await makeTrigger(service, [{ url: url() }]);
  sink.answer(path, { status: 500 });
  const event = await whenAll(service, await makeEvent(service, trigger_id), 'FAILED');
  sink.answer(path, { status: 200 });
  const replies = await Promise.all(Array.from({ length: 10 }, () => replay(event)));
  expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(200));
  const done = await whenAll(service, event, 'SUCCEEDED');
  await expect.poll(async () => (await attemptsOf(service, done)).length).toBe(sink.received(path).length);
  expect(sink.received(path).length).toBeLessThanOrEqual(11);
});

it('creates deliveries for added destinations, and skips disabled and deleted ones', async () => {
  const trigger = await makeTrigger(service, [{ url: url() }, { url: `${url()}-off` }, { url: `${url()}-gone` }]);
  const event = await whenAll(service, await makeEvent(service, trigger.trigger_id), 'SUCCEEDED');
  const [first, off, gone] = trigger.destinations.map(({ destination_id }) => destination_id);
  await patchDestination(service, trigger.trigger_id, off ?? '', { status: 'DISABLED' });
  await service.api('DELETE', `/triggers/${trigger.trigger_id}/destinations/${gone}`);
  const added = await addDestination(service, trigger.trigger_id, { url: `${url()}-new` });
  const { body } = await replay(event);
  expect(body.skipped).toEqual([
    { destination_id: off, reason: expect.stringContaining('disabled') },
    { destination_id: gone, reason: expect.stringContaining('deleted') },
  ]);
  expect(body.event.deliveries.map(({ destination_id, status }) => [destination_id, status])).toEqual([
    [first, 'PENDING'],
    [off, 'SUCCEEDED'],
    [gone, 'SUCCEEDED'],
    [added.destination_id, 'PENDING'],
  ]);
  await expect.poll(() => sink.received(`${path}-new`).length).toBe(1);
  const done = await readEvent(service, event);
  expect(done.deliveries.find((each) => each.destination_id === added.destination_id)?.created_at).not.toBe(
    event.received_at,
  );
  expect(sink.received(`${path}-off`)).toHaveLength(1);
});

it('selects only failed deliveries, or only the given destinations', async () => {
  const trigger = await makeTrigger(service, [{ url: url() }, { url: `${url()}-bad` }]);
  sink.answer(`${path}-bad`, { status: 500 });
  const event = await makeEvent(service, trigger.trigger_id);
  const statuses = async () => (await readEvent(service, event)).deliveries.map(({ status }) => status);
  await expect.poll(statuses).toEqual(['SUCCEEDED', 'FAILED']);
  sink.answer(`${path}-bad`, { status: 200 });
  const { body } = await replay(event, { only_failed: true });
  expect(body.event.deliveries.map(({ status }) => status)).toEqual(['SUCCEEDED', 'PENDING']);
  await expect.poll(statuses).toEqual(['SUCCEEDED', 'SUCCEEDED']);
  const destination_ids = trigger.destinations.slice(0, 1).map(({ destination_id }) => destination_id);
  expect((await replay(event, { destination_ids })).body.event.deliveries.map(({ status }) => status)).toEqual([
    'PENDING',
    'SUCCEEDED',
  ]);
  const nothing = await replay(event, { only_failed: true });
  expect(nothing.status).toBe(200);
});

it('delivers a disabled trigger’s SKIPPED event', async () => {
  const { trigger_id } = await makeTrigger(service, [{ url: url() }]);
  await service.api('PATCH', `/triggers/${trigger_id}`, { status: 'DISABLED' });
  const event = await makeEvent(service, trigger_id);
  expect(only(event.deliveries).status).toBe('SKIPPED');
  await replay(event);
  await whenAll(service, event, 'SUCCEEDED');
});

it('rejects destinations that never belonged to the event, and events of other accounts', async () => {
  const { trigger_id } = await makeTrigger(service, [{ url: url() }]);
  const event = await whenAll(service, await makeEvent(service, trigger_id), 'SUCCEEDED');
  const stranger = await replay(event, { destination_ids: [newId()] });
  expect(stranger).toMatchObject({ status: 400, body: { message: expect.stringMatching(/^destination_ids\.0: /) } });
  const { key } = await service.secondAccount();
  const address = `/triggers/${trigger_id}/events/${event.event_id}`;
  for (const [method, each] of [
    ['GET', address],
    ['POST', `${address}:replay`],
    ['GET', `${address}/deliveries/${only(event.deliveries).delivery_id}/attempts`],
    ['GET', `/triggers/${trigger_id}/events`],
    ['POST', `/triggers/${trigger_id}:test`],
  ] as const) {
    expect((await service.api(method, each, undefined, { key })).status, each).toBe(404);
  }
  const other = await makeTrigger(service);
  expect((await service.api('POST', `/triggers/${other.trigger_id}/events/${event.event_id}:replay`)).status).toBe(404);
});

it('sends an event that is days old', async () => {
  const { trigger_id } = await makeTrigger(service, [{ url: url() }]);
  const { db } = service.services;
  const event_id = firstIdAt(Date.now() - 9 * 86_400_000);
  const received_at = new Date(Date.now() - 9 * 86_400_000).toISOString();
  const row = { account_id: service.account_id, event_id, trigger_id, received_at, payload: '{"old":true}' };
  await db.insertInto('events').values(row).execute();
  const { body } = await replay({ trigger_id, event_id });
  expect(only(body.event.deliveries)).toMatchObject({ status: 'PENDING' });
  await whenAll(service, body.event, 'SUCCEEDED');
});

it('an edited copy is a new event that refers to the original', async () => {
  const { trigger_id } = await makeTrigger(service, [{ url: url() }]);
  const first = await whenAll(service, await makeEvent(service, trigger_id), 'SUCCEEDED');
  const create = (body: object) =>
    service.api<Reply<'eventCreate'> & { message: string }>('POST', `/triggers/${trigger_id}/events`, body);
  const { body, status } = await create({ payload: { i: 'edited' }, replay_of: first.event_id });
  expect(status).toBe(200);
  expect(body.event).toMatchObject({ payload: { i: 'edited' }, replay_of: first.event_id });
  expect(body.event.event_id).not.toBe(first.event_id);
  await whenAll(service, body.event, 'SUCCEEDED');
  const copies = await service.api<Reply<'eventList'>>('GET', `/events?replay_of=${first.event_id}`);
  expect(copies.body.events.map(({ event_id }) => event_id)).toEqual([body.event.event_id]);
  const strange = await create({ payload: {}, replay_of: '01a1ff37-5be7-76b9-9cb2-9aef692ca0ac' });
  expect(strange.status).toBe(400);
  expect(strange.body.message).toMatch(/^replay_of: expected/);
});
