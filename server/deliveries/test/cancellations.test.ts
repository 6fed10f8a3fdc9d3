/** Canceling open deliveries: those of one event, and all that match a filter. */
import { describe, expect, it } from 'vitest';
import type { Body, Reply } from '../../../contract/operations.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import { addDestination, makeEvent, makeTrigger, only, readEvent, whenAll } from './delivery-support.ts';

type Event = Reply<'eventGet'>['event'];
type Canceled = Reply<'deliveryCancel'>;

const sink = sinkForAll();
const service = serviceForAll({ attemptTimeoutMs: 60_000 });
let count = 0;

const HOUR = 3600;

/** An event whose only delivery has failed once and is due again in an hour. */
async function retrying(more: Partial<Body<'triggerCreate'>> = {}): Promise<Event> {
  const path = `/failing-${++count}`;
  sink.answer(path, { status: 500 });
  const { trigger_id } = await makeTrigger(service, [{ url: sink.url + path, retry_schedule: [HOUR] }], more);
  return whenAll(service, await makeEvent(service, trigger_id), 'RETRYING');
}

const cancel = ({ trigger_id, event_id }: Event, body?: object, key?: string) =>
  service.api<Reply<'eventCancel'>>(
    'POST',
    `/triggers/${trigger_id}/events/${event_id}:cancel`,
    body,
    key ? { key } : {},
  );
const cancelAll = (body: object) => service.api<Canceled>('POST', '/events:cancel', body);

/** A receiver that responds when `respond` is called. */
function held(path: string) {
  const { promise, resolve } = Promise.withResolvers<(status: number) => void>();
  sink.answer(path, (response) =>
    resolve((status) => {
      response.writeHead(status).end();
    }),
  );
  return { url: sink.url + path, respond: async (status: number) => (await promise)(status), arrived: promise };
}

describe('the deliveries of an event', () => {
  it('are CANCELED and not attempted again, until a replay', async () => {
    const event = await retrying();
    const { status, body } = await cancel(event);
    expect([status, body.canceled]).toEqual([200, 1]);
    const delivery = only(body.event.deliveries);
    expect(delivery).toMatchObject({ status: 'CANCELED', reason: 'CANCELED', attempts: 1, next_attempt_at: null });
    expect(delivery.finished_at).not.toBeNull();

    sink.answer(new URL(delivery.destination_url).pathname, { status: 200 });
    await service.api('POST', `/triggers/${event.trigger_id}/events/${event.event_id}:replay`, {});
    expect(only((await whenAll(service, event, 'SUCCEEDED')).deliveries).attempts).toBe(2);
  });

  it('are canceled only at the given destinations, and final ones are unchanged', async () => {
    const { trigger_id } = await makeTrigger(service, [{ url: `${sink.url}/well` }]);
    sink.answer('/other', { status: 500 });
    const other = await addDestination(service, trigger_id, { url: `${sink.url}/other`, retry_schedule: [HOUR] });
    sink.answer('/third', { status: 500 });
    await addDestination(service, trigger_id, { url: `${sink.url}/third`, retry_schedule: [HOUR] });
    const event = await makeEvent(service, trigger_id);
    const statuses = async () => (await readEvent(service, event)).deliveries.map(({ status }) => status);
    await expect.poll(statuses).toEqual(['SUCCEEDED', 'RETRYING', 'RETRYING']);
    expect((await cancel(event, { destination_ids: [other.destination_id] })).body.canceled).toBe(1);
    expect(await statuses()).toEqual(['SUCCEEDED', 'CANCELED', 'RETRYING']);
    expect((await cancel(event)).body.canceled).toBe(1);
    expect((await cancel(event)).body.canceled).toBe(0);
    expect(await statuses()).toEqual(['SUCCEEDED', 'CANCELED', 'CANCELED']);
  });

  it.each([
    [200, 'SUCCEEDED', null],
    [500, 'CANCELED', 'CANCELED'],
  ] as const)('with an attempt in flight that ends with %i are %s', async (answer, status, reason) => {
    const receiver = held(`/in-flight-${++count}`);
    const { trigger_id } = await makeTrigger(service, [{ url: receiver.url, retry_schedule: [1, 1] }]);
    const event = await makeEvent(service, trigger_id);
    await receiver.arrived;
    const { body } = await cancel(event);
    expect(only(body.event.deliveries)).toMatchObject({ status: 'CANCELED', attempts: 0 });
    await receiver.respond(answer);
    const attempts = async () => only((await readEvent(service, event)).deliveries);
    await expect.poll(attempts).toMatchObject({ status, reason, attempts: 1, last_response_status: answer });
    const { destination_id } = only(body.event.deliveries);
    const read = await service.api<Reply<'destinationGet'>>(
      'GET',
      `/triggers/${trigger_id}/destinations/${destination_id}`,
    );
    expect(read.body.destination.queue.waiting).toBe(0);
  });

  it('that wait in a lane are not sent', async () => {
    const path = `/lane-${++count}`;
    const responses: (() => void)[] = [];
    sink.answer(path, (response) => void responses.push(() => response.end()));
    const { trigger_id } = await makeTrigger(service, [{ url: sink.url + path }]);
    const events = await Promise.all(Array.from({ length: 20 }, () => makeEvent(service, trigger_id)));
    await expect.poll(() => responses.length).toBe(8);
    expect((await cancelAll({ filter: { trigger_id } })).body).toEqual({
      deliveries: 20,
      events: 20,
      next_token: null,
    });
    for (const respond of responses) respond();
    const statuses = async () => {
      const all = await Promise.all(events.map((event) => readEvent(service, event)));
      return Object.entries(Object.groupBy(all, ({ deliveries }) => only(deliveries).status)).map(([status, of]) => [
        status,
        of.length,
      ]);
    };
    await expect
      .poll(async () => (await statuses()).toSorted())
      .toEqual([
        ['CANCELED', 12],
        ['SUCCEEDED', 8],
      ]);
    // The lane is free again: a new event is sent, and nothing else.
    sink.answer(path, { status: 200 });
    await whenAll(service, await makeEvent(service, trigger_id), 'SUCCEEDED');
    expect(sink.received(path)).toHaveLength(9);
    const all = await Promise.all(events.map((event) => readEvent(service, event)));
    const attempts = all.map(({ deliveries }) => only(deliveries)).map(({ status, attempts: made }) => [status, made]);
    expect(new Set(attempts.map(String))).toEqual(new Set(['CANCELED,0', 'SUCCEEDED,1']));
  });

  it('of another account, of no event, or at an unknown destination are not canceled', async () => {
    const event = await retrying();
    const other = await service.secondAccount();
    expect((await cancel(event, {}, other.key)).status).toBe(404);
    expect((await cancel({ ...event, event_id: event.trigger_id })).status).toBe(404);
    const unknown = await cancel(event, { destination_ids: [event.event_id] });
    expect([unknown.status, (unknown.body as unknown as { message: string }).message]).toEqual([
      400,
      `destination_ids.0: this event has no destination ${event.event_id}`,
    ]);
    expect(only((await readEvent(service, event)).deliveries).status).toBe('RETRYING');
  });
});

