/** Several nodes of one database: a change on one takes effect on the others. */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Reply } from '../../contract/operations.ts';
import { addApp, connect } from '../connections/test/connecting.ts';
import { addCustomApp } from '../connections/test/custom-support.ts';
import { makeEvent, makeTrigger, only, patchDestination, whenAll } from '../deliveries/test/delivery-support.ts';
import {
  bearer,
  callAddress,
  type HostedFunction,
  makeFunction,
  type Run,
} from '../functions/test/functions-support.ts';
import { openTail } from '../functions/test/tail-support.ts';
import { newId } from '../lib/ids.ts';
import { startFaultProxy, throughProxy } from './fault-proxy.ts';
import { type Service, startService } from './service.ts';
import { serviceForAll, sinkForAll } from './shared-set-up.ts';
import { freePort, type Spawned, scratch, start } from './spawned.ts';
import { openTab } from './tab.ts';

const env = { SLUICE_MASTER_KEY: `k1:${randomBytes(32).toString('base64')}` };

const sink = sinkForAll();
const here = serviceForAll({ env });
const folder = scratch();
let there: Spawned;
beforeAll(async () => {
  there = await start(folder.path, await freePort(), { ...env, DATABASE_URL: here.databaseUrl });
});
afterAll(async () => {
  await there.kill('SIGTERM');
  folder.remove();
});

const listen = (url: string) => openTab(url, here.key);

const call = (node: { url: string }, path: string, key = here.key) =>
  fetch(`${node.url}/api${path}`, { headers: { authorization: `Bearer ${key}` } });

it('a tab on one node gets the changes of another, in both directions', async () => {
  const tabHere = await listen(here.url);
  const tabThere = await listen(there.url);
  const { trigger_id } = await makeTrigger(here, [{ url: `${sink.url}/both` }]);
  const event = await makeEvent(here, trigger_id);
  await whenAll(here, event, 'SUCCEEDED');
  const { event_id } = event;
  await expect.poll(() => tabThere.changes).toContainEqual({ noun: 'event', event_id, trigger_id });
  await expect
    .poll(() => tabThere.changes)
    .toContainEqual(expect.objectContaining({ noun: 'delivery', event_id, status: 'SUCCEEDED' }));
  const answer = await fetch(`${there.url}/api/triggers/${trigger_id}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${here.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Changed there' }),
  });
  expect(answer.status).toBe(200);
  await expect.poll(() => tabHere.changes).toContainEqual({ noun: 'trigger', trigger_id });
  tabHere.close();
  tabThere.close();
});

it('a key revoked on one node is rejected by another once it is notified', async () => {
  const tab = await listen(there.url);
  const begun = tab.changes.length;
  const made = await here.api<{ key: string; api_key: { key_id: string } }>('POST', '/api-keys', { name: 'short' });
  const { key, api_key } = made.body;
  expect((await call(there, '/account', key)).status).toBe(200);
  // The creation is published, too, and may arrive late.
  await expect.poll(() => tab.changes.slice(begun)).toContainEqual({ noun: 'account' });
  const before = tab.changes.length;
  await here.api('DELETE', `/api-keys/${api_key.key_id}`);
  await expect.poll(() => tab.changes.slice(before)).toContainEqual({ noun: 'account' });
  expect((await call(there, '/account', key)).status).toBe(401);
  tab.close();
});

it('a connection deleted on one node is not used by another once it is notified', async () => {
  const tab = await listen(there.url);
  const app = await addApp(here, sink.url);
  const connection_id = await connect(here, app, { api_key: 'secret-of-the-app' });
  expect((await call(there, `/${app}/x`)).status).toBe(200);
  await here.api('DELETE', `/connections/${connection_id}`);
  const deleted = { noun: 'connection', connection_id, status: 'DELETED' };
  await expect.poll(() => tab.changes).toContainEqual(deleted);
  expect((await call(there, `/${app}/x`)).status).not.toBe(200);
  tab.close();
});

/** The other node's entry points, with the key of this one. */
const atThere = (): Service => ({
  ...here,
  url: there.url,
  port: Number(new URL(there.url).port),
  api: async (method, path, body) => {
    const response = await fetch(`${there.url}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${here.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as never };
  },
});

