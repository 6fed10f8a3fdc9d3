/** Testing credentials: the result for each response of an app, and the effect on the connection. */
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { invite, signIn } from '../../test/browser.ts';
import { startService } from '../../test/service.ts';
import { forAll, serviceForAll } from '../../test/shared-set-up.ts';
import { type Connection, getConnection, newConnection, onLink, tokenOf } from './connecting.ts';
import { addCustomApp, connectBy, startApp } from './custom-support.ts';
import { addMcpApp, connectMcp, startGuard, startToolServer } from './mcp-support.ts';

type Test = { ok: boolean | null; status: number | null; duration_ms: number | null; message: string };
type Answer = { test: Test; connection: Connection; message: string };

/** The responses of the app to the next probes, and the requested paths. */
let answer: (res: ServerResponse) => void = (res) => void res.end('{}');
let asked: string[] = [];
const app = forAll(() =>
  startApp((req, res) => {
    asked.push(`${req.method} ${req.url} ${req.headers.authorization ?? ''}`);
    req.resume().on('end', () => answer(res));
  }),
);
const service = serviceForAll();

const place = { in: 'header', name: 'Authorization', template: 'Bearer {api_key}' };
const add = (more: object = { probe: { path: '/me?fields=id' } }, url = `${app.url}/v1`) =>
  addCustomApp(service, url, [{ method: 'API_KEY', place }], more);
const test = (id: string, key = service.key) =>
  service.api<Answer>('POST', `/connections/${id}:test`, undefined, { key });
const answering = (status: number, body = '{}') => {
  asked = [];
  answer = (res) => void res.writeHead(status, { 'content-type': 'application/json' }).end(body);
};

describe('credentials', () => {
  it('are valid if the app accepts them', async () => {
    const id = await connectBy(service, await add(), 'API_KEY', { api_key: 'k' });
    answering(200);
    const { status, body } = await test(id);
    expect(status).toBe(200);
    expect(asked).toEqual(['GET /v1/me?fields=id Bearer k']);
    expect(body).toEqual({
      test: {
        ok: true,
        status: 200,
        duration_ms: expect.any(Number),
        message: expect.stringMatching(/^Custom \d+ accepted these credentials\.$/),
      },
      connection: { ...(await getConnection(service, id)), last_used_time: body.connection.last_used_time },
    });
  });

  it('are rejected after a second 401, and the connection is FAILED until it is reconnected', async () => {
    const name = await add();
    const id = await connectBy(service, name, 'API_KEY', { api_key: 'old' });
    answering(401);
    const { body } = await test(id);
    expect(asked).toEqual(['GET /v1/me?fields=id Bearer old', 'GET /v1/me?fields=id Bearer old']);
    expect(body).toMatchObject({
      test: { ok: false, status: 401, message: expect.stringMatching(/rejected these credentials \(401\)\.$/) },
      connection: {
        status: 'FAILED',
        metadata: { failure: { code: 'INVALID_CREDENTIALS', message: body.test.message } },
      },
    });
    expect((await service.api('GET', `/${name}/x`)).body['message']).toContain('There is no ACTIVE connection');
    answering(200);
    const again = await test(id);
    expect([again.status, again.body.message]).toEqual([
      400,
      'Expected an ACTIVE connection; this one is FAILED. Complete it on its url.',
    ]);
    expect(asked).toEqual([]);
    const { url } = await getConnection(service, id);
    expect((await onLink(service, tokenOf(url), { method: 'API_KEY', fields: { api_key: 'new' } })).status).toBe(200);
    expect((await test(id)).body).toMatchObject({ test: { ok: true }, connection: { status: 'ACTIVE', metadata: {} } });
  });

  it('are valid if only the first response was a 401', async () => {
    const id = await connectBy(service, await add(), 'API_KEY', { api_key: 'k' });
    answering(200);
    let first = true;
    answer = (res) => {
      res.writeHead(first ? 401 : 200).end('{}');
      first = false;
    };
    expect((await test(id)).body).toMatchObject({ test: { ok: true }, connection: { status: 'ACTIVE' } });
  });

  it.each<[string, (res: ServerResponse) => void, number | null, string]>([
    ['403', (res) => void res.writeHead(403).end(), 403, 'returned 403'],
    ['404', (res) => void res.writeHead(404).end(), 404, 'returned 404, which does not show'],
    ['302', (res) => void res.writeHead(302, { location: '/login' }).end(), 302, 'returned 302, which does not show'],
    ['408', (res) => void res.writeHead(408).end(), 408, 'returned 408'],
    ['429', (res) => void res.writeHead(429).end(), 429, 'returned 429'],
    ['500', (res) => void res.writeHead(500).end(), 500, 'returned 500'],
    ['503', (res) => void res.writeHead(503).end(), 503, 'returned 503'],
    ['a connection that breaks', (res) => void res.destroy(), null, 'The app could not be reached'],
  ])('have an unknown result after %s', async (_, how, status, words) => {
    const id = await connectBy(service, await add(), 'API_KEY', { api_key: 'k' });
    answer = how;
    const { body } = await test(id);
    expect(body.test).toMatchObject({ ok: null, status, message: expect.stringContaining(words) });
    expect(body.connection).toMatchObject({ status: 'ACTIVE', metadata: {} });
  });

  it('can be tested with a body', async () => {
    const probe = { method: 'POST', path: '/graphql', body: '{"query":"{ viewer { id } }"}' };
    const id = await connectBy(service, await add({ probe }), 'API_KEY', { api_key: 'k' });
    answering(200);
    expect((await test(id)).body.test.ok).toBe(true);
    expect(asked).toEqual(['POST /v1/graphql Bearer k']);
  });

  it('can’t be tested without a probe', async () => {
    const id = await connectBy(service, await add({}), 'API_KEY', { api_key: 'k' });
    asked = [];
    const { status, body } = await test(id);
    expect([status, body.test, asked]).toEqual([
      200,
      {
        ok: null,
        status: null,
        duration_ms: null,
        message: expect.stringMatching(/^Custom \d+ has no request that checks credentials\.$/),
      },
      [],
    ]);
  });

  it('are not sent to a blocked URL', async () => {
    const strict = await startService({ env: { SLUICE_ALLOW_PRIVATE_CIDRS: '' } });
    const host = new URL(app.url).port;
    const name = await addCustomApp(strict, `http://{host}:${host}`, [{ method: 'API_KEY', place }], {
      probe: { path: '/' },
    });
    const id = await connectBy(strict, name, 'API_KEY', { host: 'localhost', api_key: 'k' });
    asked = [];
    const { body } = await strict.api<Answer>('POST', `/connections/${id}:test`);
    expect([body.test.ok, body.test.message, asked]).toEqual([
      null,
      'The app could not be reached: its URL does not resolve to a public address.',
      [],
    ]);
    await strict.stop();
  });
});

