/** Circuit breaker: a destination that only fails gets a few probes, and its waiting deliveries are not lost. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { type Service, startService } from '../../test/service.ts';
import { type Sink, startSink } from '../../test/sink.ts';
import { makeEvent, makeTrigger, only, patchDestination, readEvent, whenAll } from './delivery-support.ts';

const HOUR_MS = 3_600_000;

let service: Service;
let sink: Sink;
let path = '';
let count = 0;
beforeAll(async () => {
  sink = await startSink();
});
afterAll(async () => {
  await sink.close();
});
beforeEach(() => {
  path = `/broken-${++count}`;
});

afterEach(async () => {
  await service.stop();
});

/** A service whose breakers have this pause, and a destination whose breaker has just opened. */
async function opened(firstPauseMs: number) {
  service = await startService({
    env: { SLUICE_METRICS: 'on' },
    retryScheduleSeconds: [],
    breaker: { failures: 5, firstPauseMs, longestPauseMs: HOUR_MS },
  });
  const trigger = await makeTrigger(service, [{ url: sink.url + path }]);
  const { trigger_id } = trigger;
  sink.answer(path, { status: 500 });
  const failed = [];
  for (let n = 0; n < 5; n++) failed.push(await whenAll(service, await makeEvent(service, trigger_id), 'FAILED'));
  const waiting = [];
  for (let n = 0; n < 3; n++) waiting.push(await makeEvent(service, trigger_id));
  return { trigger_id, destination_id: only(trigger.destinations).destination_id, failed, waiting };
}

const replay = ({ trigger_id, event_id }: { trigger_id: string; event_id: string }) =>
  service.api('POST', `/triggers/${trigger_id}/events/${event_id}:replay`);

it('five failures in a row open it: new deliveries wait with all their attempts left, and other destinations are not affected', async () => {
  const { waiting } = await opened(HOUR_MS);
  const other = await makeTrigger(service, [{ url: `${sink.url}${path}-other` }]);
  await whenAll(service, await makeEvent(service, other.trigger_id), 'SUCCEEDED');
  for (const event of waiting)
    expect(only((await readEvent(service, event)).deliveries)).toMatchObject({ status: 'PENDING', attempts: 0 });
  expect(sink.received(path)).toHaveLength(5);
  expect(service.logged()).toContain('circuit breaker open');
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  expect(metrics).toMatch(/^sluice_destinations_broken 1$/m);
  expect(metrics).toMatch(/^sluice_deliveries_in_flight 0$/m);
});

it('a manual replay is sent despite the open breaker, and its success releases the rest', async () => {
  const { failed, waiting } = await opened(HOUR_MS);
  const [first, second] = failed;
  if (!first || !second) throw new Error('five events failed');
  await replay(first);
  await expect.poll(() => sink.received(path).length).toBe(6);
  await whenAll(service, first, 'FAILED');
  expect(only((await readEvent(service, first)).deliveries)).toMatchObject({ attempts: 2 });
  sink.answer(path, { status: 200 });
  await replay(second);
  for (const event of [second, ...waiting]) await whenAll(service, event, 'SUCCEEDED');
  const ids = sink.received(path).map(({ headers }) => headers['webhook-id']);
  expect(ids.slice(-4)).toEqual([second, ...waiting].map(({ event_id }) => event_id));
});

it('a bulk replay reports what it waits for; its canary is sent at once, and its success releases the rest', async () => {
  const { trigger_id, destination_id, failed, waiting } = await opened(HOUR_MS);
  const start = async (body: Record<string, unknown>) => {
    const filter = { trigger_id, status: 'FAILED' };
    return (await service.api<Reply<'replayCreate'>>('POST', '/events:replay', { filter, ...body })).body;
  };
  const read = async (reply: Reply<'replayCreate'>) =>
    (await service.api<Reply<'replayGet'>>('GET', `/replays/${reply.replay?.replay_id}`)).body;
  const plain = await start({ rate_per_second: 0.1 });
  const left = [{ destination_id, destination_name: expect.any(String), until: expect.any(String) }];
  expect(plain.waits_for).toEqual(left);
  expect(Date.parse(only(plain.waits_for).until)).toBeGreaterThan(Date.now() + HOUR_MS / 2);
  expect((await read(plain)).waits_for).toEqual(left);
  await service.api('POST', `/replays/${plain.replay?.replay_id}:cancel`);
  expect((await read(plain)).waits_for).toEqual([]);

  const bad = await start({ canary: 2 });
  await expect.poll(async () => (await read(bad)).replay.status).toBe('STOPPED');
  expect(sink.received(path)).toHaveLength(7);

  sink.answer(path, { status: 200 });
  const good = await start({ canary: 2 });
  await expect.poll(async () => (await read(good)).replay.status).toBe('COMPLETED');
  expect((await read(good)).waits_for).toEqual([]);
  for (const event of [...failed, ...waiting]) await whenAll(service, event, 'SUCCEEDED');
});