describe('the deliveries that match a filter', () => {
  it('are counted by a dry run, then canceled, and no others', async () => {
    const event = await retrying({ name: 'one' });
    const untouched = await retrying({ name: 'two' });
    const filter = { trigger_id: event.trigger_id };
    const dry = await cancelAll({ filter, dry_run: true });
    expect(dry.body).toEqual({ deliveries: 1, events: 1, next_token: null });
    expect(only((await readEvent(service, event)).deliveries).status).toBe('RETRYING');
    expect((await cancelAll({ filter })).body).toEqual(dry.body);
    expect((await cancelAll({ filter })).body).toEqual({ deliveries: 0, events: 0, next_token: null });
    expect(only((await readEvent(service, event)).deliveries).status).toBe('CANCELED');
    expect(only((await readEvent(service, untouched)).deliveries).status).toBe('RETRYING');
  });

  it('are limited to the given destinations', async () => {
    const event = await retrying();
    const none = await cancelAll({ filter: { event_ids: [event.event_id] }, destination_ids: [event.event_id] });
    expect(none.body.deliveries).toBe(0);
    const [delivery] = event.deliveries;
    const destination_ids = [delivery?.destination_id];
    expect((await cancelAll({ filter: { status: 'RETRYING' }, destination_ids })).body.deliveries).toBe(1);
  });

  it.each<[object, RegExp]>([
    [{ filter: {} }, /^filter: expected at least one condition/],
    [{}, /^filter/],
    [{ filter: { status: 'OPEN' } }, /^filter\.status/],
    [{ filter: { q: 'x' }, next_token: 'x' }, /^next_token/],
    [{ filter: { q: 'x' }, only_failed: true }, /only_failed/],
  ])('%j is rejected', async (body, message) => {
    const { status, body: error } = await cancelAll(body);
    expect([status, (error as unknown as { message: string }).message]).toEqual([400, expect.stringMatching(message)]);
  });

  it('are named in the audit log by the operation', async () => {
    const event = await retrying();
    await cancel(event);
    const { body } = await service.api<Reply<'auditList'>>('GET', '/audit?limit=1');
    expect(only(body.entries)).toMatchObject({ operation: 'eventCancel', resource_id: event.event_id });
  });
});
