/** The real process on its own database, killed and stopped while deliveries are in flight. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Reply } from '../../contract/operations.ts';
import { type Sink, startSink } from './sink.ts';
import { COMPILED, freePort } from './spawned.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const KEY = `slc_${randomBytes(24).toString('hex')}`;

let sink: Sink;
let child: ChildProcess;
let port: number;
const dataDir = mkdtempSync(join(tmpdir(), 'sluice-crash-'));

async function start(): Promise<void> {
  child = spawn(process.execPath, ['server/main.ts'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      ...COMPILED,
      SLUICE_PORT: String(port),
      SLUICE_PROCESSES: '1',
      SLUICE_DATA_DIR: dataDir,
      SLUICE_ALLOW_PRIVATE_CIDRS: '127.0.0.0/8',
      SLUICE_RATE_LIMIT: '1000',
      SLUICE_API_KEY: KEY,
      SLUICE_LOG_LEVEL: 'error',
    },
  });
  await new Promise<void>((ok, refuse) => {
    child.stdout?.on('data', (chunk: Buffer) => chunk.includes('Sluice is ready') && ok());
    child.once('exit', (code) => refuse(new Error(`the service ended with ${code}`)));
  });
}

async function end(signal: NodeJS.Signals): Promise<unknown> {
  const exit = once(child, 'exit');
  child.kill(signal);
  const [code] = await exit;
  return code;
}

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`http://127.0.0.1:${port}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as T;
}

beforeAll(async () => {
  sink = await startSink();
  port = await freePort();
  await start();
});
afterAll(async () => {
  if (child.exitCode === null && child.signalCode === null) await end('SIGTERM');
  await sink.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Five events whose responses the receiver holds back; resolves when all are in flight. */
async function inFlight(path: string, answer: Parameters<Sink['answer']>[1]) {
  const { trigger } = await call<Reply<'triggerCreate'>>('POST', '/triggers', {
    source: 'schedule',
    event_type: 'schedule.elapsed',
    parameters: { cron_expression: '0 0 1 1 *' },
    destinations: [{ url: sink.url + path }],
  });
  sink.answer(path, answer);
  const ids: string[] = [];
  for (let n = 0; n < 5; n++) {
    const { event } = await call<Reply<'triggerTest'>>('POST', `/triggers/${trigger.trigger_id}:test`);
    ids.push(event.event_id);
  }
  await expect.poll(() => sink.received(path)).toHaveLength(5);
  const statuses = async () => {
    const { events } = await call<Reply<'eventList'>>('GET', `/triggers/${trigger.trigger_id}/events`);
    return events.map(({ outcomes }) => outcomes[0]?.status);
  };
  return { ids, statuses };
}

const SUCCEEDED = Array(5).fill('SUCCEEDED');

it('after kill -9, the next start sends again what was in flight, and nothing is lost', async () => {
  const { ids, statuses } = await inFlight('/killed', () => {});
  await end('SIGKILL');
  sink.answer('/killed', { status: 200 });
  await start();
  // Sooner than the lease expiry: the only node does not wait for it.
  await expect.poll(statuses).toEqual(SUCCEEDED);
  const received = sink.received('/killed').map(({ headers }) => headers['webhook-id']);
  expect(received).toHaveLength(10);
  expect(new Set(received)).toEqual(new Set(ids));
});

it('after kill -9 in a capture, it is still on, and at most its last second is lost', async () => {
  for (const path of ['/captured', '/captured/again'])
    sink.answer(path, { status: 200, body: '{"token":"hidden-value"}' });
  const app = {
    app: 'crashing',
    name: 'Crashing',
    base_url: sink.url,
    methods: [{ method: 'API_KEY', place: { in: 'header', name: 'x-api-key' } }],
  };
  await call('POST', '/apps', app);
  const { connection_id } = await call<{ connection_id: string }>('POST', '/connections', { app: app.app });
  const { connection } = await call<Reply<'connectionGet'>>('GET', `/connections/${connection_id}`);
  await fetch(`http://127.0.0.1:${port}/connect/api/session`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${new URL(connection.url).searchParams.get('token')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ method: 'API_KEY', fields: { api_key: 'key-of-the-app' } }),
  });
  const { capture } = await call<Reply<'captureCreate'>>('POST', '/gateway-captures', { connection_id });
  for (let n = 0; n < 30; n++) await call('POST', '/crashing/captured', { password: 'hidden-value' });
  await end('SIGKILL');
  await start();
  expect((await call<Reply<'captureList'>>('GET', '/gateway-captures')).captures).toEqual([capture]);
  await call('POST', '/crashing/captured/again', { password: 'hidden-value' });
  const listed = async () => (await call<Reply<'callList'>>('GET', '/gateway-calls?app=crashing&limit=200')).calls;
  await expect.poll(async () => (await listed())[0]).toMatchObject({ path: '/captured/again', captured: true });
  for (const { call_id, captured } of await listed()) {
    const detail = await call<Reply<'callGet'>>('GET', `/gateway-calls/${call_id}`);
    expect(detail.capture !== null).toBe(captured);
    expect(JSON.stringify(detail)).not.toContain('hidden-value');
  }
});

