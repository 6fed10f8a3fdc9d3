/** A stop by signal: open requests may finish within the drain time; those that are cut are recorded as stopped. */
import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { Reply } from '../../contract/operations.ts';
import { type Api, addApp, connect } from '../connections/test/connecting.ts';
import { only } from '../deliveries/test/delivery-support.ts';
import { spawnedForEach } from './shared-set-up.ts';
import { type Sink, startSink } from './sink.ts';
import { freePort, KEY, type Spawned } from './spawned.ts';

let sink: Sink;
let data: string;
afterEach(() => sink.close());
// After it, so that services stop before the sink.
const spawned = spawnedForEach();
beforeEach(async () => {
  sink = await startSink();
  data = join(spawned.folder(), 'data');
});

const run = (port: number, env: Record<string, string>) => spawned.run(data, port, env);

/** A function that responds after `ms`. */
const makeSlow = (service: Spawned, ms: number) =>
  makeFunction(service, `await new Promise((done) => setTimeout(done, ${ms}));`);

/** A function that does `work` and responds. */
async function makeFunction(service: Spawned, work: string): Promise<Reply<'functionGet'>['function']> {
  const code = `export default { async fetch() {
    ${work}
    return new Response('late');
  } };`;
  const { status, body } = await service.call<Reply<'functionCreate'>>('POST', '/functions', {
    name: 'slow',
    runtime: 'nodejs24.x',
    files: { 'index.ts': code },
    timeout_seconds: 120,
  });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.function;
}

const runsOf = async (service: Spawned, function_id: string) =>
  (await service.call<Reply<'runList'>>('GET', `/functions/${function_id}/runs`)).body.runs;
const invoke = (service: Spawned, function_id: string) =>
  service.call<{ run: { status: string } }>('POST', `/functions/${function_id}:invoke`, {});

async function makeDestination(service: Spawned, url: string): Promise<string> {
  const { status, body } = await service.call<Reply<'triggerCreate'>>('POST', '/triggers', {
    source: 'schedule',
    event_type: 'schedule.elapsed',
    parameters: { cron_expression: '0 0 1 1 *' },
    // Without a retry, a failed attempt is the end of its delivery.
    destinations: [{ url, retry_schedule: [] }],
  });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.trigger.trigger_id;
}

/** An app with a response that never begins, one that never ends, one that ends once released, and a WebSocket echo. */
async function startTarget() {
  let release = () => {};
  const server = createServer((req, res) => {
    if (req.url?.startsWith('/never')) return;
    if (req.url === '/half') return void res.writeHead(200, { 'Content-Length': 100 }).write('half');
    release = () => void res.end('whole');
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => socket.on('message', (data) => socket.send(data)));
  await new Promise<void>((ok) => server.listen(0, '127.0.0.1', ok));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Resolves when `count` requests have arrived. */
    got: async (count: number) => {
      for (let n = 0; n < count; n++) await once(server, 'request');
    },
    release: () => release(),
  };
}

/** Signals again until it has ended: a signal right after the first counts as the same. */
async function hurry(service: Spawned): Promise<void> {
  let code: number | null | undefined;
  void service.ended.then((given) => {
    code = given;
  });
  await expect
    .poll(() => {
      if (code === undefined) void service.kill('SIGTERM');
      return code;
    })
    .toBe(0);
}

const isReady = async (service: Spawned) => (await fetch(`${service.url}/readyz`)).status;

