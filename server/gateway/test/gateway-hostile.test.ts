/** Malicious, slow and malformed callers: the app sees nothing of their requests. */
import { createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { addConnectedApp, getConnection, newConnection, onLink, tokenOf } from '../../connections/test/connecting.ts';
import { type Service, startService } from '../../test/service.ts';
import { rawCall } from './raw-upstream.ts';

const LIMITS = { uploadIdleMs: 300, connections: 2, waiting: 1, waitMs: 300 };

/** An app that records all bytes, and responds to each request head unless instructed not to. */
let app: string;
let url: string;
let received = '';
let silent = false;
let target: Server;
const sockets = new Set<Socket>();
let service: Service;
beforeAll(async () => {
  target = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      if (!silent && received.endsWith('\r\n\r\n')) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    });
  });
  await new Promise<void>((ok) => target.listen(0, '127.0.0.1', ok));
  const address = target.address();
  service = await startService({ gateway: LIMITS, slowHeadersMs: 1000 });
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  app = await addConnectedApp(service, url);
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await service.stop();
  target.close();
});
beforeEach(() => {
  received = '';
  silent = false;
});

const head = (method: string, lines: string[], path = '/x', to = { app, key: service.key }) =>
  [
    `${method} /api/${to.app}${path} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${to.key}`,
    ...lines,
    '',
    '',
  ].join('\r\n');
/** All data received until the connection closes. */
async function send(request: string) {
  const caller = rawCall(service.port, Buffer.from(request, 'latin1'));
  return caller.until(() => false);
}

it('trailers are forwarded, except credentials and hop-by-hop ones', async () => {
  silent = true;
  const trailers = [
    'X-Sum: 5',
    'Authorization: evil',
    'Service-Connection: c',
    'Proxy-X: p',

    'TE: x',
  ];
  const caller = rawCall(
    service.port,
    `${head('POST', ['Transfer-Encoding: chunked'])}5\r\nhello\r\n0\r\n${trailers.join('\r\n')}\r\n\r\n`,
  );
  await expect.poll(() => received).toContain('X-Sum');
  expect(received.slice(received.indexOf('\r\n\r\n'))).toBe('\r\n\r\n5\r\nhello\r\n0\r\nX-Sum: 5\r\n\r\n');
  caller.socket.destroy();
});

describe('unsupported methods', () => {
  it('TRACE is rejected: it would reveal the app’s key', async () => {
    const answer = await service.api('GET', `/${app}/x`);
    expect(answer.status).toBe(200);
    received = '';
    const caller = rawCall(service.port, head('TRACE', []));
    const got = await caller.until(({ got }) => got().includes('}'));
    caller.socket.destroy();
    expect(got).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n/);
    expect(got).toMatch(/\r\nAllow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS\r\n/);
    expect(received).toBe('');
  });

  it.each(['example.com:443', '127.0.0.1:22'])('CONNECT to %s is rejected', async (to) => {
    const got = await send(`CONNECT ${to} HTTP/1.1\r\nHost: ${to}\r\nAuthorization: Bearer ${service.key}\r\n\r\n`);
    expect(got).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n/);
    expect(got).toMatch(/\r\nAllow: GET, /);
    expect(got).toMatch(/"code":405/);
  });
});