it('after kill -9, transformed deliveries in flight are transformed and sent again', async () => {
  const code = `export default (call) => ({ path: JSON.parse(call.body).request.path + '/made', body: { made: true } });`;
  const { function: fn } = await call<Reply<'functionCreate'>>('POST', '/functions', {
    name: 'Transform',
    runtime: 'nodejs24.x',
    files: { 'index.js': code },
  });
  const { trigger } = await call<Reply<'triggerCreate'>>('POST', '/triggers', {
    source: 'schedule',
    event_type: 'schedule.elapsed',
    parameters: { cron_expression: '0 0 1 1 *' },
    destinations: [{ url: `${sink.url}/transformed`, transform: { function_id: fn.function_id } }],
  });
  sink.answer('/transformed/made', () => {});
  const ids: string[] = [];
  for (let n = 0; n < 5; n++)
    ids.push((await call<Reply<'triggerTest'>>('POST', `/triggers/${trigger.trigger_id}:test`)).event.event_id);
  const received = () => sink.received('/transformed/made');
  await expect.poll(received).toHaveLength(5);
  await end('SIGKILL');
  sink.answer('/transformed/made', { status: 200 });
  await start();
  await expect
    .poll(async () => {
      const { events } = await call<Reply<'eventList'>>('GET', `/triggers/${trigger.trigger_id}/events`);
      return events.map(({ outcomes }) => outcomes[0]?.status);
    })
    .toEqual(SUCCEEDED);
  expect(received()).toHaveLength(10);
  expect(new Set(received().map(({ headers }) => headers['webhook-id']))).toEqual(new Set(ids));
  expect(new Set(received().map(({ body }) => body))).toEqual(new Set(['{"made":true}']));
  expect(sink.received('/transformed')).toEqual([]);
});

it('after kill -9, a paused destination holds its queue, and a limited one sends each event within its limit', async () => {
  const limits = { rate_limit: { requests: 1000, per: 'second' as const }, max_in_flight: 2 };
  const { trigger } = await call<Reply<'triggerCreate'>>('POST', '/triggers', {
    source: 'schedule',
    event_type: 'schedule.elapsed',
    parameters: { cron_expression: '0 0 1 1 *' },
    destinations: [{ url: `${sink.url}/paused` }, { url: `${sink.url}/limited`, ...limits }],
  });
  const { trigger_id, destinations } = trigger;
  const paused = `/triggers/${trigger_id}/destinations/${destinations[0]?.destination_id}`;
  await call('PATCH', paused, { paused: true });
  sink.answer('/limited', () => {});
  const ids: string[] = [];
  for (let n = 0; n < 30; n++)
    ids.push((await call<Reply<'triggerTest'>>('POST', `/triggers/${trigger_id}:test`)).event.event_id);
  await expect.poll(() => sink.received('/limited')).toHaveLength(2);
  await end('SIGKILL');
  sink.answer('/limited', { status: 200 });
  await start();
  const eventsAt = (path: string) => sink.received(path).map(({ headers }) => headers['webhook-id']);
  // Those in flight are sent again, and no others.
  await expect.poll(() => eventsAt('/limited').length).toBe(32);
  expect(new Set(eventsAt('/limited'))).toEqual(new Set(ids));
  expect(eventsAt('/paused')).toEqual([]);
  const { destination } = await call<Reply<'destinationGet'>>('GET', paused);
  expect(destination.queue).toMatchObject({ waiting: 30, health: 'PAUSED' });
  await call('PATCH', paused, { paused: false });
  await expect.poll(() => eventsAt('/paused').toSorted()).toEqual(ids);
});

it('after kill -9 while sources post, all acknowledged events are stored, and duplicates are stored once', async () => {
  const { trigger } = await call<Reply<'triggerCreate'>>('POST', '/triggers', {
    source: 'webhook',
    event_type: 'webhook.received',
    parameters: { id_header: 'X-Id' },
  });
  const address = trigger.ingress?.url.replace('localhost', '127.0.0.1') ?? '';
  const post = async (n: number): Promise<string> => {
    const headers = { 'x-id': `id ${n}`, connection: 'close' };
    const response = await fetch(address, { method: 'POST', headers, body: `{"n":${n}}` });
    expect(response.status).toBe(200);
    const { event_ids } = (await response.json()) as { event_ids: string[] };
    return event_ids[0] ?? '';
  };
  const acknowledged = new Map<number, string>();
  let killed: Promise<unknown> | undefined;
  const all = Array.from({ length: 400 }, (_, n) => n);
  const left = [...all];
  const sender = async () => {
    for (let n = left.shift(); n !== undefined; n = left.shift()) {
      const id = await post(n).catch(() => undefined);
      if (id !== undefined) acknowledged.set(n, id);
      // In the middle of the others' requests.
      if (acknowledged.size > 150) killed ??= end('SIGKILL');
    }
  };
  await Promise.all(Array.from({ length: 32 }, sender));
  await killed;
  expect(acknowledged.size).toBeLessThan(400);
  await start();
  const again = new Map<number, string>();
  for (const n of all) again.set(n, await post(n));
  for (const [n, id] of acknowledged) expect(again.get(n), `acknowledged ${n}`).toBe(id);
  expect(new Set(again.values()).size).toBe(400);
  let stored: string[] = [];
  for (let token: string | null = ''; token !== null; ) {
    const query: string = token === '' ? '' : `&next_token=${token}`;
    const page = await call<Reply<'eventList'>>('GET', `/triggers/${trigger.trigger_id}/events?limit=200${query}`);
    stored = [...stored, ...page.events.map(({ event_id }) => event_id)];
    token = page.next_token;
  }
  expect(stored.toSorted()).toEqual([...again.values()].toSorted());
});

it('on SIGTERM, it finishes what is in flight, and sends nothing twice', async () => {
  const held = Promise.withResolvers<void>();
  const { statuses } = await inFlight('/ended', (response) => void held.promise.then(() => response.end()));
  const code = end('SIGTERM');
  const isListening = () =>
    fetch(`http://127.0.0.1:${port}/healthz`).then(
      () => true,
      () => false,
    );
  await expect.poll(isListening).toBe(false);
  held.resolve();
  expect(await code).toBe(0);
  await start();
  expect(await statuses()).toEqual(SUCCEEDED);
  expect(sink.received('/ended')).toHaveLength(5);
});
