/** The log of gateway calls, as the API returns it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { LiveChange } from '../../../contract/live.ts';
import type { Reply } from '../../../contract/operations.ts';
import { addApp, connect } from '../../connections/test/connecting.ts';
import { newId } from '../../lib/ids.ts';
import { type Service, startService } from '../../test/service.ts';
import { CallBatch } from '../store/call-batch.ts';
import { rawCall } from './raw-upstream.ts';

type Page = Reply<'connectionCallList'>;
type Stats = Reply<'connectionCallStats'>;

const target = createServer((req, res) => {
  if (req.url === '/never') return;
  if (req.url === '/cut') {
    res.writeHead(200, { 'Content-Length': 100 });
    return void res.write('half', () => req.socket.destroy());
  }
  req.resume().once('end', () => {
    res.writeHead(Number(/status=(\d+)/.exec(req.url ?? '')?.[1] ?? 200), { 'Content-Type': 'text/plain' });
    res.end('seven b');
  });
});
const sockets = new WebSocketServer({ server: target });
sockets.on('connection', (socket) => socket.on('message', (data) => socket.send(data)));

let service: Service;
let base_url: string;
beforeAll(async () => {
  await new Promise<void>((ok) => target.listen(0, '127.0.0.1', ok));
  base_url = `http://127.0.0.1:${(target.address() as AddressInfo).port}`;
  service = await startService({ env: { SLUICE_GATEWAY_ANSWER_TIMEOUT: '1' } });
});
afterAll(async () => {
  await service.stop();
  sockets.close();
  target.closeAllConnections();
  target.close();
});

async function connected() {
  const app = await addApp(service, base_url);
  return { app, id: await connect(service, app, { api_key: 'k-secret' }) };
}
const through = (app: string, path: string, method = 'GET', body?: string) =>
  service.api(method, `/${app}${path}`, body, { headers: { 'content-type': 'text/plain' } });
const calls = async (id: string, query = '') =>
  (await service.api<Page>('GET', `/connections/${id}/calls${query}`)).body;
const kept = (id: string, count: number) =>
  expect
    .poll(async () => (await calls(id)).calls.length)
    .toBe(count)
    .then(() => calls(id));

describe('a call', () => {
  it('is logged with its request, result, duration and sizes', async () => {
    const { app, id } = await connected();
    await through(app, '/items?status=201&token=private', 'POST', 'twelve bytes');
    const { calls, dropped, next_token } = await kept(id, 1);
    expect(calls).toEqual([
      {
        call_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        at: expect.stringMatching(/^\d{4}-.*\.\d{6}Z$/),
        connection_id: id,
        app,
        run_id: null,
        key_id: expect.any(String),
        key_name: 'First key',
        method: 'POST',
        path: '/items',
        status: 201,
        duration_ms: expect.any(Number),
        request_bytes: 12,
        response_bytes: 7,
        error: null,
        request_id: null,
      },
    ]);
    expect(Math.abs(Date.parse(calls[0]?.at ?? '') - Date.now())).toBeLessThan(30_000);
    expect(dropped).toBe(0);
    expect(next_token).toBeNull();
    expect(JSON.stringify(calls)).not.toMatch(/private|k-secret/);
  });

  it('without a response has no status but an error', async () => {
    const { app, id } = await connected();
    await through(app, '/never');
    const { calls } = await kept(id, 1);
    expect(calls[0]).toMatchObject({
      status: null,
      error: 'The app was reached, but did not respond in time (UND_ERR_HEADERS_TIMEOUT).',
    });
  });

  it('that was interrupted by the app or the caller has an error', async () => {
    const { app, id } = await connected();
    await expect(through(app, '/cut')).rejects.toThrow();
    const caller = rawCall(
      service.port,
      `GET /api/${app}/never HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${service.key}\r\n\r\n`,
    );
    await new Promise((ok) => target.once('request', ok));
    caller.socket.destroy();
    const [left, cut] = (await kept(id, 2)).calls;
    expect(cut).toMatchObject({
      path: '/cut',
      status: 200,
      error: 'The app’s response was interrupted (UND_ERR_SOCKET).',
    });
    expect(left).toMatchObject({ path: '/never', status: null, error: 'The caller closed the connection early.' });
  });

  it('that became a WebSocket has the transferred bytes', async () => {
    const { app, id } = await connected();
    const socket = new WebSocket(`ws://127.0.0.1:${service.port}/api/${app}/feed`, {
      headers: { authorization: `Bearer ${service.key}` },
    });
    await new Promise((ok) => socket.once('open', ok));
    socket.send('x'.repeat(1000));
    await new Promise((ok) => socket.once('message', ok));
    socket.close();
    const [call] = (await kept(id, 1)).calls;
    expect(call).toMatchObject({ method: 'GET', path: '/feed', status: 101, error: null });
    expect(call?.request_bytes).toBeGreaterThanOrEqual(1000);
    expect(call?.request_bytes).toBeLessThan(1100);
    expect(call?.response_bytes).toBeGreaterThanOrEqual(1000);
    expect(call?.response_bytes).toBeLessThan(1100);
  });

  it('is written before the service stops', async () => {
    const { app, id } = await connected();
    await through(app, '/last');
    await service.restart();
    expect((await calls(id)).calls.map(({ path }) => path)).toEqual(['/last']);
  });
});

describe('the list', () => {
  it('is newest first, paged, and filtered by outcome, method and time', async () => {
    const { app, id } = await connected();
    for (const status of [200, 302, 404, 500]) await through(app, `/s?status=${status}`);
    await through(app, '/s?status=201', 'PUT', 'x');
    await kept(id, 5);
    const statuses = async (query: string) => (await calls(id, query)).calls.map(({ status }) => status);
    expect(await statuses('?status=2xx')).toHaveLength(2);
    expect(await statuses('?status=3xx')).toEqual([302]);
    expect(await statuses('?status=4xx')).toEqual([404]);
    expect(await statuses('?status=5xx')).toEqual([500]);
    expect(await statuses('?status=none')).toEqual([]);
    expect(await statuses('?method=PUT')).toEqual([201]);
    expect(await statuses('?until=2020-01-01T00:00:00Z')).toEqual([]);
    expect(await statuses('?since=2020-01-01T00:00:00Z')).toHaveLength(5);
    const first = await calls(id, '?limit=3');
    const second = await calls(id, `?limit=3&next_token=${first.next_token}`);
    const ids = [...first.calls, ...second.calls].map(({ call_id }) => call_id);
    expect(ids).toEqual((await calls(id)).calls.map(({ call_id }) => call_id));
    expect(ids).toEqual(ids.toSorted().reverse());
    expect(second.next_token).toBeNull();
  });

  it('contains the calls of one connection of one account', async () => {
    const { app, id } = await connected();
    await through(app, '/x');
    await kept(id, 1);
    const other = await connect(service, app, { api_key: 'other' });
    expect((await calls(other)).calls).toEqual([]);
    const { key } = await service.secondAccount();
    for (const path of [`/connections/${id}/calls`, `/connections/${id}/calls/stats`])
      expect((await service.api('GET', path, undefined, { key })).status).toBe(404);
  });
});

describe('the statistics', () => {
  const stats = async (id: string, query = '') =>
    (await service.api<Stats>('GET', `/connections/${id}/calls/stats${query}`)).body;
  const rows = (connection_id: string, each: { minutesAgo: number; status: number | null; duration_ms: number }[]) => {
    // The same time for all calls, so that they can’t span two minutes.
    const nowMs = Date.now();
    return each.map(({ minutesAgo, status, duration_ms }) => ({
      account_id: service.account_id,
      connection_id,
      at_ms: nowMs - minutesAgo * 60_000,
      app: 'a',
      method: 'GET',
      path: '/',
      status,
      duration_ms,
      request_bytes: 0,
      response_bytes: 0,
      error: null,
      run_id: null,
    }));
  };

  it('have a bucket for every interval, oldest first, with counts and percentiles', async () => {
    const { id } = await connected();
    const durations = Array.from({ length: 100 }, (_, i) => ({ minutesAgo: 30, status: 200, duration_ms: i + 1 }));
    const made = rows(id, [
      ...durations,
      { minutesAgo: 10, status: 404, duration_ms: 5 },
      { minutesAgo: 10, status: 503, duration_ms: 7 },
      { minutesAgo: 10, status: null, duration_ms: 9 },
      { minutesAgo: 120, status: 200, duration_ms: 1 },
    ]);
    const batch = new CallBatch();
    for (const each of made) batch.add(each);
    await batch.insertInto(service.services.db);
    const { buckets, bucket_seconds, since, dropped } = await stats(id, '?range=1h');
    expect([buckets.length, bucket_seconds, dropped]).toEqual([60, 60, 0]);
    expect(buckets[0]?.at).toBe(since);
    expect(buckets.map(({ at }) => Date.parse(at))).toEqual(buckets.map((_, i) => Date.parse(since) + i * 60_000));
    const full = buckets.filter(({ count }) => count > 0);
    expect(full.map(({ at: _, ...rest }) => rest)).toEqual([
      { count: 100, ok: 100, client_errors: 0, server_errors: 0, unanswered: 0, p50_ms: 50, p95_ms: 95, p99_ms: 99 },
      { count: 3, ok: 0, client_errors: 1, server_errors: 1, unanswered: 1, p50_ms: 7, p95_ms: 9, p99_ms: 9 },
    ]);
    expect(buckets.find(({ count }) => count === 0)).toMatchObject({ p50_ms: null, p95_ms: null, p99_ms: null });
    const day = await stats(id);
    expect([day.buckets.length, day.bucket_seconds]).toEqual([48, 1800]);
    expect(day.buckets.reduce((sum, { count }) => sum + count, 0)).toBe(104);
    const week = await stats(id, '?range=7d');
    expect(week.buckets.length * week.bucket_seconds).toBe(7 * 86_400);
    expect((await service.api('GET', `/connections/${id}/calls/stats?range=1y`)).status).toBe(400);
  });

  it('are returned for all apps at once, for one account only', async () => {
    const { app, id } = await connected();
    await through(app, '/busy?status=200');
    await through(app, '/busy?status=500');
    await kept(id, 2);
    type Apps = Reply<'connectionStats'>;
    const { body } = await service.api<Apps>('GET', '/connections:stats?range=1h');
    const [most] = body.apps;
    expect(body.apps.every(({ calls }) => calls <= (most?.calls ?? 0))).toBe(true);
    const found = body.apps.find((each) => each.app === app);
    expect(found).toMatchObject({ calls: 2, errors: 1 });
    expect(found?.p95_ms).toBeGreaterThan(0);
    expect(found?.buckets).toHaveLength(60);
    expect(found?.buckets.reduce((sum, calls) => sum + calls, 0)).toBe(2);
    const { key } = await service.secondAccount();
    expect((await service.api<Apps>('GET', '/connections:stats', undefined, { key })).body.apps).toEqual([]);
  });
});

it('subscribers are notified of stored calls', async () => {
  const { app, id } = await connected();
  const seen: LiveChange[] = [];
  const { live } = service.services;
  const { stop } = live.subscribe(service.account_id, undefined, ({ changes }) => seen.push(...changes));
  for (let i = 0; i < 3; i++) await through(app, '/ok');
  await expect.poll(() => seen).toContainEqual({ noun: 'call', connection_id: id });
  expect((await calls(id)).calls.length).toBeGreaterThan(0);
  stop();
});

describe('if the database can’t keep up', () => {
  it('calls are dropped and counted, and the count is returned', async () => {
    const { id } = await connected();
    const note = (account_id: string) =>
      service.services.memory.calls.note({
        account_id,
        connection_id: id,
        run_id: null,
        app: 'a',
        method: 'GET',
        path: '/"\\{},',
        status: 200,
        duration_ms: 1,
        request_bytes: 0,
        response_bytes: 0,
        error: null,
        at_ms: Date.now(),
      });
    // All at once, so that no batch is flushed in between.
    for (let i = 0; i < 20_007; i++) note(service.account_id);
    note(newId());
    expect((await calls(id)).dropped).toBe(7);
    await expect
      .poll(async () => (await service.api<Stats>('GET', `/connections/${id}/calls/stats?range=1h`)).body)
      .toMatchObject({ dropped: 7 });
    const total = async () =>
      (await service.api<Stats>('GET', `/connections/${id}/calls/stats`)).body.buckets.reduce(
        (n, { count }) => n + count,
        0,
      );
    await expect.poll(total).toBe(20_000);
    expect((await calls(id, '?limit=1')).calls[0]?.path).toBe('/"\\{},');
  });
});
