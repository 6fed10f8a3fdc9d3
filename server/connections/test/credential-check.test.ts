/** Entered credentials are checked before a connection is ACTIVE, and fail it if the app keeps returning 401. */
import type { ServerResponse } from 'node:http';
import { beforeEach, describe, expect, it } from 'vitest';
import { forAll, serviceForAll } from '../../test/shared-set-up.ts';
import { type Connection, getConnection, newConnection, onLink, tokenOf } from './connecting.ts';
import { addCustomApp, connectBy, startApp, tryConnect } from './custom-support.ts';
import { addMcpApp, connectMcp, startGuard, startToolServer } from './mcp-support.ts';

/** The responses of the app by path, and its requests. */
let answers: Record<string, (res: ServerResponse, authorization: string) => void> = {};
let asked: string[] = [];
const app = forAll(() =>
  startApp((req, res) => {
    const { authorization = '' } = req.headers;
    asked.push(`${req.method} ${req.url} ${authorization}`);
    const answer = answers[req.url ?? ''] ?? ((each: ServerResponse) => void each.end('{}'));
    req.resume().on('end', () => answer(res, authorization));
  }),
);
const service = serviceForAll();
beforeEach(() => {
  answers = {};
  asked = [];
});

const place = { in: 'header', name: 'Authorization', template: 'Bearer {api_key}' };
const PROBED = { probe: { path: '/me' } };
const keyed = (more: object = PROBED) => addCustomApp(service, app.url, [{ method: 'API_KEY', place }], more);
const status =
  (code: number, body = '{}') =>
  (res: ServerResponse) =>
    void res.writeHead(code, { 'content-type': 'application/json' }).end(body);
const good = (right: string) => (res: ServerResponse, authorization: string) =>
  void res.writeHead(authorization === right ? 200 : 401).end('{}');
const read = async (id: string) => getConnection(service, id);
const session = async (connection: Connection) =>
  (await onLink(service, tokenOf(connection.url))).body['session'] as { finished: boolean };

