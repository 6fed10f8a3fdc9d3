/** The request builder: sends a request as written, with a connection's credentials; returns the full response. */
import type { ServerResponse } from 'node:http';
import { createServer, type Socket } from 'node:net';
import zlib from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getConnection, newConnection } from '../../connections/test/connecting.ts';
import { addCustomApp, connectBy, type Received, startApp } from '../../connections/test/custom-support.ts';
import { choose } from '../../connections/upstream/choose.ts';
import { callApp } from '../../connections/upstream/upstream-call.ts';
import { invite, signIn } from '../../test/browser.ts';
import { echoForAll, serviceForAll } from '../../test/shared-set-up.ts';
import { type RawUpstream, startRawUpstream } from './raw-upstream.ts';

type Response = {
  status: number;
  reason: string;
  headers: [string, string][];
  body: string;
  body_encoding: 'utf8' | 'base64';
  bytes: number;
  truncated: boolean;
};
type Answer = {
  response: Response | null;
  error: { code: number; message: string } | null;
  timing: { connected_ms: number | null; first_byte_ms: number | null; total_ms: number };
  message: string;
};

const echo = echoForAll();
const service = serviceForAll();
let echoing: string;
beforeAll(async () => {
  echoing = await connected(echo.url);
});

const place = { in: 'header', name: 'Authorization', template: 'Bearer {api_key}' };
const KEY = 'sk_live_0123456789';
async function connected(url: string, more: object = {}) {
  const app = await addCustomApp(service, url, [{ method: 'API_KEY', place }], more);
  return connectBy(service, app, 'API_KEY', { api_key: KEY });
}
const send = (id: string, body: object, key = service.key) =>
  service.api<Answer>('POST', `/connections/${id}:request`, body, { key });
const receivedBy = ({ response }: Answer) => JSON.parse(response?.body ?? '') as Received;

describe('a request', () => {
  it('is sent as written, with the credentials of the connection', async () => {
    const { status, body } = await send(echoing, {
      method: 'POST',
      path: '/a/../b%2Fc?q=a+b&q=%FF',
      headers: [
        ['X-One', '1'],
        ['Content-Type', 'text/plain'],
        ['Content-Length', '999'],
      ],
      body: 'Grüße',
    });
    expect(status).toBe(200);
    expect(body.error).toBeNull();
    expect(receivedBy(body)).toMatchObject({
      method: 'POST',
      url: '/a/../b%2Fc?q=a+b&q=%FF',
      body: 'Grüße',
      headers: { authorization: `Bearer ${KEY}`, 'x-one': '1', 'content-length': '7', host: new URL(echo.url).host },
    });
    const { connected_ms, first_byte_ms, total_ms } = body.timing;
    expect(connected_ms).toBeLessThanOrEqual(first_byte_ms ?? 0);
    expect(first_byte_ms).toBeLessThanOrEqual(total_ms);
  });

  it('drops the same headers as the gateway', async () => {
    const { body } = await send(echoing, {
      method: 'GET',
      path: '/',
      headers: [
        ['Authorization', 'Basic x'],
        ['Cookie', 'sluice_session=1'],
        ['Host', 'elsewhere.example.com'],
        ['Service-Connection', echoing],
        ['Proxy-Authorization', 'x'],
        ['Connection', 'x-hop'],
        ['X-Hop', '1'],
        ['Content-Length', '400'],
        ['Transfer-Encoding', 'chunked'],
        ['Expect', '100-continue'],
        ['X-Stays', 'é'],
      ],
    });
    const { headers } = receivedBy(body);
    expect(headers).toEqual({
      host: new URL(echo.url).host,
      authorization: `Bearer ${KEY}`,
      'x-stays': 'é',
      connection: expect.any(String),
    });
  });

  it('can have a body of any bytes', async () => {
    const bytes = Buffer.from([0, 255, 13, 10]);
    const { body } = await send(echoing, {
      method: 'PUT',
      path: '/',
      body: bytes.toString('base64'),
      body_encoding: 'base64',
    });
    expect(receivedBy(body).headers['content-length']).toBe('4');
  });

  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])('can be a %s', async (method) => {
    expect(receivedBy((await send(echoing, { method, path: '/x' })).body).method).toBe(method);
  });

  it('can be a HEAD', async () => {
    const { body } = await send(echoing, { method: 'HEAD', path: '/' });
    expect(body.response).toMatchObject({ status: 200, body: '', bytes: 0, truncated: false });
  });

  it('gets the headers that the app requires, unless it has them', async () => {
    const id = await connected(echo.url, { default_headers: { 'X-Version': '2' } });
    expect(receivedBy((await send(id, { method: 'GET', path: '/' })).body).headers['x-version']).toBe('2');
    const own = { method: 'GET', path: '/', headers: [['x-version', '3']] };
    expect(receivedBy((await send(id, own)).body).headers['x-version']).toBe('3');
  });

  it.each<[string, object]>([
    ['method:', { method: 'get', path: '/' }],
    ['method:', { method: 'CONNECT', path: '/' }],
    ['path:', { method: 'GET', path: 'https://elsewhere.example.com/' }],
    ['path:', { method: 'GET', path: '/a b' }],
    ['path:', { method: 'GET', path: '/\r\nX: 1' }],
    ['headers.0.0:', { method: 'GET', path: '/', headers: [['a b', '1']] }],
    ['headers.0.1:', { method: 'GET', path: '/', headers: [['a', '1\r\nX: 1']] }],
    ['headers.0.1:', { method: 'GET', path: '/', headers: [['a', '€']] }],
    ['body:', { method: 'POST', path: '/', body: 'a b', body_encoding: 'base64' }],
  ])('is rejected with %s for %j', async (field, request) => {
    const { status, body } = await send(echoing, request);
    expect([status, body.message]).toEqual([
      400,
      expect.stringMatching(new RegExp(`^${field.replaceAll('.', '\\.')}`)),
    ]);
  });

  it('requires an ACTIVE connection of the account, and write access', async () => {
    const pending = await newConnection(service, await addCustomApp(service, echo.url, [{ method: 'BASIC' }]));
    const request = { method: 'GET', path: '/' };
    expect((await send(pending, request)).body.message).toMatch(/^Expected an ACTIVE connection; this one is PENDING/);
    expect((await send(echoing, request, (await service.secondAccount()).key)).status).toBe(404);
    const who = { email: 'vera@example.com', password: 'only reads things' };
    const viewer = (await invite(await signIn(service), service, who, 'VIEWER')).browser;
    expect((await viewer.call('POST', `/connections/${echoing}:request`, request)).status).toBe(403);
  });

  it('is logged as a gateway call', async () => {
    const id = await connected(echo.url);
    await send(id, { method: 'POST', path: '/logged?secret=query', body: 'four' });
    await expect
      .poll(async () => (await service.api('GET', `/connections/${id}/calls`)).body['calls'])
      .toEqual([
        expect.objectContaining({ method: 'POST', path: '/logged', status: 200, request_bytes: 4, error: null }),
      ]);
    expect(service.logged()).not.toMatch(/secret=query|sk_live_/);
  });
});

