/** Destinations that get their events in order: all of them, or those with the same key. */
import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Body } from '../../../contract/operations.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import { freePort, start } from '../../test/spawned.ts';
import {
  type Delivery,
  makeEvent,
  makeTrigger,
  only,
  patchDestination,
  readEvent,
  whenAll,
} from './delivery-support.ts';

const sink = sinkForAll();
const env = { SLUICE_MASTER_KEY: `k1:${randomBytes(32).toString('base64')}` };
const service = serviceForAll({ env });

let path = '';
let count = 0;
beforeEach(() => {
  path = `/ordered-${++count}`;
});

type Settings = Partial<Body<'destinationCreate'>>;
type Ordering = Settings['ordering'];
const BY_KEY = { by: 'KEY', key: 'payload.customer.id' } as const;
const PATIENTLY = { timeout: 60_000, interval: 20 };

async function makeDestination(settings: Settings) {
  const { trigger_id, destinations } = await makeTrigger(service, [{ url: sink.url + path, ...settings }]);
  return { trigger_id, destination_id: only(destinations).destination_id };
}
type Place = Awaited<ReturnType<typeof makeDestination>>;
type Made = Awaited<ReturnType<typeof makeEvent>>;
const change = (place: Place, changes: Body<'destinationUpdate'>) =>
  patchDestination(service, place.trigger_id, place.destination_id, changes);
const deliveryOf = async (event: Made) => only((await readEvent(service, event)).deliveries);
const whenOne = (event: Made, expected: Partial<Delivery>) =>
  expect.poll(() => deliveryOf(event), PATIENTLY).toMatchObject(expected);
const act = (event: Made, action: 'replay' | 'cancel') =>
  service.api('POST', `/triggers/${event.trigger_id}/events/${event.event_id}:${action}`);

type Sent = { n: number; customer?: { id: unknown } };
/** One event per customer id, with numbers from `first`. */
async function send(place: Place, ids: unknown[], first = 1): Promise<Made[]> {
  const events = [];
  for (const [index, id] of ids.entries())
    events.push(await makeEvent(service, place.trigger_id, { n: first + index, customer: { id } }));
  return events;
}
const arrived = () => sink.received(path).map(({ body }) => (JSON.parse(body) as { data: Sent }).data);
const numbers = () => arrived().map(({ n }) => n);

/** A receiver that fails the requests whose number is in the set, with a status that no breaker counts. */
function refusing(...failed: number[]): Set<number> {
  const refused = new Set(failed);
  sink.answer(path, (response, request) => {
    const { n } = (JSON.parse(request.body) as { data: Sent }).data;
    response.writeHead(refused.has(n) ? 422 : 200).end();
  });
  return refused;
}

/** The same for the first request of each number: its retry succeeds, whenever it is made. */
function refusingOnce(...failed: number[]): void {
  const refused = new Set(failed);
  sink.answer(path, (response, { body }) => {
    const { n } = (JSON.parse(body) as { data: Sent }).data;
    response.writeHead(refused.delete(n) ? 422 : 200).end();
  });
}

describe('by key', () => {
  it('a failed delivery holds its key only, and the others are sent in order after it', async () => {
    const place = await makeDestination({ ordering: BY_KEY, retry_schedule: [3600] });
    const refused = refusing(1);
    const [first, second, ...more] = await send(place, ['a', 'a', 'b', 'a', 'b', 7, '7']);
    if (!first || !second) throw new Error('seven were made');
    await whenAll(service, first, 'RETRYING');
    await expect.poll(() => numbers().toSorted(), PATIENTLY).toEqual([1, 3, 5, 6, 7]);
    expect(numbers().indexOf(3)).toBeLessThan(numbers().indexOf(5));
    expect(numbers().indexOf(6)).toBeLessThan(numbers().indexOf(7));
    const waits = { status: 'PENDING', reason: 'WAITS_IN_ORDER', waits_for_event_id: first.event_id } as const;
    expect(await deliveryOf(second)).toMatchObject({ ...waits, next_attempt_at: null, attempts: 0 });
    expect(await deliveryOf(first)).toMatchObject({ waits_for_event_id: null, blocks_others: false });
    refused.clear();
    expect((await act(first, 'replay')).status).toBe(200);
    for (const event of [first, second, ...more]) await whenAll(service, event, 'SUCCEEDED');
    expect(numbers().slice(-3)).toEqual([1, 2, 4]);
    expect(await deliveryOf(second)).toMatchObject({ reason: null, waits_for_event_id: null });
  });

  it('one request of a key is in flight, and keys do not wait for each other', async () => {
    const place = await makeDestination({ ordering: BY_KEY });
    const responses: (() => void)[] = [];
    sink.answer(path, (response) => void responses.push(() => response.end()));
    const events = await send(place, ['a', 'b', 'a', 'b', 'a', 'b']);
    for (let round = 0; round < 3; round++) {
      await expect.poll(() => responses.length, PATIENTLY).toBe(2);
      for (const respond of responses.splice(0)) respond();
    }
    for (const event of events) await whenAll(service, event, 'SUCCEEDED');
  });

  it('values that are no key are sent on their own, and a long key is one', async () => {
    const place = await makeDestination({ ordering: BY_KEY, retry_schedule: [3600] });
    refusing(1, 2, 3, 4, 5, 6, 8);
    const long = 'k'.repeat(500_000);
    const ids = [undefined, null, { a: 1 }, { a: 1 }, [1], [1], null, long, long, `${long}2`];
    const events = await send(place, ids);
    await expect.poll(() => numbers().toSorted((a, b) => a - b), PATIENTLY).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 10]);
    expect(await deliveryOf(events[8] as Made)).toMatchObject({ waits_for_event_id: events[7]?.event_id });
  });

  it('a key may be 1 MB long', async () => {
    const { ingress } = await makeTrigger(
      service,
      [{ url: sink.url + path, ordering: { by: 'KEY', key: 'payload.key' } }],
      { source: 'webhook', event_type: 'webhook.received', parameters: { verification: 'none' } },
    );
    const body = JSON.stringify({ key: 'k'.repeat(1_000_000) });
    const post = () => fetch(service.url + new URL(ingress?.url ?? '').pathname, { method: 'POST', body });
    for (let n = 0; n < 3; n++) expect((await post()).status).toBe(200);
    await expect.poll(() => sink.received(path).length, PATIENTLY).toBe(3);
  });

  it.each(['payload.__proto__.id', 'payload.constructor.name', 'payload.n.toString'])(
    'the path %s has no value',
    async (key) => {
      const place = await makeDestination({ ordering: { by: 'KEY', key }, retry_schedule: [3600] });
      refusing(1);
      await send(place, ['a', 'a']);
      await expect.poll(() => numbers().toSorted(), PATIENTLY).toEqual([1, 2]);
    },
  );
});