describe('ambiguous requests', () => {
  const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n';
  it.each<[string, string[], string]>([
    ['a length and chunks', ['Content-Length: 4', 'Transfer-Encoding: chunked'], `0\r\n\r\n${smuggled}`],
    ['chunks and a length', ['Transfer-Encoding: chunked', 'Content-Length: 4'], `0\r\n\r\n${smuggled}`],
    ['two lengths', ['Content-Length: 0', 'Content-Length: 40'], smuggled],
    ['a length with a sign', ['Content-Length: +40'], smuggled],
    ['a length in hexadecimal', ['Content-Length: 0x10'], smuggled],
    ['a list of lengths', ['Content-Length: 4, 4'], `body${smuggled}`],
    ['a coding that only ends in chunks', ['Transfer-Encoding: xchunked'], `0\r\n\r\n${smuggled}`],
    ['chunks that are not last', ['Transfer-Encoding: chunked, identity'], `0\r\n\r\n${smuggled}`],
    ['a space before the colon', ['Transfer-Encoding : chunked'], `0\r\n\r\n${smuggled}`],
    ['a space before the name', [' Transfer-Encoding: chunked'], `0\r\n\r\n${smuggled}`],
    ['a folded header', ['X-A: 1', ' Content-Length: 40'], smuggled],
    ['a bare line feed', ['X-A: 1\nContent-Length: 40'], smuggled],
    ['a bare carriage return', ['X-A: 1\rContent-Length: 40'], smuggled],
    ['a NUL', ['X-A: \0'], ''],
    ['a name that is none', ['X A: 1'], ''],
  ])('%s is a 400, and not forwarded', async (_, lines, rest) => {
    const got = await send(head('POST', lines) + rest);
    expect(got).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(got.match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(received).toBe('');
  });

  it.each([
    ['a chunk whose length is no number', 'zz\r\nbody\r\n0\r\n\r\n'],
    ['a chunk that is longer than it says', `1\r\nbody\r\n0\r\n\r\n${smuggled}`],
    ['a chunk’s length with a bare line feed', `4\nbody\r\n0\r\n\r\n${smuggled}`],
    ['a chunk’s length that overflows', `fffffffffffffffff\r\nbody\r\n0\r\n\r\n`],
  ])('%s ends the call, without a complete request at the app', async (_, body) => {
    silent = true;
    const start = head('POST', ['Transfer-Encoding: chunked']);
    expect(await send(start + body)).not.toMatch(/ 200 /);
    expect(received).toBe('');
    const caller = rawCall(service.port, `${start}1\r\n_\r\n`);
    await expect.poll(() => received).toContain('\r\n1\r\n_\r\n');
    caller.socket.write(body, 'latin1');
    expect(await caller.until(() => false)).not.toMatch(/ 200 /);
    await expect.poll(() => sockets.size).toBe(0);
    expect(received).not.toMatch(/\r\n0\r\n\r\n|smuggled/);
  });

  it.each([
    ['the gateway', `/api/APP/x`, ''],
    ['the gateway, for a WebSocket', `/api/APP/x`, 'Connection: Upgrade\r\nUpgrade: websocket\r\n'],
    ['the API', '/api/connections', ''],
    ['the console', '/', ''],
  ])('two Host headers are a 400 for %s', async (_, path, lines) => {
    const got = await send(
      `GET ${path.replace('APP', app)} HTTP/1.1\r\nHost: localhost\r\n${lines || 'Connection: close\r\n'}Authorization: Bearer ${service.key}\r\nhost: localhost\r\n\r\n`,
    );
    expect(got).toMatch(/^HTTP\/1\.1 400 /);
    expect(got).toContain('Host: expected one');
    expect(received).toBe('');
  });

  const absolute = (target: string, lines = ['Host: localhost'], version = '1.1') =>
    send(
      [`GET ${target} HTTP/${version}`, ...lines, ...head('GET', ['Connection: close']).split('\r\n').slice(2)].join(
        '\r\n',
      ),
    );

  it.each([
    ['http://127.0.0.1/api/APP/x%2Fy?a=%20', '1.1', ['Host: localhost']],
    ['HTTPS://localhost:8443/api/APP/x%2Fy?a=%20', '1.1', ['Host: evil.test']],
    ['http://[::1]:80/api/APP/x%2Fy?a=%20', '1.0', []],
  ])('a URL in absolute form is forwarded by its path: %s', async (target, version, lines) => {
    const got = await absolute(target.replace('APP', app), lines, version);
    expect(got).toMatch(/^HTTP\/1\.1 200 /);
    expect(received).toMatch(/^GET \/x%2Fy\?a=%20 HTTP\/1\.1\r\n/);
    expect(received).toMatch(/\r\nhost: 127\.0\.0\.1:\d+\r\n/);
    expect(received).not.toMatch(/evil|\r\nhost: localhost/i);
  });

  it('a URL without a path is the root', async () => {
    expect(await absolute('http://127.0.0.1')).toMatch(/^HTTP\/1\.1 404 .*Nothing is served at \/\. /s);
    expect(await absolute('http://127.0.0.1?a=/api/x')).toMatch(/^HTTP\/1\.1 404 .*Nothing is served at \/\. /s);
  });

  it.each([
    ['of another scheme', 'ftp://127.0.0.1/api/APP/x', ['Host: localhost']],
    ['without a host', 'http:///api/APP/x', ['Host: localhost']],
    ['with a user', 'http://x@127.0.0.1/api/APP/x', ['Host: localhost']],
    ['that others read in another way', 'http://x\\@127.0.0.1/api/APP/x', ['Host: localhost']],
    ['with a fragment', 'http://127.0.0.1/api/APP/x#y', ['Host: localhost']],
    ['beside two hosts', 'http://127.0.0.1/api/APP/x', ['Host: 127.0.0.1', 'Host: 127.0.0.1']],
    ['beside no host', 'http://127.0.0.1/api/APP/x', []],
    ['that is a path alone', 'api/APP/x', ['Host: localhost']],
  ])('a URL %s is not forwarded', async (_, target, lines) => {
    expect(await absolute(target.replace('APP', app), lines)).toMatch(/^HTTP\/1\.1 400 /);
    expect(received).toBe('');
  });
});

describe('headers', () => {
  it('over 64 KB are rejected', async () => {
    expect(await send(head('GET', [`X-Big: ${'b'.repeat(70_000)}`]))).toMatch(/^HTTP\/1\.1 431 /);
    expect(received).toBe('');
  });

  it('can’t be injected by a field of a connection', async () => {
    const id = await newConnection(service, app);
    const { url } = await getConnection(service, id);
    const answer = await onLink(service, tokenOf(url), { method: 'API_KEY', fields: { api_key: 'k\r\nX-Evil: 1' } });
    if (answer.status === 200) {
      const call = await service.api('GET', `/${app}/x`, undefined, { headers: { 'service-connection': id } });
      expect(call.status).toBe(400);
    }
    expect(received).not.toContain('X-Evil');
  });

  it('named in Connection can’t remove the app’s key', async () => {
    const caller = rawCall(service.port, head('GET', ['Connection: close, Authorization, Host, Content-Length']));
    await caller.until(({ got }) => got().endsWith('ok'));
    expect(received).toMatch(/\r\nAuthorization: Bearer upstream-secret\r\n/);
    expect(received).toMatch(/\r\nhost: 127\.0\.0\.1:\d+\r\n/);
  });
});

describe('slow callers', () => {
  it('that don’t finish their headers are disconnected', async () => {
    const got = await send(`GET /api/${app}/x HTTP/1.1\r\nHost: localhost\r\nX-A`);
    expect(got).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(received).toBe('');
  });

  it('that stop within a body get a 408, and the request to the app is aborted', async () => {
    silent = true;
    const got = await send(`${head('POST', ['Content-Length: 100'])}half`);
    expect(got).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(got).toMatch(/body stalled.*"code":408/);
    expect(received).toContain('half');
    await expect.poll(() => sockets.size).toBe(0);
  });

  it('that have sent everything wait until the app’s timeout', async () => {
    silent = true;
    const caller = rawCall(service.port, `${head('POST', ['Content-Length: 4'])}body`);
    await expect.poll(() => received).toContain('body');
    // Another caller stalls within its body: after its timeout, this one still waits.
    expect(await send(`${head('POST', ['Content-Length: 100'])}half`)).toMatch(/^HTTP\/1\.1 408 /);
    expect(caller.ended()).toBe(false);
    caller.socket.destroy();
  });
});

describe('an app that hangs', () => {
  /** As many calls as it gets at most. */
  async function fill(port: number, to?: Parameters<typeof head>[3]) {
    silent = true;
    const going = [0, 1].map(() => rawCall(port, head('GET', [], '/x', to)));
    await expect.poll(() => received.match(/GET \/x/g)?.length).toBe(2);
    return going;
  }

  it('gets a bounded number of calls; one more waits, and gets a 503 with Retry-After after a while', async () => {
    const going = await fill(service.port);
    const waits = rawCall(service.port, head('GET', [], '/waits'));
    const late = await waits.until(({ got }) => got().includes('}'));
    expect(late).toMatch(/^HTTP\/1\.1 503 /);
    expect(late).toMatch(/\r\nRetry-After: 1\r\n/);
    silent = false;
    expect(received).not.toContain('/waits');
    for (const { socket } of [...going, waits]) socket.destroy();
    await expect.poll(() => service.api('GET', `/${app}/x`).then(({ status }) => status)).toBe(200);
  });

  it('gets the waiting call once another ends; the next call gets a 503 at once', async () => {
    const patient = await startService({ gateway: { ...LIMITS, waitMs: 60_000 } });
    onTestFinished(() => patient.stop());
    const to = { app: await addConnectedApp(patient, url), key: patient.key };
    const going = await fill(patient.port, to);
    const turn = rawCall(patient.port, head('GET', [], '/turn', to));
    const full = rawCall(patient.port, head('GET', [], '/full', to));
    expect(await full.until(({ got }) => got().includes('}'))).toMatch(/^HTTP\/1\.1 503 /);
    silent = false;
    going[0]?.socket.destroy();
    expect(await turn.until(({ got }) => got().endsWith('ok'))).toMatch(/^HTTP\/1\.1 200 /);
    expect(received).not.toContain('/full');
    for (const { socket } of [...going, turn, full]) socket.destroy();
    await expect.poll(() => patient.api('GET', `/${to.app}/x`).then(({ status }) => status)).toBe(200);
  });
});
