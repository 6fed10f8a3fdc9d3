/**
 * What a function in a container can connect to through the service's proxy. This machine's loopback acts as the public
 * internet.
 */
import dns from 'node:dns';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, LookupFunction } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { makeAuthority } from '../../test/certificates.ts';
import { freePort } from '../../test/spawned.ts';
import type { Runtime } from '../runtime.ts';
import { call, openRuntime, SANDBOXES, specOf } from '../testing.ts';

const OUTSIDE = '127.0.0.9';
const INSIDE = '127.0.0.1';
const authority = makeAuthority('Test authority');
const outside = createServer((request, response) => {
  if (request.url === '/packed') {
    const packed = gzipSync('hello '.repeat(1000));
    return void response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': packed.length }).end(packed);
  }
  if (request.url === '/inside') return void response.writeHead(302, { location: `http://inside.test:${port}/` }).end();
  response.setHeader('x-sluice-refusal', 'forged');
  request.pipe(response.writeHead(200, { 'x-seen': `${request.method} ${request.url} ${request.headers.host}` }));
});
const secure = createTlsServer(authority.issue({ name: 'secure.test' }), (request, response) =>
  response.end(`secret ${request.headers.host}`),
);
const inside = createServer((_, response) => response.end('inside'));
new WebSocketServer({ server: outside }).on('connection', (socket) =>
  socket.on('message', (data) => socket.send(`echo ${data}`)),
);
const answers: Record<string, string[]> = {
  'outside.test': [OUTSIDE],
  'a.outside.test': [OUTSIDE],
  'secure.test': [OUTSIDE],
  'inside.test': [INSIDE],
  'mixed.test': [OUTSIDE, INSIDE],
  // The addresses alternate.
  'rebind.test': [],
};
let asked = 0;
const lookUp: LookupFunction = (host, options, done) => {
  const ips = host === 'rebind.test' ? [asked++ % 2 === 0 ? OUTSIDE : INSIDE] : answers[host];
  if (!ips) return dns.lookup(host, options, done);
  const found = ips.map((address) => ({ address, family: 4 }));
  options.all ? done(null, found) : done(null, found[0]?.address ?? '', 4);
};

let port: number;
let securePort: number;
const listen = async (server: Server | typeof secure, at: number, host: string) => {
  await once(server.listen(at, host), 'listening');
  return (server.address() as AddressInfo).port;
};