it('after its pause a few deliveries probe, and the others are sent once one has succeeded', async () => {
  const { trigger_id, waiting } = await opened(20);
  // A probe without retries fails permanently.
  await expect.poll(() => sink.received(path).length).toBeGreaterThan(5);
  sink.answer(path, { status: 200 });
  const newest = await makeEvent(service, trigger_id);
  await whenAll(service, newest, 'SUCCEEDED');
  for (const event of waiting)
    await expect.poll(async () => only((await readEvent(service, event)).deliveries).attempts).toBe(1);
});

it('a change of the destination closes it, and deliveries are sent at once', async () => {
  const { trigger_id, destination_id, waiting } = await opened(HOUR_MS);
  await patchDestination(service, trigger_id, destination_id, { url: `${sink.url}${path}-repaired` });
  for (const event of waiting) await whenAll(service, event, 'SUCCEEDED');
  expect(sink.received(`${path}-repaired`)).toHaveLength(3);
});

/** A service and a trigger whose receiver returns `status` for `{"bad":true}` and 200 for all other payloads. */
async function choosy(status: number, rules: { retryScheduleSeconds: number[]; firstPauseMs: number }) {
  const { retryScheduleSeconds, firstPauseMs } = rules;
  const breaker = { failures: 5, firstPauseMs, longestPauseMs: HOUR_MS };
  service = await startService({ retryScheduleSeconds, breaker });
  sink.answer(path, (response, { body }) => {
    response.writeHead(body.includes('"bad":true') ? status : 200).end();
  });
  const { trigger_id } = await makeTrigger(service, [{ url: sink.url + path, body_template: '{{payload}}' }]);
  const make = async (count: number, payload: object) => {
    const events = [];
    for (let n = 0; n < count; n++) events.push(await makeEvent(service, trigger_id, { ...payload, n }));
    return events;
  };
  return { bad: await make(30, { bad: true }), good: await make(5, { bad: false }) };
}

it('a 4xx response counts as alive: good events behind 30 bad ones are sent, bad ones keep their retries', async () => {
  const { bad, good } = await choosy(422, { retryScheduleSeconds: [1], firstPauseMs: HOUR_MS });
  for (const event of good) await whenAll(service, event, 'SUCCEEDED');
  for (const event of bad) expect(only((await whenAll(service, event, 'FAILED')).deliveries).attempts).toBe(2);
  expect(service.logged()).not.toContain('circuit breaker open');
});

it.each([408, 425, 429])('%d does not count as alive: five in a row open the breaker', async (status) => {
  await choosy(status, { retryScheduleSeconds: [], firstPauseMs: HOUR_MS });
  await expect.poll(() => service.logged()).toContain('circuit breaker open');
});

it('a half-open breaker probes with three different deliveries, so bad events do not delay good ones', async () => {
  const { good } = await choosy(500, { retryScheduleSeconds: [], firstPauseMs: 200 });
  for (const event of good) await whenAll(service, event, 'SUCCEEDED');
});

it('a 4xx response closes a half-open breaker', async () => {
  const { failed, waiting } = await opened(HOUR_MS);
  sink.answer(path, { status: 422 });
  const [first] = failed;
  if (!first) throw new Error('five events failed');
  await replay(first);
  for (const event of waiting) await whenAll(service, event, 'FAILED');
  expect(service.logged()).toContain('circuit breaker closed');
});

it('pending deliveries survive a restart', async () => {
  const { waiting } = await opened(HOUR_MS);
  sink.answer(path, { status: 200 });
  await service.restart();
  for (const event of waiting) await whenAll(service, event, 'SUCCEEDED');
  expect(sink.received(path)).toHaveLength(8);
});