describe('a response', () => {
  let raw: RawUpstream;
  let id: string;
  beforeAll(async () => {
    raw = await startRawUpstream();
    id = await connected(raw.url);
  });
  afterAll(() => raw.close());
  /** What the app answers, byte for byte. */
  const answered = async (text: string | Buffer) => {
    raw.answer(({ socket }) => socket.end(text));
    return (await send(id, { method: 'GET', path: '/' })).body;
  };

  it('has its headers unchanged', async () => {
    const { response } = await answered(
      'HTTP/1.1 404 Nicht da\r\nX-B: 1\r\nx-a: 2\r\nX-B: 3\r\nSet-Cookie: a=1\r\nContent-Length: 3\r\n\r\nno\n',
    );
    expect(response).toEqual({
      status: 404,
      reason: 'Nicht da',
      headers: [
        ['X-B', '1'],
        ['x-a', '2'],
        ['X-B', '3'],
        ['Set-Cookie', 'a=1'],
        ['Content-Length', '3'],
      ],
      body: 'no\n',
      body_encoding: 'utf8',
      bytes: 3,
      truncated: false,
    });
  });

  it('that redirects is not followed', async () => {
    const { response } = await answered(`HTTP/1.1 302 Found\r\nLocation: ${echo.url}/\r\nContent-Length: 0\r\n\r\n`);
    expect(response).toMatchObject({
      status: 302,
      headers: [
        ['Location', `${echo.url}/`],
        ['Content-Length', '0'],
      ],
    });
  });

  it.each(['gzip', 'br', 'zstd', 'deflate'] as const)('in %s is decoded', async (encoding) => {
    const pack = {
      gzip: zlib.gzipSync,
      br: zlib.brotliCompressSync,
      zstd: zlib.zstdCompressSync,
      deflate: zlib.deflateSync,
    };
    const bytes = pack[encoding](Buffer.from('{"a": "ü"}'));
    const head = `HTTP/1.1 200 OK\r\nContent-Encoding: ${encoding}\r\nContent-Length: ${bytes.length}\r\n\r\n`;
    const { response } = await answered(Buffer.concat([Buffer.from(head), bytes]));
    expect(response).toMatchObject({ body: '{"a": "ü"}', body_encoding: 'utf8', bytes: bytes.length });
    expect(response?.headers[0]).toEqual(['Content-Encoding', encoding]);
  });

  it('that is not text is returned as base64', async () => {
    const { response } = await answered(
      Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n'), Buffer.from([0xff, 0xfe, 0])]),
    );
    expect(response).toMatchObject({ body: '//4A', body_encoding: 'base64', bytes: 3 });
  });

  it('is limited to 1 MiB, also after decompression', async () => {
    const long = await answered(`HTTP/1.1 200 OK\r\nContent-Length: 5000000\r\n\r\n${'x'.repeat(5_000_000)}`);
    expect(long.response).toMatchObject({ bytes: 1024 * 1024, truncated: true, body_encoding: 'utf8' });
    expect(long.response?.body).toBe('x'.repeat(1024 * 1024));
    const bomb = zlib.gzipSync(Buffer.alloc(50 * 1024 * 1024, 'y'));
    const head = `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`;
    const small = await answered(Buffer.concat([Buffer.from(head), bomb]));
    expect(small.response).toMatchObject({ bytes: bomb.length, truncated: true });
    expect(small.response?.body).toBe('y'.repeat(1024 * 1024));
  });

  it('without a length is read to its end', async () => {
    const { response } = await answered('HTTP/1.1 200 OK\r\n\r\nto the end');
    expect(response).toMatchObject({ body: 'to the end', truncated: false });
  });

  it('that is interrupted is returned up to there, with the error', async () => {
    const { response, error } = await answered('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf');
    expect(response).toMatchObject({ status: 200, body: 'half', truncated: true });
    expect(error).toMatchObject({ code: 502 });
  });

  it.each<[string, (socket: Socket) => void]>([
    ['no HTTP', (socket) => void socket.end('220 smtp.example.com\r\n')],
    ['nothing', (socket) => void socket.end()],
    ['a reset', (socket) => void socket.resetAndDestroy()],
    ['headers without end', (socket) => void socket.end(`HTTP/1.1 200 OK\r\nX: ${'y'.repeat(100_000)}\r\n\r\n`)],
  ])('of %s is reported in the result, and the API call succeeds', async (_, answer) => {
    raw.answer(({ socket }) => answer(socket));
    const { status, body } = await send(id, { method: 'GET', path: '/' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      response: null,
      error: { code: 502, message: expect.stringMatching(/^The app(?: could|’s response was malformed)/) },
    });
    expect(JSON.stringify(body)).not.toContain(KEY);
  });
});

