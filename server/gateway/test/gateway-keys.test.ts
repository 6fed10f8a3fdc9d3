/** Where the gateway accepts the account's key, and that it reaches the app in none of these places. */
import { beforeEach, describe, expect, it } from 'vitest';
import { addApp, connect } from '../../connections/test/connecting.ts';
import { addCustomApp, connectBy, startApp } from '../../connections/test/custom-support.ts';
import { forAll, serviceForAll } from '../../test/shared-set-up.ts';
import { rawCall } from './raw-upstream.ts';

/** All that the app received. */
let seen = '';
const target = forAll(() =>
  startApp((req, res) => {
    seen += `${req.method} ${req.url}\n${JSON.stringify(req.rawHeaders)}\n`;
    res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  }),
);
const service = serviceForAll();
beforeEach(() => {
  seen = '';
});

const call = (path: string, headers: Record<string, string> = {}) =>
  service.api<{ message?: string }>('GET', path, undefined, { key: null, headers });
const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
const everywhere: [string, (key: string) => Record<string, string>][] = [
  ['Bearer', (key) => ({ authorization: `Bearer ${key}` })],
  ['token', (key) => ({ authorization: `token ${key}` })],
  ['another scheme', (key) => ({ authorization: `Token token=${key}` })],
  ['no scheme', (key) => ({ authorization: key })],
  ['Basic, as the user', (key) => ({ authorization: basic(key, '') })],
  ['Basic, as the user beside a password', (key) => ({ authorization: basic(key, 'x') })],
  ['Basic, as the password', (key) => ({ authorization: basic('AC123', key) })],
  ['x-api-key', (key) => ({ 'x-api-key': key })],
  ['PRIVATE-TOKEN', (key) => ({ 'PRIVATE-TOKEN': key })],
];

describe('every app accepts the key as', () => {
  it.each(everywhere)('%s', async (_, headers) => {
    const app = await addApp(service, target.url);
    await connect(service, app, { api_key: 'ours' });
    expect((await call(`/${app}/x?a=1`, headers(service.key))).status).toBe(200);
    expect(seen).toContain('GET /x?a=1\n');
    expect(seen).toContain('"Bearer ours"');
    expect(seen).not.toContain(service.key);
    expect(seen).not.toContain(Buffer.from(service.key).toString('base64').slice(0, 30));
    expect((await call(`/${app}/x`, headers(`${service.key}0`))).status).toBe(401);
  });
});

describe('an app’s place of the credential', () => {
  it('may be a header', async () => {
    const app = await addApp(service, target.url, { in: 'header', name: 'DD-Key', template: 'v1 {api_key}' });
    await connect(service, app, { api_key: 'ours' });
    expect((await call(`/${app}/x`, { 'dd-key': `v1 ${service.key}`, 'x-more': 'kept' })).status).toBe(200);
    expect(seen).toContain('"DD-Key","v1 ours"');
    expect(seen).toContain('"x-more","kept"');
    expect(seen).not.toContain(service.key);
  });

  it('may be a query parameter', async () => {
    const app = await addApp(service, target.url, { in: 'query', name: 'api_key' });
    await connect(service, app, { api_key: 'ours' });
    expect((await call(`/${app}/x?a=%2f&api_key=${service.key}&b`)).status).toBe(200);
    expect(seen).toContain('GET /x?a=%2f&b&api_key=ours\n');
    expect(seen).not.toContain(service.key);
  });

  it('holds for a connection by another method, whose credential is elsewhere', async () => {
    const place = { in: 'header', name: 'X-Token' };
    const app = await addCustomApp(service, target.url, [{ method: 'API_KEY', place }, { method: 'BASIC' }]);
    await connectBy(service, app, 'BASIC', { username: 'u', password: 'p' });
    expect((await call(`/${app}/x`, { 'x-token': service.key })).status).toBe(200);
    expect(seen).toContain(basic('u', 'p'));
    expect(seen).not.toContain('x-token');
  });

  it('is the only other place: in any other the key is rejected, with words, and not forwarded', async () => {
    const app = await addApp(service, target.url);
    await connect(service, app, { api_key: 'ours' });
    for (const [path, headers] of [
      ['/x', { 'x-other': service.key }],
      [`/x?token=${service.key}`, {}],
    ] as const) {
      const answer = await call(`/${app}${path}`, headers);
      expect(answer.status).toBe(401);
      expect(answer.body.message).toContain(`not where ${app} expects one`);
    }
    expect((await call(`/${app}/x`, { cookie: `key=${service.key}` })).status).toBe(401);
    expect((await call(`/${app}/x`, { referer: `http://x/?k=${service.key}` })).status).toBe(401);
    expect(seen).toBe('');
  });
});

describe('a key that is sent twice', () => {
  it('leaves with neither', async () => {
    const app = await addApp(service, target.url);
    await connect(service, app, { api_key: 'ours' });
    const encoded = service.key.replace('slc_', '%73lc%5F');
    const headers = {
      authorization: `Bearer ${service.key}`,
      'x-copy': `key=${service.key}`,
      'x-api-key': service.key,
    };
    expect((await call(`/${app}/x?k=${encoded}&token=${service.key}&z=1`, headers)).status).toBe(200);
    expect(seen).toContain('GET /x?z=1\n');
    expect(seen).not.toContain(service.key);
    expect(seen).not.toContain(encoded);
    expect(seen).not.toMatch(/x-copy|x-api-key/);
  });

  it('in the path is a 400, since the path can’t be changed', async () => {
    const app = await addApp(service, target.url);
    await connect(service, app, { api_key: 'ours' });
    const answer = await call(`/${app}/bot${service.key}/me`, { authorization: `Bearer ${service.key}` });
    expect([answer.status, answer.body.message]).toEqual([
      400,
      expect.stringContaining('The path contains the API key'),
    ]);
    expect(seen).toBe('');
  });
});