describe('an MCP server', () => {
  const schema = { type: 'object' };
  const tools = [{ name: 'echo', inputSchema: schema }];

  it('is tested by listing its tools; a second 401 rejects the token', async () => {
    const server = await startToolServer(() => ({ tools }));
    let allowed = true;
    const guard = await startGuard(server.url, (token) => allowed && token === 'a-static-token');
    const id = await connectMcp(service, await addMcpApp(service, guard.url, 'token'), { token: 'a-static-token' });
    const good = (await test(id)).body;
    expect(good.test).toMatchObject({ ok: true, message: expect.stringMatching(/responds, and has 1 tool\.$/) });
    guard.instead = (_, res) => !!res.writeHead(503).end();
    expect((await test(id)).body).toMatchObject({ test: { ok: null }, connection: { status: 'ACTIVE' } });
    guard.instead = undefined;
    allowed = false;
    expect((await test(id)).body).toMatchObject({
      test: { ok: false, message: expect.stringMatching(/rejected these credentials \(401\)\.$/) },
      connection: { status: 'FAILED', metadata: { failure: { code: 'INVALID_CREDENTIALS' } } },
    });
    await Promise.all([guard.close(), server.close()]);
  });

  it('has a single path in the request builder', async () => {
    const server = await startToolServer(() => ({ tools }));
    const id = await connectMcp(service, await addMcpApp(service, server.url));
    const send = (path: string) =>
      service.api<{ response: { status: number; body: string }; message: string }>(
        'POST',
        `/connections/${id}:request`,
        {
          method: 'POST',
          path,
          headers: [
            ['Content-Type', 'application/json'],
            ['Accept', 'application/json, text/event-stream'],
          ],
          body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
        },
      );
    const { response } = (await send('/mcp')).body;
    expect([response.status, JSON.parse(response.body)]).toMatchObject([
      200,
      { result: { tools: [{ name: 'echo' }] } },
    ]);
    const elsewhere = await send('/echo');
    expect([elsewhere.status, elsewhere.body.message]).toEqual([400, expect.stringMatching(/^path: expected \/mcp/)]);
    await server.close();
  });
});

it('requires write access, and a connection of the account', async () => {
  const id = await connectBy(service, await add(), 'API_KEY', { api_key: 'k' });
  expect((await test(id, (await service.secondAccount()).key)).status).toBe(404);
  const who = { email: 'vera@example.com', password: 'only reads things' };
  const viewer = (await invite(await signIn(service), service, who, 'VIEWER')).browser;
  expect((await viewer.call('POST', `/connections/${id}:test`)).status).toBe(403);
  const pending = await newConnection(service, await add());
  expect((await test(pending)).body.message).toContain('this one is PENDING');
});

it('a connection that is reconnected during the test stays ACTIVE', async () => {
  const name = await add();
  const id = await connectBy(service, name, 'API_KEY', { api_key: 'old' });
  answering(401);
  let first = true;
  answer = (res) => {
    // The new key is also tested, and accepted.
    if (asked.at(-1)?.endsWith('Bearer new')) return void res.end('{}');
    if (!first) return void res.writeHead(401).end();
    first = false;
    void getConnection(service, id)
      .then(({ url }) => onLink(service, tokenOf(url), { method: 'API_KEY', fields: { api_key: 'new' } }))
      .then(() => res.writeHead(401).end());
  };
  const { body } = await test(id);
  expect(body).toMatchObject({ test: { ok: false }, connection: { status: 'ACTIVE', metadata: {} } });
});