it('an unreachable app is reported as an error', async () => {
  const server = createServer();
  await new Promise<void>((ok) => server.listen(0, '127.0.0.1', ok));
  const { port } = server.address() as { port: number };
  await new Promise((ok) => server.close(ok));
  const { body } = await send(await connected(`http://127.0.0.1:${port}`), { method: 'GET', path: '/' });
  expect(body).toMatchObject({
    response: null,
    error: { code: 502, message: 'The app could not be reached (ECONNREFUSED).' },
    timing: { connected_ms: null, first_byte_ms: null },
  });
});

it('a changed key is used at once', async () => {
  const app = await addCustomApp(service, echo.url, [{ method: 'BASIC' }]);
  const id = await connectBy(service, app, 'BASIC', { username: 'a', password: 'one' });
  const sent = async () => receivedBy((await send(id, { method: 'GET', path: '/' })).body).headers['authorization'];
  expect(await sent()).toBe(`Basic ${Buffer.from('a:one').toString('base64')}`);
  await service.api('PATCH', `/apps/${app}`, { default_headers: { 'X-Later': '1' } });
  expect(receivedBy((await send(id, { method: 'GET', path: '/' })).body).headers['x-later']).toBe('1');
});

it.each<[string, (res: ServerResponse) => void]>([
  ['never answers', () => {}],
  ['stops in the middle', (res) => void res.writeHead(200, { 'content-length': '9' }).write('half')],
  [
    'drips its answer',
    (res) => {
      const timer = setInterval(() => res.write('x'), 20);
      res.on('close', () => clearInterval(timer));
    },
  ],
])('an app that %s is disconnected at the deadline', async (_, answer) => {
  const slow = await startApp((_req, res) => answer(res));
  const id = await connected(slow.url);
  const { app } = await getConnection(service, id);
  const upstream = await choose(service.services, service.account_id, app, id);
  const request = { method: 'GET', path: '/', headers: [], body: null };
  const limits = { deadlineMs: 300, maxBytes: 1024 };
  const { answer: came, failure } = await callApp(service.services, service.account_id, app, upstream, request, limits);
  expect(failure).toMatchObject({ status: 504, message: expect.stringContaining('did not respond in time') });
  expect(came?.truncated ?? true).toBe(true);
  await slow.close();
});
