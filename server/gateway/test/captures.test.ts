/** Requests and responses that are captured on demand. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CAPTURE, MASK } from '../../../contract/limits.ts';
import type { Reply } from '../../../contract/operations.ts';
import { addApp, connect } from '../../connections/test/connecting.ts';
import { newId } from '../../lib/ids.ts';
import { sweep } from '../../maintenance/sweep.ts';
import { type Service, startService } from '../../test/service.ts';

type Detail = Reply<'callGet'>;
type Capture = Reply<'captureCreate'>['capture'];

const target = createServer((req, res) => {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.once('end', () => {
    const url = req.url ?? '';
    if (url.startsWith('/cut')) return void req.socket.destroy();
    if (url.startsWith('/gzip'))
      return void res
        .writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })
        .end(gzipSync('{"token":"hidden-value","ok":true}'));
    if (url.startsWith('/binary')) return void res.writeHead(200).end(Buffer.from([0xff, 0xfe, 0, 1]));
    if (url.startsWith('/long'))
      return void res.writeHead(200, { 'Content-Type': 'text/plain' }).end('x'.repeat(200_000));
    if (url.startsWith('/split')) {
      res.writeHead(200, { 'Content-Type': 'application/json' }).write('{"pass');
      return void setImmediate(() => res.end('word":"hidden-value"}'));
    }
    res.writeHead(201, { 'Content-Type': 'application/json', 'Set-Cookie': 'sid=hidden-value', 'X-Echo': 'one' });
    res.end(
      JSON.stringify({
        got: Buffer.concat(chunks).toString(),
        auth: req.headers.authorization,
        secret: 'hidden-value',
      }),
    );
  });
});
let service: Service;
let base_url: string;
beforeAll(async () => {
  await new Promise<void>((ok) => target.listen(0, '127.0.0.1', ok));
  base_url = `http://127.0.0.1:${(target.address() as AddressInfo).port}`;
  service = await startService();
});
afterAll(async () => {
  await service.stop();
  target.closeAllConnections();
  target.close();
});

async function connected() {
  const app = await addApp(service, base_url);
  return { app, id: await connect(service, app, { api_key: 'k-own-credential' }) };
}
async function capture(body: object, key = service.key): Promise<Capture> {
  const answer = await service.api<{ capture: Capture }>('POST', '/gateway-captures', body, { key });
  expect(answer.status).toBe(200);
  return answer.body.capture;
}
const captures = async () => (await service.api<Reply<'captureList'>>('GET', '/gateway-captures')).body.captures;
const through = (app: string, path: string, method = 'GET', body?: string, headers: Record<string, string> = {}) =>
  fetch(`${service.url}/api/${app}${path}`, {
    method,
    headers: { authorization: `Bearer ${service.key}`, ...headers },
    ...(body === undefined ? {} : { body }),
  });
const calls = async (app: string) =>
  (await service.api<Reply<'callList'>>('GET', `/gateway-calls?app=${app}&limit=200`)).body.calls;
/** The captured call of an app with this path, when it is stored. */
async function captured(app: string, path: string): Promise<Detail> {
  const find = async () => (await calls(app)).find((call) => call.path === path && call.captured);
  await expect.poll(find).toBeDefined();
  return (await service.api<Detail>('GET', `/gateway-calls/${(await find())?.call_id}`)).body;
}

