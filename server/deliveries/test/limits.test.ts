/** Rate, concurrency and time limit of a destination. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import { makeEvent, makeTrigger, only, patchDestination, readEvent, whenAll } from './delivery-support.ts';

const sink = sinkForAll();
const service = serviceForAll({ attemptTimeoutMs: 60_000 });

let path = '';
let count = 0;
beforeEach(() => {
  path = `/limited-${++count}`;
});

const HOURLY = { requests: 1, per: 'hour' as const };

async function makeDestination(settings: object) {
  const { trigger_id, destinations } = await makeTrigger(service, [{ url: sink.url + path, ...settings }]);
  return { trigger_id, destination_id: only(destinations).destination_id };
}
type Place = Awaited<ReturnType<typeof makeDestination>>;
const read = async ({ trigger_id, destination_id }: Place) =>
  (await service.api<Reply<'destinationGet'>>('GET', `/triggers/${trigger_id}/destinations/${destination_id}`)).body
    .destination;
const change = (place: Place, changes: object) =>
  patchDestination(service, place.trigger_id, place.destination_id, changes);
const makeEvents = (place: Place, events: number) =>
  Promise.all(Array.from({ length: events }, (_, n) => makeEvent(service, place.trigger_id, { n })));

/** A receiver that counts its concurrent requests and responds when `respond` is called. */
function counting() {
  const responses: (() => void)[] = [];
  let most = 0;
  sink.answer(path, (response) => {
    responses.push(() => response.end());
    most = Math.max(most, responses.length);
  });
  return { waiting: () => responses.length, most: () => most, respond: () => responses.shift()?.() };
}

describe('a rate limit', () => {
  it('is not exceeded by events, retries, replays and changes of the limit', async () => {
    const place = await makeDestination({ rate_limit: HOURLY, retry_schedule: [1] });
    sink.answer(path, { status: 500 });
    const [first] = await makeEvents(place, 1);
    if (!first) throw new Error('one was made');
    // The first request is sent at once.
    await whenAll(service, first, 'RETRYING');
    sink.answer(path, { status: 200 });
    const others = await makeEvents(place, 70);
    await service.api('POST', `/triggers/${place.trigger_id}/events/${first.event_id}:replay`);
    const filter = { trigger_id: place.trigger_id };
    await service.api('POST', '/events:replay', { filter, only_failed: true, only_held: true });
    // A destination without a limit is not delayed by those that wait.
    const free = await makeTrigger(service, [{ url: `${sink.url}/free` }]);
    for (let n = 0; n < 3; n++) await whenAll(service, await makeEvent(service, free.trigger_id), 'SUCCEEDED');
    await expect.poll(async () => (await read(place)).queue.due).toBe(71);
    await change(place, { rate_limit: { requests: 2, per: 'hour' } });
    await whenAll(service, await makeEvent(service, free.trigger_id), 'SUCCEEDED');
    expect(sink.received(path)).toHaveLength(1);
    await change(place, { rate_limit: { requests: 1000, per: 'second' } });
    for (const event of [first, ...others]) await whenAll(service, event, 'SUCCEEDED');
    expect(sink.received(path)).toHaveLength(72);
  });

  it('that is removed lets the queue go, and new events do not wait', async () => {
    const place = await makeDestination({ rate_limit: HOURLY });
    const events = await makeEvents(place, 5);
    await expect.poll(() => sink.received(path).length).toBe(1);
    await change(place, { rate_limit: null });
    for (const event of events) await whenAll(service, event, 'SUCCEEDED');
    const more = await makeEvents(place, 20);
    for (const event of more) await whenAll(service, event, 'SUCCEEDED');
    expect(sink.received(path)).toHaveLength(25);
  });

  it('applies after a pause, and a paused destination with a limit sends nothing', async () => {
    const place = await makeDestination({ rate_limit: HOURLY });
    await change(place, { paused: true });
    const events = [];
    for (let n = 0; n < 3; n++) events.push(await makeEvent(service, place.trigger_id));
    const free = await makeTrigger(service, [{ url: `${sink.url}/free` }]);
    await whenAll(service, await makeEvent(service, free.trigger_id), 'SUCCEEDED');
    expect(sink.received(path)).toEqual([]);
    await change(place, { paused: false });
    await expect.poll(() => sink.received(path).length).toBe(1);
    expect(only(sink.received(path)).headers['webhook-id']).toBe(events[0]?.event_id);
    await expect.poll(async () => (await read(place)).queue).toMatchObject({ waiting: 2, due: 2, health: 'HEALTHY' });
  });
});