it('a variable set on one node is available to calls on another once it is notified', async () => {
  const tab = await listen(there.url);
  const code = 'export default { fetch: (_, env) => new Response(env.NAME ?? "none") };';
  const { function_id, url } = await makeFunction(atThere(), code);
  const said = async () => (await callAddress(atThere(), url, { headers: bearer(here.key) })).text;
  expect(await said()).toBe('none');
  // The creation is published, too, and may arrive late.
  await expect.poll(() => tab.changes).toContainEqual({ noun: 'function', function_id });
  const before = tab.changes.length;
  await here.api('PUT', `/functions/${function_id}/env/NAME`, { value: 'set' });
  await expect.poll(() => tab.changes.slice(before)).toContainEqual({ noun: 'function', function_id });
  // Without the notification it would be cached for 5 seconds.
  expect(await said()).toBe('set');
  tab.close();
});

it('deliveries canceled on one node are not sent by another once it is notified', async () => {
  const path = '/canceled-elsewhere';
  const responses: (() => void)[] = [];
  sink.answer(path, (response) => void responses.push(() => response.end()));
  const { trigger_id } = await makeTrigger(here, [{ url: sink.url + path }]);
  for (let n = 0; n < 20; n++) await makeEvent(atThere(), trigger_id);
  await expect.poll(() => responses.length).toBe(8);
  const canceled = await here.api('POST', '/events:cancel', { filter: { trigger_id } });
  expect(canceled.body).toMatchObject({ deliveries: 20, next_token: null });
  const leased = async () => {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from deliveries
      where trigger_id = ${trigger_id} and leased_by is not null`.execute(here.services.db);
    return rows[0]?.count;
  };
  // Those in flight remain.
  await expect.poll(leased).toBe(8);
  for (const respond of responses) respond();
  await expect.poll(leased).toBe(0);
  expect(sink.received(path)).toHaveLength(8);
});

it('a pause on one node holds the deliveries of another, and all nodes together stay within the limits', async () => {
  const responses: (() => void)[] = [];
  let most = 0;
  sink.answer('/shared', (response) => {
    responses.push(() => response.end());
    most = Math.max(most, responses.length);
  });
  const { trigger_id, destinations } = await makeTrigger(here, [{ url: `${sink.url}/shared` }]);
  const { destination_id } = only(destinations);
  const place = [here, trigger_id, destination_id] as const;
  const make = async (count: number) => {
    const events = [];
    for (let n = 0; n < count; n++) {
      const node = n % 2 === 0 ? here : there;
      const response = await fetch(`${node.url}/api/triggers/${trigger_id}:test`, {
        method: 'POST',
        headers: { authorization: `Bearer ${here.key}` },
      });
      expect(response.status).toBe(200);
      events.push(((await response.json()) as Reply<'triggerTest'>).event);
    }
    return events;
  };
  // Both nodes know the destination before it is paused.
  const before = await make(2);
  await expect.poll(() => responses.length).toBe(2);
  while (responses.length > 0) responses.shift()?.();
  await patchDestination(...place, { paused: true, max_in_flight: 3 });
  const queued = await make(20);
  for (const event of before) await whenAll(here, event, 'SUCCEEDED');
  expect(sink.received('/shared')).toHaveLength(2);
  await patchDestination(...place, { paused: false });
  queued.push(...(await make(10)));
  most = 0;
  for (let left = queued.length; left > 0; left--) {
    await expect.poll(() => responses.length).toBe(Math.min(3, left));
    responses.shift()?.();
  }
  for (const event of queued) await whenAll(here, event, 'SUCCEEDED');
  expect(most).toBe(3);
  await patchDestination(...place, { max_in_flight: null, rate_limit: { requests: 1, per: 'hour' } });
  sink.answer('/shared', { status: 200 });
  const paced = await make(10);
  // The rate counts from the last request, so that nothing is sent for an hour.
  const other = await makeTrigger(here, [{ url: `${sink.url}/unlimited` }]);
  await whenAll(here, await makeEvent(here, other.trigger_id), 'SUCCEEDED');
  expect(sink.received('/shared')).toHaveLength(32);
  await patchDestination(...place, { rate_limit: null });
  for (const event of paced) await whenAll(here, event, 'SUCCEEDED');
});

it('a webhook endpoint whose trigger was deleted on one node is closed on another once it is notified', async () => {
  const tab = await listen(there.url);
  const { trigger_id, ingress } = await makeTrigger(here, [], {
    source: 'webhook',
    event_type: 'webhook.received',
    parameters: { verification: 'none' },
  });
  const post = () => fetch(there.url + new URL(ingress?.url ?? '').pathname, { method: 'POST', body: '{}' });
  expect((await post()).status).toBe(200);
  await expect.poll(() => tab.changes).toContainEqual({ noun: 'trigger', trigger_id });
  const before = tab.changes.length;
  await here.api('DELETE', `/triggers/${trigger_id}`);
  await expect.poll(() => tab.changes.slice(before)).toContainEqual({ noun: 'trigger', trigger_id });
  expect((await post()).status).toBe(404);
  tab.close();
});

it('a signature scheme changed on one node is used by another', async () => {
  const tab = await listen(there.url);
  const scheme = (header: string) => ({
    signature: { kind: 'token', header },
    types: [{ event_type: 'order', description: 'Anything about an order.', sample: { order: 1 } }],
  });
  const app = await addCustomApp(here, 'https://api.example.com', [{ method: 'BASIC' }], { events: scheme('X-Old') });
  const { trigger_id, ingress } = await makeTrigger(here, [], { source: app, event_type: 'order', parameters: {} });
  await expect.poll(() => tab.changes).toContainEqual({ noun: 'trigger', trigger_id });
  const post = async (header: string) => {
    const url = there.url + new URL(ingress?.url ?? '').pathname;
    const headers = { [header]: ingress?.signing_secret ?? '' };
    return (await fetch(url, { method: 'POST', headers, body: '{"order":1}' })).status;
  };
  expect(await post('X-Old')).toBe(200);
  const before = tab.changes.length;
  expect((await here.api('PATCH', `/apps/${app}`, { events: scheme('X-New') })).status).toBe(200);
  await expect.poll(() => tab.changes.slice(before)).toContainEqual({ noun: 'account' });
  expect(await post('X-Old')).toBe(401);
  expect(await post('X-New')).toBe(200);
  tab.close();
});

it('a circuit breaker that opens on one node opens on the others, and a corrected destination closes all', async () => {
  const breaker = { failures: 1, firstPauseMs: 3_600_000, longestPauseMs: 3_600_000 };
  const other = await startService({
    env: { ...env, DATABASE_URL: here.databaseUrl, SLUICE_DATA_DIR: here.dataDir },
    breaker,
    retryScheduleSeconds: [],
  });
  const { api } = here;
  const asOther = {
    ...other,
    api: ((...[method, path, body]: Parameters<typeof api>) =>
      other.api(method, path, body, { key: here.key })) as typeof api,
  };
  const trigger = await makeTrigger(asOther, [{ url: `${sink.url}/repaired` }]);
  sink.answer('/repaired', { status: 500 });
  await whenAll(asOther, await makeEvent(asOther, trigger.trigger_id), 'FAILED');
  const broken = (service: Service) => service.services.pipeline.lanes.figures().broken;
  expect(broken(other)).toBe(1);
  await expect.poll(() => broken(here)).toBe(1);
  await patchDestination(here, trigger.trigger_id, only(trigger.destinations).destination_id, { name: 'Repaired' });
  for (const service of [other, here]) await expect.poll(() => broken(service)).toBe(0);
  await other.stop();
});

it('a burst that exceeds a message becomes a resync', async () => {
  const tab = await listen(there.url);
  const { trigger_id } = await makeTrigger(here);
  for (let n = 0; n < 300; n++)
    here.services.live.publish(here.account_id, { noun: 'event', event_id: newId(), trigger_id });
  await expect.poll(() => tab.events).toContain('resync');
  tab.close();
});

it('a run on one node can be followed on another, and each of its lines arrives once', async () => {
  const ask = (path: string, body: object, signal?: AbortSignal) =>
    fetch(`${there.url}/api/functions${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${here.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      ...(signal ? { signal } : {}),
    });
  const code = `export default { async fetch(request) {
    console.log('first');
    if (new URL(request.url).pathname === '/long') await new Promise((go) => setTimeout(go, 60_000));
    for (let i = 0; i < 700; i++) console.log('line', i);
    return new Response();
  } };`;
  const made = await ask('', { name: 'far', runtime: 'nodejs24.x', timeout_seconds: 90, files: { 'index.ts': code } });
  const { function: fn } = (await made.json()) as { function: HostedFunction };
  const tail = await openTail(here, fn);
  await tail.hello();
  const invokeThere = (path: string, signal?: AbortSignal) => ask(`/${fn.function_id}:invoke`, { path }, signal);
  const gone = new AbortController();
  const long = invokeThere('/long', gone.signal).catch(() => null);
  await tail.until((lines) => lines.some(({ message }) => message === 'first'));
  expect(tail.lines.map(({ message }) => message.split(' ')[0])).toEqual(['START', 'first']);
  const { run } = (await (await invokeThere('/')).json()) as { run: Run };
  expect(run.status).toBe('OK');
  await tail.until((lines) => lines.some(({ run_id, message }) => run_id === run.run_id && /^REPORT/.test(message)));
  const mine = tail.lines.filter(({ run_id }) => run_id === run.run_id);
  expect(mine.map(({ seq }) => seq)).toEqual(Array.from({ length: 704 }, (_, seq) => seq));
  gone.abort();
  await long;
  await tail.close();
});

it('a run on one node is finished when read on another right after its response', async () => {
  const code = 'export default { fetch: async (request) => new Response(await request.text()) };';
  const fn = await makeFunction(atThere(), code);
  const unfinished: unknown[] = [];
  for (let n = 0; n < 50; n++) {
    const body = `body ${n}`;
    const answer = await callAddress(atThere(), fn.url, { method: 'POST', body, headers: bearer(here.key) });
    const at = `/functions/${fn.function_id}/runs/${answer.headers['x-function-run-id']}`;
    const { status, body: run } = await here.api<Run>('GET', at);
    if (status !== 200 || run.ended_at === null || run.response?.body !== body) unfinished.push([n, status, run]);
  }
  expect(unfinished).toEqual([]);
});

it('a run in progress on a node whose lease expires is ended once another node notices', async () => {
  const fn = await makeFunction(here, 'export default { fetch: () => new Response() };');
  const at = `/functions/${fn.function_id}`;
  const { run_id } = (await here.api<{ run: Run }>('POST', `${at}:invoke`, {})).body.run;
  const [gone, { db }] = [newId(), here.services];
  await db.updateTable('runs').set({ status: 'RUNNING', node_id: gone }).where('run_id', '=', run_id).execute();
  const expired = sql`now() - interval '1 minute'`;
  await sql`insert into nodes (node_id, started_at, heartbeat_at) values (${gone}, now(), ${expired})`.execute(db);
  const run = async () => (await here.api<Run>('GET', `${at}/runs/${run_id}`)).body;
  const error = { message: 'The service was stopped before the run ended' };
  await expect.poll(run).toMatchObject({ status: 'ERROR', error });
});

it('a node whose connection is silently lost reconnects and resyncs its tabs', async () => {
  const { target, at } = throughProxy(here.databaseUrl);
  const proxy = await startFaultProxy(target);
  const other = await startService({
    env: { ...env, DATABASE_URL: at(proxy.port), SLUICE_DATA_DIR: here.dataDir },
    channelProbeMs: 100,
  });
  const tab = await listen(other.url);
  proxy.swallow();
  await makeTrigger(here);
  // The node received no sign that the peer is gone; the probe found it.
  await expect.poll(() => other.logged()).toContain('cluster channel down, polling instead');
  proxy.repair();
  await expect.poll(() => tab.events).toContain('resync');
  const { trigger_id } = await makeTrigger(here);
  await expect.poll(() => tab.changes).toContainEqual({ noun: 'trigger', trigger_id });
  tab.close();
  await other.stop();
  await proxy.close();
});

it('counts 401 responses of a key across nodes, and any other response on one resets the count', async () => {
  const app = await addApp(here, sink.url);
  const id = await connect(here, app, { api_key: 'k' });
  sink.answer('/refused', { status: 401, body: 'no' });
  const call = async (url: string, path: string) =>
    (await fetch(`${url}/api/${app}${path}`, { headers: bearer(here.key) })).status;
  const row = () =>
    here.services.db
      .selectFrom('connections')
      .select(['refusals', 'status'])
      .where('connection_id', '=', id)
      .executeTakeFirstOrThrow();
  const counted = (refusals: number) => expect.poll(row).toEqual({ refusals, status: 'ACTIVE' });
  const refusedAt = async (url: string) => expect(await call(url, '/refused')).toBe(401);
  await refusedAt(here.url);
  await counted(1);
  await refusedAt(there.url);
  await counted(2);
  expect(await call(there.url, '/fine')).toBe(200);
  await counted(0);
  await refusedAt(there.url);
  await counted(1);
  await refusedAt(here.url);
  await counted(2);
  await refusedAt(there.url);
  await expect.poll(row).toEqual({ refusals: 0, status: 'FAILED' });
  await expect.poll(() => call(here.url, '/fine')).toBe(400);
  await expect.poll(() => call(there.url, '/fine')).toBe(400);
});