describe('a captured call', () => {
  it('has its request and response, with secrets masked', async () => {
    const { app, id } = await connected();
    await capture({ connection_id: id });
    const sent = JSON.stringify({ name: 'Ada', password: 'hidden-value', note: 'k-own-credential' });
    const answer = await through(app, '/items?page=2&api_key=hidden-value', 'POST', sent, {
      'content-type': 'application/json',
      'x-trace': 'abc',
      cookie: 'a=hidden-value',
      'x-auth-token': 'hidden-value',
    });
    // The bytes of the caller are unchanged.
    expect(JSON.parse(await answer.text())).toMatchObject({ got: sent, auth: 'Bearer k-own-credential' });
    const detail = await captured(app, '/items');
    expect(detail).toMatchObject({
      call: { captured: true, status: 201 },
      capture: {
        request: {
          method: 'POST',
          path: `/items?page=2&api_key=${MASK}`,
          body: { kept: 'WHOLE', text: `{"name":"Ada","password":"${MASK}","note":"${MASK}"}`, bytes: sent.length },
        },
        response: { status: 201, body: { kept: 'WHOLE' } },
      },
    });
    expect(detail.capture?.request.headers).toContainEqual(['x-trace', 'abc']);
    expect(detail.capture?.request.headers).toContainEqual(['x-auth-token', MASK]);
    expect(detail.capture?.request.headers).toContainEqual(['Authorization', MASK]);
    expect(detail.capture?.response?.headers).toContainEqual(['Set-Cookie', MASK]);
    expect(detail.capture?.response?.headers).toContainEqual(['X-Echo', 'one']);
    const stored = await service.services.db.selectFrom('captured_calls').selectAll().execute();
    for (const secret of ['hidden-value', 'k-own-credential', service.key])
      expect(JSON.stringify(stored)).not.toContain(secret);
  });

  it('is decoded, cut, and kept only as text', async () => {
    const { app } = await connected();
    await capture({ app });
    for (const path of ['/gzip', '/binary', '/long', '/split', '/cut']) await (await through(app, path)).arrayBuffer();
    const response = async (path: string) => (await captured(app, path)).capture?.response;
    expect((await response('/gzip'))?.body).toMatchObject({ kept: 'WHOLE', text: `{"token":"${MASK}","ok":true}` });
    expect((await response('/split'))?.body.text).toBe(`{"password":"${MASK}"}`);
    expect((await response('/binary'))?.body).toEqual({ kept: 'BINARY', text: null, bytes: 4 });
    expect((await response('/long'))?.body).toEqual({
      kept: 'TRUNCATED',
      text: 'x'.repeat(CAPTURE.bodyBytes),
      bytes: 200_000,
    });
    const cut = await captured(app, '/cut');
    expect(cut.capture).toMatchObject({ request: { method: 'GET', body: { kept: 'NONE' } }, response: null });
  });
});

describe('a captured call that is sent again', () => {
  it('is marked in the log', async () => {
    const { app, id } = await connected();
    await capture({ connection_id: id });
    await through(app, '/items', 'POST', '{}');
    const { call } = await captured(app, '/items');
    const send = (replay_of: unknown, key = service.key) =>
      service.api('POST', `/connections/${id}:request`, { method: 'GET', path: '/again', replay_of }, { key });
    expect((await send(call.call_id)).status).toBe(200);
    const again = async () => (await calls(app)).find(({ path }) => path === '/again');
    await expect.poll(again).toMatchObject({ replay_of: call.call_id, captured: false });
    expect(call.replay_of).toBeNull();
    expect((await send(newId())).status).toBe(404);
    expect((await send((await again())?.call_id)).status).toBe(404);
    for (const wrong of ['x', 1, [], { $gt: '' }]) expect((await send(wrong)).status).toBe(400);
    const other = (await service.secondAccount()).key;
    expect((await send(call.call_id, other)).status).toBe(404);
  });
});