it('strict order sends one at a time, retries included', async () => {
  const place = await makeDestination({ ordering: { by: 'ALL' }, retry_schedule: [1] });
  refusingOnce(2);
  const events = await send(place, ['a', 'b', 'c', 'd']);
  for (const event of events) await whenAll(service, event, 'SUCCEEDED');
  expect(numbers()).toEqual([1, 2, 2, 3, 4]);
});

describe('after the last attempt', () => {
  /** Three events in order, of which the first has failed for good. */
  async function failed(settings: Settings) {
    const place = await makeDestination({ ordering: { by: 'ALL' }, retry_schedule: [], ...settings });
    const refused = refusing(1);
    const events = await send(place, ['a', 'b', 'c']);
    await whenAll(service, events[0] as Made, 'FAILED');
    return { place, refused, events, first: events[0] as Made };
  }
  type Failed = Awaited<ReturnType<typeof failed>>;
  const succeedAgain = ({ first, refused }: Failed) => {
    refused.clear();
    return act(first, 'replay');
  };

  it('SKIP sends the next ones', async () => {
    const { events } = await failed({ ordering: { by: 'ALL', after_last_attempt: 'SKIP' } });
    for (const event of events.slice(1)) await whenAll(service, event, 'SUCCEEDED');
    expect(numbers()).toEqual([1, 2, 3]);
    expect(await deliveryOf(events[0] as Made)).toMatchObject({ status: 'FAILED', blocks_others: false });
  });

  it.each<[string, number[], (given: Failed) => Promise<unknown>]>([
    ['a replay that succeeds', [1, 1, 2, 3], succeedAgain],
    ['its cancellation', [1, 2, 3], ({ first }) => act(first, 'cancel')],
    ['SKIP', [1, 2, 3], ({ place }) => change(place, { ordering: { by: 'ALL', after_last_attempt: 'SKIP' } })],
    ['no order', [1, 2, 3], ({ place }) => change(place, { ordering: null })],
  ])('BLOCK stops those behind it until %s', async (_, expected, go) => {
    const given = await failed({});
    const [, second, third] = given.events as [Made, Made, Made];
    await whenOne(given.first, { status: 'FAILED', blocks_others: true });
    await whenOne(third, { reason: 'WAITS_IN_ORDER', waits_for_event_id: given.first.event_id });
    expect(numbers()).toEqual([1]);
    await go(given);
    for (const event of [second, third]) await whenAll(service, event, 'SUCCEEDED');
    expect(numbers().toSorted()).toEqual(expected);
    expect(await deliveryOf(given.first)).toMatchObject({ blocks_others: false });
  });

  it('a disabled destination begins again, and a replay of what it missed is in order', async () => {
    const { place, events } = await failed({});
    await change(place, { status: 'DISABLED' });
    await whenAll(service, events[1] as Made, 'SKIPPED');
    const missed = await send(place, ['d', 'e'], 4);
    await change(place, { status: 'ENABLED' });
    await whenAll(service, await makeEvent(service, place.trigger_id, { n: 9 }), 'SUCCEEDED');
    const filter = { trigger_id: place.trigger_id, status: 'SKIPPED' };
    expect((await service.api('POST', '/events:replay', { filter })).status).toBe(200);
    for (const event of [...events.slice(1), ...missed]) await whenAll(service, event, 'SUCCEEDED');
    expect(numbers()).toEqual([1, 9, 2, 3, 4, 5]);
  });
});