it('a destination gets at most max_in_flight requests at a time', async () => {
  const place = await makeDestination({ max_in_flight: 2 });
  const receiver = counting();
  const events = await makeEvents(place, 12);
  for (let n = 0; n < events.length; n++) {
    await expect.poll(receiver.waiting).toBe(Math.min(2, events.length - n));
    receiver.respond();
  }
  for (const event of events) await whenAll(service, event, 'SUCCEEDED');
  expect(receiver.most()).toBe(2);
});

it('more than the default may be in flight', async () => {
  const place = await makeDestination({ max_in_flight: 20 });
  const receiver = counting();
  const events = await makeEvents(place, 25);
  await expect.poll(receiver.waiting).toBe(20);
  await change(place, { max_in_flight: null });
  while (receiver.waiting() > 0) receiver.respond();
  await expect.poll(receiver.waiting).toBe(5);
  while (receiver.waiting() > 0) receiver.respond();
  for (const event of events) await whenAll(service, event, 'SUCCEEDED');
});

it('destinations with limits and nothing to send leave room for the others', async () => {
  const destinations = Array.from({ length: 18 }, (_, n) => ({ url: `${sink.url}${path}/${n}`, max_in_flight: 8 }));
  const { trigger_id } = await makeTrigger(service, destinations);
  for (let n = 0; n < 2; n++) await whenAll(service, await makeEvent(service, trigger_id), 'SUCCEEDED');
});

it('an attempt ends after timeout_seconds', async () => {
  const place = await makeDestination({ timeout_seconds: 1, retry_schedule: [] });
  sink.answer(path, () => {});
  const [event] = await makeEvents(place, 1);
  if (!event) throw new Error('one was made');
  await whenAll(service, event, 'FAILED');
  const delivery = only((await readEvent(service, event)).deliveries);
  expect(delivery).toMatchObject({ reason: 'TIMEOUT', last_error_message: expect.stringContaining('1 ') });
});

it('limits are read back, and null restores the defaults', async () => {
  const limits = { rate_limit: { requests: 90, per: 'minute' }, max_in_flight: 3, timeout_seconds: 60 };
  const place = await makeDestination(limits);
  expect(await read(place)).toMatchObject(limits);
  expect(await change(place, { name: 'other' })).toMatchObject(limits);
  const none = { rate_limit: null, max_in_flight: null, timeout_seconds: null };
  expect(await change(place, none)).toMatchObject(none);
});

it.each<[string, object]>([
  ['rate_limit.requests', { rate_limit: { requests: 0, per: 'second' } }],
  ['rate_limit.requests', { rate_limit: { requests: -1, per: 'minute' } }],
  ['rate_limit.requests', { rate_limit: { requests: 0.5, per: 'hour' } }],
  ['rate_limit.requests', { rate_limit: { requests: 1001, per: 'second' } }],
  ['rate_limit.requests', { rate_limit: { requests: 1e300, per: 'hour' } }],
  ['rate_limit.per', { rate_limit: { requests: 1, per: 'day' } }],
  ['rate_limit.per', { rate_limit: { requests: 1 } }],
  ['rate_limit', { rate_limit: 5 }],
  ['max_in_flight', { max_in_flight: 0 }],
  ['max_in_flight', { max_in_flight: 65 }],
  ['max_in_flight', { max_in_flight: 1.5 }],
  ['max_in_flight', { max_in_flight: '8' }],
  ['timeout_seconds', { timeout_seconds: 0 }],
  ['timeout_seconds', { timeout_seconds: -15 }],
  ['timeout_seconds', { timeout_seconds: 61 }],
  ['timeout_seconds', { timeout_seconds: 0.1 }],
])('an invalid %s is rejected by that name: %j', async (field, limits) => {
  const { trigger_id, destination_id } = await makeDestination({});
  const destinations = `/triggers/${trigger_id}/destinations`;
  for (const answer of [
    await service.api('POST', destinations, { url: sink.url, ...limits }),
    await service.api('PATCH', `${destinations}/${destination_id}`, limits),
  ])
    expect([answer.status, answer.body['message']]).toEqual([400, expect.stringMatching(new RegExp(`^${field}: `))]);
});
