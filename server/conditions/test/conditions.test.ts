/** The source `sluice`: events of each type, their members, and the parameters, through the API. */
import { expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { addApp, connect, getConnection, onLink, tokenOf } from '../../connections/test/connecting.ts';
import { rollUp } from '../../deliveries/store/events/figures.ts';
import { makeEvent, makeTrigger, only, patchDestination, whenAll } from '../../deliveries/test/delivery-support.ts';
import { bearer, callAddress, makeFunction } from '../../functions/test/functions-support.ts';
import { fromNow } from '../../lib/clock.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import { evaluated, type Payload, sentPayloads, watch } from './conditions-support.ts';

const sink = sinkForAll();
const service = serviceForAll({ retryScheduleSeconds: [], conditions: { everyMs: 100, holdMs: 300 } });

let count = 0;
async function target(status: number) {
  const path = `/receiver-${++count}`;
  sink.answer(path, { status });
  const { trigger_id, destinations } = await makeTrigger(service, [{ url: sink.url + path, name: `CRM ${count}` }], {
    name: 'Orders',
  });
  const { destination_id } = only(destinations);
  return {
    path,
    trigger_id,
    destination_id,
    send: async (wanted: 'SUCCEEDED' | 'FAILED') => whenAll(service, await makeEvent(service, trigger_id), wanted),
  };
}

it('a destination is reported once as failing, and once as recovered', async () => {
  const { path, trigger_id, destination_id, send } = await target(500);
  const failing = await watch(service, sink, 'destination.failing', { after_failures: 3 });
  const all = await watch(service, sink, 'sluice.failure', { after_failures: 3 });
  await send('FAILED');
  await send('FAILED');
  await evaluated(service, failing.trigger_id);
  expect(failing.received(destination_id)).toEqual([]);
  for (let n = 0; n < 3; n++) await send('FAILED');
  const [opened] = await failing.whenReceived(1, destination_id);
  expect(opened).toMatchObject({
    type: 'destination.failing',
    state: 'opened',
    severity: 'error',
    title: expect.stringMatching(/^Destination “CRM \d+” is failing$/),
    text: expect.stringMatching(
      /^[345] attempts in a row failed since .* UTC \(trigger “Orders”\)\. Last error: The endpoint returned 500\.$/,
    ),
    link: `http://localhost:${service.port}/triggers/${trigger_id}/destinations/${destination_id}`,
    count: expect.any(Number),
    last_error: 'The endpoint returned 500.',
    details: { trigger_id, trigger_name: 'Orders' },
  });
  await send('FAILED');
  await expect.poll(() => all.received(destination_id).map(({ type }) => type)).toContain('destination.failing');
  sink.answer(path, { status: 200 });
  await send('SUCCEEDED');
  await expect.poll(() => all.received(destination_id).map(({ type }) => type)).toContain('destination.recovered');
  const about = all.received(destination_id).filter(({ type }) => type !== 'delivery.exhausted');
  expect(about.map(({ type, state }) => [type, state])).toEqual([
    ['destination.failing', 'opened'],
    ['destination.recovered', 'recovered'],
  ]);
  expect(new Set(about.map(({ condition_id }) => condition_id))).toEqual(new Set([opened?.condition_id]));
  expect(failing.received(destination_id)).toHaveLength(1);
  expect(all.received(destination_id).filter(({ type }) => type === 'delivery.exhausted')).toMatchObject([
    { state: 'happened', severity: 'error', last_error: 'The endpoint returned 500.' },
  ]);
});

it('a delivery without retries is reported although the destination accepts others', async () => {
  const { path, trigger_id, destination_id } = await target(200);
  const exhausted = await watch(service, sink, 'delivery.exhausted');
  sink.answer(path, (response, { body }) => response.writeHead(body.includes('bad') ? 422 : 200).end());
  const send = (payload: object) => makeEvent(service, trigger_id, payload);
  await Promise.all([send({ good: 1 }), send({ bad: 1 }), send({ good: 2 })]);
  const [event] = await exhausted.whenReceived(1, destination_id);
  expect(event).toMatchObject({
    type: 'delivery.exhausted',
    count: 1,
    text: expect.stringMatching(/^1 delivery in the last hour is not retried any more/),
    link: `http://localhost:${service.port}/events?status=FAILED&trigger=${trigger_id}`,
  });
  await whenAll(service, await send({ bad: 2 }), 'FAILED');
  await evaluated(service, exhausted.trigger_id);
  await exhausted.whenReceived(1, destination_id);
});

it('a failure rate counts attempts in the window, and those in the statistics', async () => {
  const { path, destination_id, send } = await target(200);
  const rated = await watch(service, sink, 'destination.failing', { after_failures: 2, failure_rate: 40 });
  const higher = await watch(service, sink, 'destination.failing', { after_failures: 2, failure_rate: 60 });
  for (let n = 0; n < 4; n++) {
    sink.answer(path, { status: n % 2 === 0 ? 200 : 500 });
    await send(n % 2 === 0 ? 'SUCCEEDED' : 'FAILED');
  }
  const [opened] = await rated.whenReceived(1, destination_id);
  expect(opened).toMatchObject({ count: 2, details: { attempts: 4, failure_rate: 50 } });
  // As if the minutes had passed.
  while (await rollUp(service.services.db, Date.now() + 300_000));
  await evaluated(service, higher.trigger_id);
  await rated.whenReceived(1, destination_id);
  expect(higher.received(destination_id)).toEqual([]);
});

it('a destination disabled by 410 is reported, and when it is enabled; one disabled by a user is not', async () => {
  const { trigger_id, destination_id, send } = await target(410);
  const other = await target(200);
  const disabled = await watch(service, sink, 'sluice.failure');
  await patchDestination(service, other.trigger_id, other.destination_id, { status: 'DISABLED' });
  await send('FAILED');
  expect(await disabled.whenReceived(1, destination_id)).toMatchObject([
    { type: 'destination.disabled', state: 'opened', severity: 'critical', details: { reason: 'GONE' } },
  ]);
  await patchDestination(service, trigger_id, destination_id, { status: 'ENABLED' });
  const [before, after] = await disabled.whenReceived(2, destination_id);
  expect(after).toMatchObject({
    type: 'destination.recovered',
    state: 'recovered',
    condition_id: before?.condition_id,
  });
  expect(disabled.received(other.destination_id)).toEqual([]);
});

it('a failing destination that is paused is no longer reported', async () => {
  const { trigger_id, destination_id, send } = await target(500);
  const all = await watch(service, sink, 'sluice.*', { after_failures: 1 });
  await send('FAILED');
  const about = () => all.received(destination_id).filter(({ type }) => type.startsWith('destination.'));
  await expect.poll(() => about().map(({ type }) => type)).toEqual(['destination.failing']);
  await patchDestination(service, trigger_id, destination_id, { paused: true });
  await expect.poll(() => about().at(-1)?.type).toBe('destination.recovered');
  expect(about()).toMatchObject([{}, { title: expect.stringContaining('was paused by a user') }]);
});

it('a failing destination that is disabled is the same condition, and a deleted one ends it', async () => {
  const { trigger_id, destination_id, send, path } = await target(500);
  const all = await watch(service, sink, 'sluice.*', { after_failures: 1 });
  await send('FAILED');
  await expect.poll(() => all.received(destination_id).map(({ type }) => type)).toContain('destination.failing');
  sink.answer(path, { status: 410 });
  await send('FAILED');
  await expect.poll(() => all.received(destination_id).map(({ type }) => type)).toContain('destination.disabled');
  await service.api('DELETE', `/triggers/${trigger_id}/destinations/${destination_id}`);
  await expect.poll(() => all.received(destination_id).map(({ type }) => type)).toContain('destination.recovered');
  const about = all.received(destination_id).filter(({ type }) => type.startsWith('destination.'));
  expect(about.map(({ type }) => type)).toEqual([
    'destination.failing',
    'destination.disabled',
    'destination.recovered',
  ]);
  expect(new Set(about.map(({ condition_id }) => condition_id)).size).toBe(1);
  expect(about.at(-1)?.title).toMatch(/was deleted$/);
});

it('a trigger reports conditions that are open when it is created, and one that is disabled reports nothing', async () => {
  const { destination_id, send } = await target(500);
  await send('FAILED');
  const first = await watch(service, sink, 'destination.failing', { after_failures: 1 });
  await first.whenReceived(1, destination_id);
  await service.api('PATCH', `/triggers/${first.trigger_id}`, { status: 'DISABLED' });
  const other = await target(500);
  await other.send('FAILED');
  const second = await watch(service, sink, 'destination.failing', { after_failures: 1 });
  await second.whenReceived(1, destination_id);
  await second.whenReceived(1, other.destination_id);
  expect(first.received(other.destination_id)).toEqual([]);
  await service.api('PATCH', `/triggers/${first.trigger_id}`, { status: 'ENABLED' });
  await first.whenReceived(1, other.destination_id);
  expect(first.received(destination_id)).toHaveLength(1);
});

it('a connection that fails is reported, and when it is connected again', async () => {
  const app = await addApp(service, sink.url);
  const id = await connect(service, app, { api_key: 'secret-of-the-app' });
  const watched = await watch(service, sink, 'sluice.failure');
  sink.answer('/native', { status: 401 });
  for (let n = 0; n < 3; n++) expect((await service.api('GET', `/${app}/native`)).status).toBe(401);
  const [opened] = await watched.whenReceived(1, id);
  expect(opened).toMatchObject({
    type: 'connection.failed',
    state: 'opened',
    last_error: expect.stringContaining('returned 401'),
    link: `http://localhost:${service.port}/connections/${id}`,
    resource: { kind: 'connection', id, name: app },
    details: { app, code: 'INVALID_CREDENTIALS' },
  });
  const { url } = await getConnection(service, id);
  await onLink(service, tokenOf(url), { method: 'API_KEY', fields: { api_key: 'another' } });
  const [, recovered] = await watched.whenReceived(2, id);
  expect(recovered).toMatchObject({ type: 'connection.recovered', condition_id: opened?.condition_id });
  expect(JSON.stringify(watched.received())).not.toContain('secret-of-the-app');
});

it('a finished and a stopped replay are reported once, a canceled one is not', async () => {
  const { trigger_id, send, path } = await target(500);
  for (let n = 0; n < 3; n++) await send('FAILED');
  const ended = await watch(service, sink, 'sluice.*');
  const failures = await watch(service, sink, 'sluice.failure');
  const replay = async (more: object) => {
    const body = { filter: { trigger_id, status: 'FAILED' }, rate_per_second: 1000, ...more };
    return (await service.api<{ replay: { replay_id: string } }>('POST', '/events:replay', body)).body.replay.replay_id;
  };
  const stopped = await replay({ canary: 1 });
  expect(await failures.whenReceived(1, stopped)).toMatchObject([
    {
      type: 'replay.stopped',
      state: 'happened',
      severity: 'warning',
      last_error: expect.stringContaining('failed again'),
    },
  ]);
  sink.answer(path, { status: 200 });
  const finished = await replay({});
  expect(await ended.whenReceived(1, finished)).toMatchObject([
    {
      type: 'replay.finished',
      count: 3,
      title: 'Replay of 3 deliveries is complete',
      link: `http://localhost:${service.port}/replays/${finished}`,
      details: { succeeded: 3, failed: 0, skipped: 0 },
    },
  ]);
  const canceled = await replay({ filter: { trigger_id }, rate_per_second: 0.1 });
  await service.api('POST', `/replays/${canceled}:cancel`);
  await evaluated(service, ended.trigger_id);
  expect(ended.received(canceled)).toEqual([]);
  expect(failures.received(finished)).toEqual([]);
  await ended.whenReceived(1, stopped);
});

it('a source that rejects requests is reported once, and again when it accepts one', async () => {
  const { body } = await service.api<{ trigger: { trigger_id: string; ingress: { url: string } } }>(
    'POST',
    '/triggers',
    { source: 'webhook', event_type: 'webhook.received', name: 'Orders in' },
  );
  const { trigger_id, ingress } = body.trigger;
  const rejecting = await watch(service, sink, 'source.rejecting', { after_rejections: 2 });
  const headers = { 'content-type': 'application/json' };
  const post = (text: string) => fetch(ingress.url, { method: 'POST', headers, body: text });
  for (let n = 0; n < 4; n++) expect((await post('{')).status).toBe(400);
  const [opened] = await rejecting.whenReceived(1, trigger_id);
  expect(opened).toMatchObject({
    type: 'source.rejecting',
    state: 'opened',
    title: 'Requests to trigger “Orders in” are rejected',
    details: { cause: 'NOT_JSON', source: 'webhook' },
    link: `http://localhost:${service.port}/triggers/${trigger_id}/rejections`,
  });
  expect((await post('{}')).status).toBe(200);
  const [, recovered] = await rejecting.whenReceived(2, trigger_id);
  expect(recovered).toMatchObject({ state: 'recovered', condition_id: opened?.condition_id });
});

it('schedules that missed times are one event', async () => {
  const missed = await watch(service, sink, 'schedule.missed');
  const made = await Promise.all([1, 2].map((n) => makeTrigger(service, [], { name: `Nightly ${n}` })));
  const ids = made.map(({ trigger_id }) => trigger_id);
  // As if no node had run for three hours.
  await service.services.db
    .updateTable('triggers')
    .set({
      parameters: JSON.stringify({ cron_expression: '0 * * * *', timezone: 'UTC' }),
      next_fire_at: fromNow(-3 * 3_600_000),
    })
    .where('trigger_id', 'in', ids)
    .execute();
  const [event] = await missed.whenReceived(1);
  expect(event).toMatchObject({
    type: 'schedule.missed',
    state: 'happened',
    title: expect.stringMatching(/^2 schedules missed \d+ times$/),
    details: { schedule_count: 2 },
  });
  const { schedules } = (event ?? only([])).details as { schedules: { trigger_id: string; count: number }[] };
  expect(schedules.map((each) => each.trigger_id).toSorted()).toEqual(ids.toSorted());
  await evaluated(service, missed.trigger_id);
  await missed.whenReceived(1);
});

it('a function is reported once as failing, and once as recovered', async () => {
  const code =
    'export default { fetch: (request) => { if (request.method === "POST") throw new Error("no total"); return new Response("ok"); } };';
  const fn = await makeFunction(service, code);
  const watched = await watch(service, sink, 'sluice.failure', { after_failures: 2 });
  const call = (method: string) => callAddress(service, fn.url, { method, headers: bearer(service.key) });
  await call('GET');
  for (let n = 0; n < 3; n++) await call('POST');
  const [opened] = await watched.whenReceived(1, fn.function_id);
  expect(opened).toMatchObject({
    type: 'function.failing',
    last_error: 'Error: no total',
    link: `http://localhost:${service.port}/functions/${fn.function_id}/runs`,
  });
  await call('GET');
  const [, recovered] = await watched.whenReceived(2, fn.function_id);
  expect(recovered).toMatchObject({ type: 'function.recovered', condition_id: opened?.condition_id });
});

it('an expiring API key is reported, and when it is extended', async () => {
  const expiring = await watch(service, sink, 'api_key.expiring', { days_before: 3 });
  const expires_at = new Date(Date.now() + 2 * 86_400_000).toISOString();
  const made = await service.api<{ key: string; api_key: { key_id: string; prefix: string } }>('POST', '/api-keys', {
    name: 'deploy',
    expires_at,
  });
  const { key, api_key } = made.body;
  const [opened] = await expiring.whenReceived(1, api_key.key_id);
  expect(opened).toMatchObject({
    title: `API key “deploy” expires on ${expires_at.slice(0, 10)}`,
    details: { prefix: api_key.prefix },
  });
  expect(JSON.stringify(opened)).not.toContain(key);
  await service.api('PATCH', `/api-keys/${api_key.key_id}`, { expires_at: null });
  const [, over] = await expiring.whenReceived(2, api_key.key_id);
  expect(over).toMatchObject({ type: 'api_key.expiring', state: 'recovered', condition_id: opened?.condition_id });
});

it('low storage is reported, and when it is no longer low', async () => {
  const low = await watch(service, sink, 'storage.low', { free_percent: 100 });
  const [opened] = await low.whenReceived(1);
  expect(opened).toMatchObject({
    state: 'opened',
    severity: 'critical',
    resource: { kind: 'node' },
    details: { free_bytes: expect.any(Number), total_bytes: expect.any(Number) },
  });
  await service.services.db.updateTable('nodes').set({ storage_free: 99, storage_total: 100 }).execute();
  await service.api('PATCH', `/triggers/${low.trigger_id}`, { parameters: { free_percent: 1 } });
  const [, over] = await low.whenReceived(2);
  expect(over).toMatchObject({ state: 'recovered', condition_id: opened?.condition_id });
});

it('invalid parameters, event types and connections are rejected with the field', async () => {
  const create = async (body: object) => {
    const { status, body: answer } = await service.api('POST', '/triggers', { source: 'sluice', ...body });
    return [status, answer['message']];
  };
  const cases: [object, string][] = [
    [{ event_type: 'destination.exploded' }, 'event_type: expected sluice.failure or'],
    [{ event_type: 'destination.failing', parameters: { after_failures: 0 } }, 'parameters.after_failures: '],
    [{ event_type: 'destination.failing', parameters: { after_failures: 201 } }, 'parameters.after_failures: '],
    [{ event_type: 'destination.failing', parameters: { failure_rate: 101 } }, 'parameters.failure_rate: '],
    [{ event_type: 'destination.failing', parameters: { failure_rate: 'x' } }, 'parameters.failure_rate: '],
    [{ event_type: 'destination.failing', parameters: { window_minutes: 1e9 } }, 'parameters.window_minutes: '],
    [
      { event_type: 'destination.failing', parameters: { days_before: 1 } },
      'parameters.days_before: unknown parameter',
    ],
    [{ event_type: 'storage.low', parameters: { free_percent: 0.5 } }, 'parameters.free_percent: '],
    [{ event_type: 'replay.finished', parameters: { __proto__: null, x: 1 } }, 'parameters.x: unknown parameter'],
    [
      { event_type: 'replay.finished', connection_id: '019b8d5e-7c00-7a51-8f3e-3d2f6f0c1a01' },
      'connection_id: expected a connection of this account',
    ],
  ];
  for (const [body, message] of cases) expect(await create(body)).toEqual([400, expect.stringContaining(message)]);
});

it('every payload has the members of the sample of its type', async () => {
  const { body } = await service.api<Reply<'appGet'>>('GET', '/apps/sluice');
  const samples = new Map(body.app.event_types.map(({ event_type, sample }) => [event_type, sample as Payload]));
  const payloads = sentPayloads(sink);
  // Those of problems, of code and of gradual deploys are sent in other tests; two types combine others.
  const isElsewhere = (type: string) =>
    type.startsWith('problem.') || ['code.matched', 'function.rolled_back'].includes(type);
  const sent = new Set(payloads.map(({ type }) => type).filter((type) => !isElsewhere(type)));
  expect(sent.size).toBe([...samples.keys()].filter((type) => !isElsewhere(type)).length - 2);
  for (const payload of payloads) {
    const sample = samples.get(payload.type);
    expect(Object.keys(payload), payload.type).toEqual(expect.arrayContaining(Object.keys(sample ?? {})));
    expect(Object.keys(payload), payload.type).toHaveLength(Object.keys(sample ?? {}).length);
    if (payload.state === 'recovered') continue;
    const optional = ['attempts', 'failure_rate'];
    const details = Object.keys(payload.details).filter((name) => !optional.includes(name));
    expect(details.toSorted(), payload.type).toEqual(Object.keys(sample?.details ?? {}).toSorted());
  }
});