it('an app’s credential in x-api-key stays, if the account’s key is the bearer', async () => {
  const app = await addApp(service, target.url);
  await connect(service, app, { api_key: 'ours' });
  await call(`/${app}/x`, { authorization: `Bearer ${service.key}`, 'x-api-key': 'something else' });
  expect(seen).toContain('"x-api-key","something else"');
});

it('a limited key has the same limits in every place', async () => {
  const app = await addApp(service, target.url, { in: 'query', name: 'k' });
  await connect(service, app, { api_key: 'ours' });
  const body = {
    name: 'Reader',
    scopes: ['gateway:call'],
    gateway: [{ app, connection_ids: null, methods: ['GET'], paths: ['/x'] }],
  };
  const { body: made } = await service.api<{ api_key: string; key: string }>('POST', '/api-keys', body);
  const key = made.key ?? made.api_key;
  expect((await call(`/${app}/x?k=${key}`)).status).toBe(200);
  expect((await call(`/${app}/y?k=${key}`)).status).toBe(403);
});

describe('a host of the gateway’s domain', () => {
  /** Sends a request with this Host, whose name need not resolve. */
  async function at(host: string, path: string, headers: string[] = []): Promise<string> {
    const lines = [`GET ${path} HTTP/1.1`, `Host: ${host}`, `Authorization: Bearer ${service.key}`, ...headers];
    return rawCall(service.port, `${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`).until((caller) =>
      caller.ended(),
    );
  }

  it('names an app, at any port', async () => {
    const app = await addApp(service, `${target.url}/v2`);
    await connect(service, app, { api_key: 'ours' });
    expect(await at(`${app}.gw.localhost:${service.port}`, '/items?a=1')).toContain('HTTP/1.1 200 OK');
    expect(await at(`${app.toUpperCase()}.gw.localhost`, '/healthz')).toContain('HTTP/1.1 200 OK');
    expect(seen).toContain('GET /v2/items?a=1\n');
    expect(seen).toContain('GET /v2/healthz\n');
  });

  it('has the paths of the app, so that its redirects and links work', async () => {
    const app = await addApp(service, `${target.url}/v2`);
    await connect(service, app, { api_key: 'ours' });
    await at(`${app}.gw.localhost`, '/v2/items');
    await at(`${app}.gw.localhost`, '/v2?a');
    await at(`${app}.gw.localhost`, '/v22');
    expect(seen.match(/GET .*/g)).toEqual(['GET /v2/items', 'GET /v2?a', 'GET /v2/v22']);
  });

  it('names a connection', async () => {
    const app = await addApp(service, target.url);
    await connect(service, app, { api_key: 'first' });
    const second = await connect(service, app, { api_key: 'second' });
    expect(await at(`${second}.gw.localhost`, '/x')).toContain('HTTP/1.1 200 OK');
    expect(seen).toContain('Bearer second');
    expect(await at(`${second}.gw.localhost`, '/x', [`Service-Connection: ${second}`])).toContain('200 OK');
    const other = await at(`${second}.gw.localhost`, '/x', [`Service-Connection: ${crypto.randomUUID()}`]);
    expect(other).toContain('Service-Connection: expected the connection of the host');
    expect(await at(`${crypto.randomUUID()}.gw.localhost`, '/x')).toContain('HTTP/1.1 404');
  });

  it('is never another account’s connection', async () => {
    const app = await addApp(service, target.url);
    const id = await connect(service, app, { api_key: 'ours' });
    const { key } = await service.secondAccount();
    const lines = ['GET /x HTTP/1.1', `Host: ${id}.gw.localhost`, `Authorization: Bearer ${key}`, 'Connection: close'];
    const answer = await rawCall(service.port, `${lines.join('\r\n')}\r\n\r\n`).until((caller) => caller.ended());
    expect(answer).toContain('HTTP/1.1 404');
    expect(seen).toBe('');
  });

  it('needs a key as elsewhere, and serves neither console nor API', async () => {
    const request = `GET /api/connections HTTP/1.1\r\nHost: github.gw.localhost\r\nConnection: close\r\n\r\n`;
    const answer = await rawCall(service.port, request).until((caller) => caller.ended());
    expect(answer).toContain('HTTP/1.1 401');
    expect(await at('gw.localhost', '/')).toContain('HTTP/1.1 421');
    expect(await at('a.b.c.gw.localhost', '/')).toContain('HTTP/1.1 421');
  });

  it('keeps the limits of a key, whichever way a path is written', async () => {
    const app = await addApp(service, `${target.url}/v2`);
    await connect(service, app, { api_key: 'ours' });
    const rule = { app, connection_ids: null, methods: ['GET'], paths: ['/x'] };
    const { body } = await service.api<{ key: string; api_key: string }>('POST', '/api-keys', {
      name: 'Narrow',
      scopes: ['gateway:call'],
      gateway: [rule],
    });
    const limited = (path: string) =>
      rawCall(
        service.port,
        `GET ${path} HTTP/1.1\r\nHost: ${app}.gw.localhost\r\nAuthorization: Bearer ${body.key ?? body.api_key}\r\nConnection: close\r\n\r\n`,
      ).until((caller) => caller.ended());
    expect(await limited('/x')).toContain('200 OK');
    expect(await limited('/v2/x')).toContain('200 OK');
    expect(await limited('/y')).toContain('HTTP/1.1 403');
    expect(await limited('/v2/y')).toContain('HTTP/1.1 403');
  });
});