describe('a capture', () => {
  it('is off by default, and ends when it is stopped or its time is over', async () => {
    const { app, id } = await connected();
    await through(app, '/before');
    const begun = await capture({ connection_id: id, minutes: 5 });
    expect(begun).toMatchObject({ connection_id: id, app: null, percent: 100, created_by: 'First key' });
    expect(Date.parse(begun.until) - Date.parse(begun.created_at)).toBeGreaterThan(299_000);
    expect(await captures()).toContainEqual(begun);
    await through(app, '/during');
    await captured(app, '/during');
    expect((await service.api('DELETE', `/gateway-captures/${begun.capture_id}`)).status).toBe(200);
    await through(app, '/after');
    const over = await capture({ app });
    await service.services.db
      .updateTable('captures')
      .set({ until: '2026-01-01T00:00:00.000000Z' })
      .where('capture_id', '=', over.capture_id)
      .execute();
    await service.restart();
    await through(app, '/over');
    await expect.poll(async () => (await calls(app)).length).toBe(4);
    await service.services.memory.captures.flush();
    expect((await calls(app)).map(({ path, captured }) => [path, captured])).toEqual([
      ['/over', false],
      ['/after', false],
      ['/during', true],
      ['/before', false],
    ]);
    expect((await captures()).map(({ capture_id }) => capture_id)).not.toContain(over.capture_id);
  });

  it('replaces the earlier one, takes a share of the calls, and is in the audit log', async () => {
    const { app, id } = await connected();
    const first = await capture({ connection_id: id });
    const second = await capture({ connection_id: id, percent: 50 });
    expect((await captures()).filter(({ connection_id }) => connection_id === id)).toEqual([second]);
    for (let i = 0; i < 60; i++) await (await through(app, `/n/${i}`)).arrayBuffer();
    await expect.poll(async () => (await calls(app)).length).toBe(60);
    await service.services.memory.captures.flush();
    const kept = (await calls(app)).filter(({ captured }) => captured).length;
    expect(kept).toBeGreaterThan(5);
    expect(kept).toBeLessThan(55);
    await service.api('DELETE', `/gateway-captures/${second.capture_id}`);
    expect((await service.api('DELETE', `/gateway-captures/${first.capture_id}`)).status).toBe(404);
    const { entries } = (await service.api<Reply<'auditList'>>('GET', '/audit?limit=3')).body;
    expect(entries.map(({ operation }) => operation)).toEqual(['captureDelete', 'captureCreate', 'captureCreate']);
  });

  it('expects one connection or app of the account, and its limits', async () => {
    const { app, id } = await connected();
    const other = (await service.secondAccount()).key;
    for (const [body, status, field] of [
      [{}, 400, 'connection_id'],
      [{ connection_id: id, app }, 400, 'connection_id'],
      [{ connection_id: newId() }, 404, 'onnection'],
      [{ connection_id: 'x' }, 400, 'connection_id'],
      [{ app: 'no-such-app' }, 400, 'app'],
      [{ app: '' }, 400, 'app'],
      [{ app: '\0' }, 400, 'app'],
      [{ app, minutes: 0 }, 400, 'minutes'],
      [{ app, minutes: 1441 }, 400, 'minutes'],
      [{ app, minutes: '5' }, 400, 'minutes'],
      [{ app, percent: 101 }, 400, 'percent'],
      [{ app, percent: 0.5 }, 400, 'percent'],
      [{ app, more: true }, 400, 'more'],
      [[], 400, 'body'],
    ] as const) {
      const answer = await service.api('POST', '/gateway-captures', body);
      expect([body, answer.status, answer.body['message']]).toEqual([body, status, expect.stringContaining(field)]);
    }
    expect((await service.api('POST', '/gateway-captures', { connection_id: id }, { key: other })).status).toBe(404);
    const own = await capture({ connection_id: id });
    expect((await service.api('DELETE', `/gateway-captures/${own.capture_id}`, undefined, { key: other })).status).toBe(
      404,
    );
    expect((await service.api('GET', '/gateway-captures', undefined, { key: other })).body).toEqual({ captures: [] });
    expect((await service.api('DELETE', '/gateway-captures/x')).status).toBe(404);
    await through(app, '/mine');
    const { call } = await captured(app, '/mine');
    expect((await service.api('GET', `/gateway-calls/${call.call_id}`, undefined, { key: other })).status).toBe(404);
  });

  it('is limited, deleted after some days, and deleted with its connection', async () => {
    const { app, id } = await connected();
    const { db } = service.services;
    const nowMs = Date.now();
    const old = Array.from({ length: CAPTURE.calls }, (_, i) => ({
      account_id: service.account_id,
      call_id: newId(nowMs - i - 1),
      connection_id: id,
      request: '{}',
      response: null,
      bytes: 2,
    }));
    await db.insertInto('captured_calls').values(old).execute();
    await capture({ app });
    await through(app, '/newest');
    await captured(app, '/newest');
    const count = async () =>
      (await db.selectFrom('captured_calls').select('call_id').where('account_id', '=', service.account_id).execute())
        .length;
    expect(await count()).toBe(CAPTURE.calls);
    const stale = { account_id: service.account_id, connection_id: id, request: '{}', response: null, bytes: 2 };
    const call_id = '00000000-0000-7000-8000-000000000000';
    await db
      .insertInto('captured_calls')
      .values({ ...stale, call_id })
      .execute();
    await db
      .insertInto('refused_calls')
      .values({
        account_id: service.account_id,
        call_id,
        connection_id: null,
        run_id: null,
        key_id: null,
        key_name: null,
        app: null,
        method: 'GET',
        path: '/',
        status: 400,
        error: 'old',
        request_id: null,
        calls: 1,
        last_at: '2020-01-01T00:00:00.000000Z',
      })
      .execute();
    await sweep(service.services);
    expect(await count()).toBe(CAPTURE.calls);
    expect(await db.selectFrom('refused_calls').selectAll().where('call_id', '=', call_id).execute()).toEqual([]);
    await service.api('DELETE', `/connections/${id}`);
    expect(await db.selectFrom('captured_calls').select('call_id').where('connection_id', '=', id).execute()).toEqual(
      [],
    );
  });
});