describe('submitted credentials', () => {
  it('that the app rejects twice don’t connect; the same link accepts other ones', async () => {
    answers['/me'] = good('Bearer right');
    const id = await newConnection(service, await keyed());
    const token = tokenOf((await read(id)).url);
    const submit = (api_key: string) => onLink(service, token, { method: 'API_KEY', fields: { api_key } });
    const refused = await submit('wrong');
    expect([refused.status, refused.body['message']]).toEqual([
      400,
      expect.stringMatching(/^Custom \d+ rejected these credentials \(401\)\. Check them and enter them again\.$/),
    ]);
    expect(asked).toEqual(['GET /me Bearer wrong', 'GET /me Bearer wrong']);
    const before = await read(id);
    expect(before.status).toBe('PENDING');
    expect(before.metadata['last_error']).toEqual({
      code: 'INVALID_CREDENTIALS',
      message: refused.body['message'],
      time: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect((await submit('right')).status).toBe(200);
    expect(await read(id)).toMatchObject({ status: 'ACTIVE', metadata: {} });
    expect((await read(id)).metadata).toEqual({});
  });

  it('are checked twice before they count as rejected', async () => {
    let first = true;
    answers['/me'] = (res) => {
      res.writeHead(first ? 401 : 200).end('{}');
      first = false;
    };
    const id = await connectBy(service, await keyed(), 'API_KEY', { api_key: 'k' });
    expect((await read(id)).metadata).toEqual({});
  });

  it('with user name and password are checked', async () => {
    const right = `Basic ${Buffer.from('ana:pass word ').toString('base64')}`;
    answers['/me'] = good(right);
    const name = await addCustomApp(service, app.url, [{ method: 'BASIC' }], PROBED);
    const wrong = await tryConnect(service, name, 'BASIC', { username: 'ana', password: 'pass word' });
    expect([wrong.status, (await read(wrong.id)).status]).toEqual([400, 'PENDING']);
    const id = await connectBy(service, name, 'BASIC', { username: 'ana', password: 'pass word ' });
    expect((await read(id)).status).toBe('ACTIVE');
  });

  it('with a signing key are checked', async () => {
    answers['/me'] = status(401);
    const name = await addCustomApp(service, app.url, [{ method: 'JWT', algorithm: 'HS256' }], PROBED);
    const wrong = await tryConnect(service, name, 'JWT', { key: 'a shared secret of some length, 32 bytes' });
    expect([wrong.status, (await read(wrong.id)).status]).toEqual([400, 'PENDING']);
  });

  it.each([
    ['{"error":"invalid_api_key"}'],
    ['{"message":"The API key is not valid."}'],
    ['{"error":{"code":"AuthenticationFailed"}}'],
    ['Bad credentials'],
  ])('are rejected by a 403 that mentions them: %s', async (body) => {
    answers['/me'] = status(403, body);
    const { status: got, message } = await tryConnect(service, await keyed(), 'API_KEY', { api_key: 'k' });
    expect([got, message]).toEqual([400, expect.stringContaining('rejected these credentials (403).')]);
    expect(asked).toHaveLength(2);
  });

  it.each<[string, (res: ServerResponse) => void, string]>([
    ['403', status(403), 'returned 403: the credentials may be valid'],
    ['403 about a scope', status(403, '{"error":"token is invalid for this scope"}'), 'returned 403'],
    ['404', status(404), 'returned 404'],
    ['429', status(429), 'returned 429'],
    ['500', status(500), 'returned 500'],
    ['503', status(503), 'returned 503'],
    ['a redirect', (res) => void res.writeHead(302, { location: '/login' }).end(), 'returned 302'],
    ['a connection that breaks', (res) => void res.destroy(), 'could not be reached'],
  ])('are saved as unconfirmed after %s', async (_, how, words) => {
    answers['/me'] = how;
    const id = await newConnection(service, await keyed());
    const { url } = await read(id);
    const done = await onLink(service, tokenOf(url), { method: 'API_KEY', fields: { api_key: 'k' } });
    const said = expect.stringMatching(
      new RegExp(`^Credentials saved; Custom \\d+ could not confirm them\\. .*${words}`),
    );
    expect([done.status, done.body['session']]).toMatchObject([
      200,
      { finished: true, unconfirmed: { asked: true, message: said } },
    ]);
    expect(await read(id)).toMatchObject({
      status: 'ACTIVE',
      metadata: { unconfirmed: { message: said, time: expect.any(String) } },
    });
  });

  it('are confirmed by the first successful call, and by a test', async () => {
    answers['/me'] = status(503);
    const name = await keyed();
    const called = await connectBy(service, name, 'API_KEY', { api_key: 'k' });
    const tested = await connectBy(service, name, 'API_KEY', { api_key: 'k' });
    const fails = () =>
      service.api('GET', `/${name}/missing`, undefined, { headers: { 'service-connection': called } });
    answers['/missing'] = status(404);
    expect((await fails()).status).toBe(404);
    expect((await read(called)).metadata).toHaveProperty('unconfirmed');
    answers = {};
    await service.api('GET', `/${name}/x`, undefined, { headers: { 'service-connection': called } });
    await expect.poll(async () => (await read(called)).metadata).toEqual({});
    const { body } = await service.api<{ connection: Connection }>('POST', `/connections/${tested}:test`);
    expect(body.connection.metadata).toEqual({});
  });

  it('of an app without a probe are saved, with a message', async () => {
    const id = await newConnection(service, await keyed({}));
    const { url } = await read(id);
    const done = await onLink(service, tokenOf(url), { method: 'API_KEY', fields: { api_key: 'k' } });
    expect(done.body['session']).toMatchObject({
      unconfirmed: {
        asked: false,
        message: expect.stringMatching(/has no request that checks credentials, so they were saved without a check\.$/),
      },
    });
    expect([await read(id), asked]).toMatchObject([{ status: 'ACTIVE', metadata: {} }, []]);
  });

  it('that are rejected don’t change a working connection', async () => {
    answers['/me'] = good('Bearer right');
    const id = await connectBy(service, await keyed(), 'API_KEY', { api_key: 'right' });
    const { url } = await read(id);
    expect((await onLink(service, tokenOf(url), { method: 'API_KEY', fields: { api_key: 'wrong' } })).status).toBe(400);
    const after = await read(id);
    expect(after).toMatchObject({ status: 'ACTIVE', metadata: { last_error: { code: 'INVALID_CREDENTIALS' } } });
    expect((await session(after)).finished).toBe(false);
  });

  it('appear in no response and no log', async () => {
    answers['/me'] = (res, authorization) => void res.writeHead(403).end(`invalid token ${authorization}`);
    const { id, message } = await tryConnect(service, await keyed(), 'API_KEY', { api_key: 'sk_neverShown77' });
    expect(message + JSON.stringify(await read(id)) + service.logged()).not.toContain('sk_neverShown77');
  });
});

describe('a key that the app no longer accepts', () => {
  const call = (name: string, path = '/x') => service.api('GET', `/${name}${path}`);
  const statusOf = async (id: string) => (await read(id)).status;
  const refusalsOf = async (id: string) =>
    (
      await service.services.db
        .selectFrom('connections')
        .select('refusals')
        .where('connection_id', '=', id)
        .executeTakeFirstOrThrow()
    ).refusals;

  it('fails the connection at the third consecutive 401, and callers get each 401 unchanged', async () => {
    const name = await keyed({});
    const id = await connectBy(service, name, 'API_KEY', { api_key: 'k' });
    answers['/x'] = status(401, '{"native":"no"}');
    for (const count of [1, 2]) {
      expect(await call(name)).toMatchObject({ status: 401, body: { native: 'no' } });
      await expect.poll(() => refusalsOf(id)).toBe(count);
    }
    expect(await statusOf(id)).toBe('ACTIVE');
    expect(await call(name)).toMatchObject({ status: 401, body: { native: 'no' } });
    await expect.poll(() => statusOf(id)).toBe('FAILED');
    expect((await read(id)).metadata).toMatchObject({
      failure: {
        code: 'INVALID_CREDENTIALS',
        message: expect.stringMatching(/^Custom \d+ returned 401 for the last 3 calls/),
      },
    });
    expect((await call(name)).body['message']).toContain('There is no ACTIVE connection');
    const { body } = await service.api<{ audit: { operation: string; actor_name: string }[] }>(
      'GET',
      `/audit?resource_id=${id}`,
    );
    expect(JSON.stringify(body)).toContain('connectionRefused');
    // The same link path as any other failure.
    const { url } = await read(id);
    answers = {};
    expect((await onLink(service, tokenOf(url), { method: 'API_KEY', fields: { api_key: 'new' } })).status).toBe(200);
    expect([await statusOf(id), await refusalsOf(id), (await call(name)).status]).toEqual(['ACTIVE', 0, 200]);
  });

  it('is not assumed after 401s with other responses in between', async () => {
    const name = await keyed({});
    const id = await connectBy(service, name, 'API_KEY', { api_key: 'k' });
    answers['/x'] = status(401);
    answers['/other'] = status(404);
    for (let round = 1; round <= 3; round++) {
      for (const count of [1, 2]) {
        await call(name);
        await expect.poll(() => refusalsOf(id)).toBe(count);
      }
      await call(name, '/other');
      await expect.poll(() => refusalsOf(id)).toBe(0);
    }
    expect(await statusOf(id)).toBe('ACTIVE');
  });

  it('is counted correctly for concurrent calls', async () => {
    const name = await keyed({});
    const id = await connectBy(service, name, 'API_KEY', { api_key: 'k' });
    answers['/x'] = status(401);
    await Promise.all(Array.from({ length: 20 }, () => call(name)));
    await expect.poll(() => statusOf(id)).toBe('FAILED');
    const rows = (await service.api('GET', `/audit?resource_id=${id}`)).body;
    expect(JSON.stringify(rows).match(/connectionRefused/g)).toHaveLength(1);
  });

  it('is not assumed if the probe succeeds', async () => {
    const name = await keyed();
    const id = await connectBy(service, name, 'API_KEY', { api_key: 'k' });
    answers['/x'] = status(401);
    for (let i = 0; i < 3; i++) {
      await call(name);
      await expect.poll(() => refusalsOf(id)).toBe((i + 1) % 3);
    }
    expect(await statusOf(id)).toBe('ACTIVE');
    answers['/me'] = status(401);
    expect(await statusOf(id)).toBe('ACTIVE');
  });

  it('fails the connection if the probe is also rejected', async () => {
    const name = await keyed();
    const id = await connectBy(service, name, 'API_KEY', { api_key: 'k' });
    answers['/x'] = status(401);
    answers['/me'] = status(401);
    for (let i = 0; i < 3; i++) await call(name);
    await expect.poll(() => statusOf(id)).toBe('FAILED');
  });

  it('is counted for user names and passwords, and for the static token of an MCP server', async () => {
    const basic = await addCustomApp(service, app.url, [{ method: 'BASIC' }]);
    const id = await connectBy(service, basic, 'BASIC', { username: 'a', password: 'b' });
    answers['/x'] = status(401);
    for (let i = 0; i < 3; i++) await call(basic);
    await expect.poll(() => statusOf(id)).toBe('FAILED');

    const server = await startToolServer(() => ({ tools: [{ name: 'echo', inputSchema: { type: 'object' } }] }));
    let allowed = true;
    const guard = await startGuard(server.url, (token) => allowed && token === 'fixed');
    const mcp = await addMcpApp(service, guard.url, 'token');
    const of = await connectMcp(service, mcp, { token: 'fixed' });
    allowed = false;
    const tool = () => service.api('POST', `/${mcp}/echo`, {}, { headers: { 'service-connection': of } });
    for (let i = 0; i < 3; i++) expect((await tool()).status).toBeGreaterThanOrEqual(400);
    await expect.poll(() => statusOf(of)).toBe('FAILED');
    await Promise.all([guard.close(), server.close()]);
  });

  it('notifies open consoles', async () => {
    const name = await keyed({});
    const id = await connectBy(service, name, 'API_KEY', { api_key: 'k' });
    const changes: unknown[] = [];
    const abort = new AbortController();
    const response = await fetch(`${service.url}/api/events:stream`, {
      headers: { authorization: `Bearer ${service.key}` },
      signal: abort.signal,
    });
    const reading = (async () => {
      for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) changes.push(chunk);
    })().catch(() => undefined);
    answers['/x'] = status(401);
    for (let i = 0; i < 3; i++) await call(name);
    await expect.poll(() => changes.join('')).toContain(`"connection_id":"${id}","status":"FAILED"`);
    abort.abort();
    await reading;
  });
});