it('an attempt whose delivery is canceled ends before the next of its key is sent', async () => {
  const place = await makeDestination({ ordering: { by: 'ALL' } });
  const responses: (() => void)[] = [];
  sink.answer(path, (response) => void responses.push(() => response.writeHead(422).end()));
  const [first, second] = (await send(place, ['a', 'b'])) as [Made, Made];
  await expect.poll(() => responses.length, PATIENTLY).toBe(1);
  await act(first, 'cancel');
  await whenOne(second, { waits_for_event_id: first.event_id });
  sink.answer(path, { status: 200 });
  responses.shift()?.();
  await whenAll(service, second, 'SUCCEEDED');
  expect([numbers(), (await deliveryOf(first)).status]).toEqual([[1, 2], 'CANCELED']);
});

it('a paused destination keeps the order, at a rate too', async () => {
  const rate_limit = { requests: 100, per: 'second' } as const;
  const place = await makeDestination({ ordering: BY_KEY, rate_limit });
  await change(place, { paused: true });
  const events = await send(place, ['a', 'b', 'a', 'b', 'a', 'b']);
  await whenOne(events[2] as Made, { reason: 'DESTINATION_PAUSED' });
  await change(place, { paused: false });
  for (const event of events) await whenAll(service, event, 'SUCCEEDED');
  for (const id of ['a', 'b'])
    expect(arrived().filter(({ customer }) => customer?.id === id)).toEqual(
      events.flatMap(({ payload }) => (((payload as Sent).customer?.id ?? '') === id ? [payload] : [])),
    );
});

it('events of two nodes are sent in one order, also after the node that sends leaves', async () => {
  const { trigger_id } = await makeDestination({ ordering: { by: 'ALL' }, retry_schedule: [1, 1] });
  const there = await start(service.dataDir, await freePort(), { ...env, DATABASE_URL: service.databaseUrl });
  refusingOnce(3, 6);
  const post = async (url: string, n: number) => {
    const response = await fetch(`${url}/api/triggers/${trigger_id}:test`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ payload: { n } }),
    });
    return ((await response.json()) as { event: Made }).event;
  };
  const events = [];
  for (let n = 1; n <= 8; n++) events.push(await post(n % 2 === 1 ? there.url : service.url, n));
  await expect.poll(numbers, PATIENTLY).toContain(3);
  await there.kill('SIGTERM');
  for (const event of events) await whenAll(service, event, 'SUCCEEDED');
  expect([...new Set(numbers())]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(numbers()).toEqual(numbers().toSorted());
});

it('deliveries that wait when the order is set are sent', async () => {
  const place = await makeDestination({ retry_schedule: [3600] });
  await change(place, { paused: true });
  const before = await send(place, ['a', 'a']);
  await change(place, { ordering: BY_KEY, paused: false });
  for (const event of before) await whenAll(service, event, 'SUCCEEDED');
});

it('an order is read back, and null removes it', async () => {
  const place = await makeDestination({ ordering: BY_KEY });
  const whole = { ...BY_KEY, after_last_attempt: 'BLOCK' };
  expect(await change(place, { name: 'other' })).toMatchObject({ ordering: whole });
  expect(await change(place, { ordering: { by: 'ALL', after_last_attempt: 'SKIP' } })).toMatchObject({
    ordering: { by: 'ALL', key: null, after_last_attempt: 'SKIP' },
  });
  expect(await change(place, { ordering: null })).toMatchObject({ ordering: null });
});

it.each<[string, unknown]>([
  ['ordering', 'ALL'],
  ['ordering.by', { by: 'EVENT' }],
  ['ordering.by', {}],
  ['ordering.key', { by: 'KEY' }],
  ['ordering.key', { by: 'KEY', key: null }],
  ['ordering.key', { by: 'KEY', key: '' }],
  ['ordering.key', { by: 'KEY', key: 'payload' }],
  ['ordering.key', { by: 'KEY', key: 'customer.id' }],
  ['ordering.key', { by: 'KEY', key: 'payload..id' }],
  ['ordering.key', { by: 'KEY', key: '{{ payload.id }}' }],
  ['ordering.key', { by: 'KEY', key: { a: 1 } }],
  ['ordering.key', { by: 'KEY', key: `payload.${'x'.repeat(1_000_000)}` }],
  ['ordering.key', { by: 'ALL', key: 'payload.id' }],
  ['ordering.after_last_attempt', { by: 'ALL', after_last_attempt: 'STOP' }],
  ['ordering.order', { by: 'ALL', order: 1 }],
])('an invalid %s is rejected by that name (%#)', async (field, ordering) => {
  const { trigger_id, destination_id } = await makeDestination({});
  const destinations = `/triggers/${trigger_id}/destinations`;
  const given = { ordering: ordering as Ordering };
  for (const answer of [
    await service.api('POST', destinations, { url: sink.url, ...given }),
    await service.api('PATCH', `${destinations}/${destination_id}`, given),
  ])
    expect([answer.status, answer.body['message']]).toEqual([400, expect.stringMatching(new RegExp(`^${field}: `))]);
});