describe.each(SANDBOXES.filter((mode) => mode !== 'permissions'))('network access from a container (%s)', (sandbox) => {
  let runtime: Runtime;
  beforeAll(async () => {
    port = await freePort();
    await listen(outside, port, OUTSIDE);
    await listen(inside, port, INSIDE);
    securePort = await listen(secure, 0, OUTSIDE);
    runtime = await openRuntime({ sandbox, outside: { lookUp, cidrs: [`${OUTSIDE}/32`] } });
  });
  afterAll(async () => {
    await runtime.close();
    for (const server of [outside, secure, inside]) {
      server.close();
      server.closeAllConnections();
    }
  });

  async function attempt(expression: string, options: Parameters<typeof specOf>[1] = {}) {
    const spec = await specOf(
      `export default async () => { try { return { got: await (${expression}) ?? null }; } catch (error) { return { refused: error.message + ' ' + (error.cause ?? '') }; } };`,
      options,
    );
    const { body, said } = await call(runtime, spec);
    return { ...(JSON.parse(body) as { got?: unknown; refused?: string }), said };
  }

  test('fetch sends and receives bodies unchanged, and no server can imitate the proxy', async () => {
    const expression = `fetch('http://outside.test:${port}/a?b=1', { method: 'POST', body: 'x'.repeat(300_000) }).then(async (r) => [r.status, r.headers.get('x-seen'), (await r.text()).length])`;
    expect(await attempt(expression)).toEqual({ got: [200, `POST /a?b=1 outside.test:${port}`, 300_000], said: [] });
  });

  test('a response decompressed by fetch has no encoding headers, and can be returned', async () => {
    const lengths = (headers: string) =>
      `fetch('http://outside.test:${port}/packed', { headers: ${headers} }).then(async (r) => { const on = new Response(r.body, r); return [on.headers.get('content-encoding'), on.headers.get('content-length') === null, (await on.bytes()).length > 1000]; })`;
    expect(await attempt(lengths('{}'))).toMatchObject({ got: [null, true, true] });
    expect(await attempt(lengths("{ 'accept-encoding': 'gzip' }"))).toMatchObject({ got: [null, true, true] });
    for (const headers of ["{ 'accept-encoding': 'identity' }", "{ range: 'bytes=0-' }"])
      expect(await attempt(lengths(headers))).toMatchObject({ got: ['gzip', false, false] });
  });

  test('node:https gets a response, and both APIs of Deno reach the certificate check', async () => {
    const https = `import('node:https').then((m) => new Promise((resolve, reject) => m.get({ host: 'secure.test', port: ${securePort}, rejectUnauthorized: false }, (r) => r.on('data', (d) => resolve(String(d)))).on('error', reject)))`;
    expect(await attempt(https)).toEqual({ got: `secret secure.test:${securePort}`, said: [] });
    for (const expression of [
      `fetch('https://secure.test:${securePort}/')`,
      `Deno.connectTls({ hostname: 'secure.test', port: ${securePort} }).then((c) => c.handshake())`,
    ])
      expect((await attempt(expression)).refused).toMatch(/certificate|UnknownIssuer/i);
  });

  test('node:http, a WebSocket and raw TCP get a response', async () => {
    expect(
      await attempt(
        `import('node:http').then((m) => new Promise((resolve, reject) => m.get('http://outside.test:${port}/n', (r) => resolve(r.headers['x-seen'])).on('error', reject)))`,
      ),
    ).toMatchObject({ got: `GET /n outside.test:${port}` });
    expect(
      await attempt(
        `new Promise((resolve, reject) => { const s = new WebSocket('ws://outside.test:${port}/'); s.onopen = () => s.send('hi'); s.onmessage = (e) => { s.close(); resolve(e.data); }; s.onerror = (e) => reject(new Error(e.message)); })`,
      ),
    ).toMatchObject({ got: 'echo hi' });
    expect(
      await attempt(
        `Deno.connect({ hostname: 'outside.test', port: ${port} }).then((c) => { c.close(); return 'there'; })`,
      ),
    ).toMatchObject({ got: 'there' });
  });

  test('a denied connection is logged, and fails like any connection', async () => {
    const why = `inside.test (${INSIDE}) is not a public address (loopback)`;
    expect(
      await attempt(
        `import('node:net').then((m) => new Promise((resolve, reject) => m.connect(${port}, 'inside.test').on('connect', resolve).on('error', reject)))`,
      ),
    ).toEqual({
      refused: `connect ECONNREFUSED inside.test:${port} (${why}) `,
      said: [`The connection to inside.test:${port} was refused: ${why}`],
    });
    expect((await attempt(`fetch('http://inside.test:${port}/')`)).refused).toContain(why);
    expect((await attempt(`fetch('http://mixed.test:${port}/')`)).refused).toContain('is not a public address');
    expect((await attempt(`fetch('http://outside.test:${port}/inside').then((r) => r.text())`)).refused).toContain(why);
  });

  test('a name that resolves to changing addresses never leads inside', async () => {
    const { got } = await attempt(
      `Promise.all(Array.from({ length: 20 }, () => fetch('http://rebind.test:${port}/').then((r) => r.text(), () => 'refused')))`,
    );
    expect(new Set(got as string[])).toEqual(new Set(['', 'refused']));
  });

  test('the proxy enforces the allowlist, including ports', async () => {
    const options = {
      networkPolicy: 'ALLOW_LIST' as const,
      allowedHosts: ['*.outside.test', `secure.test:${securePort}`],
    };
    const tcp = (host: string, at: number) =>
      `import('node:net').then((m) => new Promise((resolve, reject) => { const s = m.connect(${at}, '${host}').on('connect', () => { s.destroy(); resolve('there'); }).on('error', reject); }))`;
    expect(await attempt(tcp('a.outside.test', port), options)).toMatchObject({ got: 'there' });
    expect(await attempt(tcp('secure.test', securePort), options)).toMatchObject({ got: 'there' });
    for (const [host, at] of [
      ['outside.test', port],
      ['secure.test', port],
      ['inside.test', port],
    ] as const)
      expect((await attempt(tcp(host, at), options)).refused).toContain(
        `${host} is not among the function's allowed hosts`,
      );
    expect((await attempt(tcp('outside.test', port), { networkPolicy: 'DENY_ALL' })).refused).toBeDefined();
  });
});