describe('on SIGTERM', () => {
  it('a run of 8 s in progress responds to its caller', async () => {
    const service = await run(await freePort(), {});
    const { function_id } = await makeSlow(service, 8_000);
    const response = invoke(service, function_id);
    await expect.poll(async () => (await runsOf(service, function_id)).length).toBe(1);
    const ended = service.kill('SIGTERM');
    expect(await response).toMatchObject({ status: 200, body: { run: { status: 'OK' } } });
    expect(await ended).toBe(0);
  });

  it('a run that outlasts the drain time is recorded as stopped, and its attempt is made again', async () => {
    const port = await freePort();
    const service = await run(port, { SLUICE_DRAIN_SECONDS: '1' });
    const { function_id, url } = await makeSlow(service, 60_000);
    const external = await makeDestination(service, `${sink.url}/slow`);
    const inside = await makeDestination(service, url);
    sink.answer('/slow', () => undefined);
    const invoked = invoke(service, function_id).catch(() => undefined);
    for (const id of [external, inside]) await service.call('POST', `/triggers/${id}:test`, {});
    await expect.poll(async () => (await runsOf(service, function_id)).length).toBe(2);
    await expect.poll(() => sink.received('/slow').length).toBe(1);
    expect(await service.kill('SIGTERM')).toBe(0);
    expect(await invoked).toMatchObject({ status: 200, body: { run: { status: 'ERROR' } } });

    sink.answer('/slow', (response) => void response.end('ok'));
    const again = await run(port, {});
    const runs = await runsOf(again, function_id);
    const stopped = runs.filter(({ status }) => status === 'ERROR');
    expect(stopped).toHaveLength(2);
    for (const { error_message } of stopped)
      expect(error_message).toContain('The service was stopped before the run ended');
    const deliveryOf = async (trigger_id: string) => {
      const path = `/triggers/${trigger_id}/events`;
      const { event_id } = only((await again.call<Reply<'eventList'>>('GET', path)).body.events);
      return only((await again.call<Reply<'eventGet'>>('GET', `${path}/${event_id}`)).body.event.deliveries);
    };
    await expect.poll(() => deliveryOf(external)).toMatchObject({ status: 'SUCCEEDED', attempts: 1 });
    // The function is called again, too.
    await expect.poll(async () => (await runsOf(again, function_id)).length).toBe(3);
    expect(await deliveryOf(inside)).toMatchObject({ status: 'PENDING' });
  });

  it('readiness fails first, while requests are served and their connections closed; a second signal ends it', async () => {
    const service = await run(await freePort(), { SLUICE_LAME_DUCK_SECONDS: '3600', SLUICE_DRAIN_SECONDS: '3600' });
    const trigger_id = await makeDestination(service, `${sink.url}/served`);
    const { function_id } = await makeSlow(service, 60_000);
    const invoked = invoke(service, function_id).catch(() => undefined);
    await expect.poll(async () => (await runsOf(service, function_id)).length).toBe(1);
    expect(await isReady(service)).toBe(200);
    void service.kill('SIGTERM');
    await expect.poll(() => isReady(service)).toBe(503);
    const made = await service.call('POST', `/triggers/${trigger_id}:test`, {});
    expect(made.status).toBe(200);
    await expect.poll(() => sink.received('/served').length).toBe(1);
    const kept = request(`${service.url}/healthz`, { agent: new Agent({ keepAlive: true }) }).end();
    const [response] = await once(kept, 'response');
    response.resume();
    expect(response.headers.connection).toBe('close');
    await hurry(service);
    expect(await invoked).toMatchObject({ status: 200, body: { run: { status: 'ERROR' } } });
  });

  it('calls through the gateway that outlast the drain time, and WebSockets, are recorded as stopped', async () => {
    const target = await startTarget();
    const port = await freePort();
    const service = await run(port, { SLUICE_DRAIN_SECONDS: '3600' });
    const api: Api = { url: service.url, api: service.call as Api['api'] };
    const app = await addApp(api, target.url);
    const connection_id = await connect(api, app, { api_key: 'k' });
    const headers = { authorization: `Bearer ${KEY}` };
    const through = (path: string) =>
      fetch(`${service.url}/api/${app}${path}`, { headers }).then(async (response) => {
        return `${response.status} ${await response.text()}`;
      });
    const init = "{ headers: { authorization: 'Bearer ' + process.env.GATEWAY_TOKEN } }";
    const { function_id } = await makeFunction(
      service,
      `await fetch(process.env.GATEWAY_URL + '/${app}/never-run', ${init});`,
    );
    const arrived = target.got(4);
    const invoked = invoke(service, function_id);
    const never = through('/never');
    const half = through('/half').catch(() => 'cut');
    const whole = through('/whole');
    await arrived;
    const socket = new WebSocket(`${service.url.replace('http', 'ws')}/api/${app}/socket`, { headers });
    socket.on('error', () => undefined);
    await once(socket, 'open');
    socket.send('hello');
    await once(socket, 'message');

    void service.kill('SIGTERM');
    await once(socket, 'close');
    target.release();
    expect(await whole).toBe('200 whole');
    await hurry(service);
    expect(await never).toMatch(/^503 .*The service was stopped before the call ended/);
    expect(await half).toBe('cut');
    expect(await invoked).toMatchObject({ status: 200, body: { run: { status: 'ERROR' } } });

    const again = await run(port, {});
    const { calls } = (await again.call<Reply<'connectionCallList'>>('GET', `/connections/${connection_id}/calls`))
      .body;
    const error = 'The service was stopped before the call ended.';
    expect(calls.map(({ path, status, error }) => ({ path, status, error })).toSorted(byPath)).toEqual([
      { path: '/half', status: 200, error },
      { path: '/never', status: null, error },
      { path: '/never-run', status: null, error },
      { path: '/socket', status: 101, error },
      { path: '/whole', status: 200, error: null },
    ]);
    const { error_message } = only(await runsOf(again, function_id));
    expect(error_message).toContain('The service was stopped before the run ended');
  });
});

const byPath = (a: { path: string }, b: { path: string }) => (a.path < b.path ? -1 : 1);
