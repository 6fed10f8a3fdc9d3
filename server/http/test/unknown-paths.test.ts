/** Unknown paths and hosts: the response depends on the client, a program or a browser. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addApp, connect } from '../../connections/test/connecting.ts';
import { type LocalApp, startApp } from '../../connections/test/custom-support.ts';
import { rawCall } from '../../gateway/test/raw-upstream.ts';
import { signIn } from '../../test/browser.ts';
import { type Service, startService } from '../../test/service.ts';

type Answer = { status: number; type: string; body: Record<string, unknown>; text: string; headers: Headers };

const consoleFolder = mkdtempSync(join(tmpdir(), 'sluice-console-'));
let service: Service;
let app: LocalApp;
beforeAll(async () => {
  writeFileSync(join(consoleFolder, 'index.html'), '<!doctype html><title>The console</title>');
  writeFileSync(join(consoleFolder, 'connect.html'), '<!doctype html><title>The connect window</title>');
  mkdirSync(join(consoleFolder, 'assets'));
  writeFileSync(join(consoleFolder, 'assets/app.js'), '1;');
  service = await startService({
    consoleFolder,
    env: { SLUICE_ALLOWED_HOSTS: 'sluice.internal, gate.internal:8443' },
  });
  app = await startApp((req, res) => {
    const to = new URL(req.url ?? '/', 'http://app').searchParams.get('to') ?? '/';
    req.resume().on('end', () => res.writeHead(302, { location: to }).end());
  });
});
afterAll(async () => {
  await service.stop();
  await app.close();
  rmSync(consoleFolder, { recursive: true, force: true });
});

/** One request with this `Host` header. */
const ask = (path: string, headers: Record<string, string> = {}, method = 'GET', body = ''): Promise<Answer> =>
  new Promise((ok, refuse) => {
    const asked = request(`${service.url}${path}`, { method, headers, agent: false }, async (res) => {
      const text = Buffer.concat(await res.toArray()).toString();
      const type = res.headers['content-type'] ?? '';
      const parsed = type === 'application/json' && text ? (JSON.parse(text) as Record<string, unknown>) : {};
      const pairs = Object.entries(res.headers).map(([name, value]): [string, string] => [name, String(value)]);
      ok({ status: res.statusCode ?? 0, type, body: parsed, text, headers: new Headers(pairs) });
    });
    asked.on('error', refuse).end(body);
  });
const NAVIGATION = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const bearer = () => ({ authorization: `Bearer ${service.key}` });

describe('an unknown path', () => {
  it.each([
    ['/repos/o/r', { accept: 'application/json' }],
    ['/repos/o/r', { accept: '*/*' }],
    ['/repos/o/r', {}],
    ['/repos/o/r', { accept: 'text/html;q=0, */*' }],
    ['/', { accept: '*/*' }],
    ['/connect', { accept: 'application/json' }],
    ['/events', { ...NAVIGATION, authorization: 'Bearer slc_key' }],
    ['/events', { ...NAVIGATION, 'sec-fetch-mode': 'cors' }],
    ['/assets/gone.js', NAVIGATION],
    ['/metrics', NAVIGATION],
    ['/metrics', { accept: 'application/openmetrics-text' }],
  ])('%s is 404 in the error shape for a program that sends %j', async (path, headers) => {
    const answer = await ask(path, headers);
    expect([answer.status, answer.type]).toEqual([404, 'application/json']);
    expect(answer.body).toEqual({ code: 404, type: 'Not Found', message: expect.any(String) });
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('gets an error that names the URL of the API', async () => {
    expect((await ask('/repos/o/r')).body['message']).toBe(
      `Nothing is served at /repos/o/r. The API and connected apps are under http://localhost:${service.port}/api.`,
    );
  });

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('is 404 for %s with any Accept header', async (method) => {
    expect((await ask('/repos/o/r', NAVIGATION, method)).status).toBe(404);
  });

  it('opens the console for browser navigations', async () => {
    for (const path of ['/', '/events', '/connections/0/x', '/signin?to=%2F']) {
      const answer = await ask(path, { ...NAVIGATION, 'sec-fetch-mode': 'navigate' });
      expect([answer.status, answer.text], path).toEqual([200, expect.stringContaining('The console')]);
      expect(answer.headers.get('vary')).toMatch(/\bAccept\b(?!-)/);
    }
    expect((await ask('/connect?token=x', NAVIGATION)).text).toContain('The connect window');
    expect((await ask('/events', NAVIGATION, 'HEAD')).status).toBe(200);
  });

  it('is never a file, and files accept only GET', async () => {
    expect((await ask('/assets/app.js', { accept: '*/*' })).text).toBe('1;');
    const posted = await ask('/assets/app.js', {}, 'POST', 'x');
    expect([posted.status, posted.headers.get('allow'), posted.body['code']]).toEqual([405, 'GET, HEAD', 405]);
  });

  it('is a 404 for a program that follows a relative redirect of an app', async () => {
    const name = await addApp(service, app.url);
    await connect(service, name, { api_key: 'k' });
    for (const to of ['/repos/o/r', '/', '/events', '/connect']) {
      const answer = await fetch(`${service.url}/api/${name}/x?to=${to}`, { headers: bearer() });
      expect([answer.redirected, answer.status, answer.headers.get('content-type')], to).toEqual([
        true,
        404,
        'application/json',
      ]);
    }
  });
});

describe('a host', () => {
  const page = async (host: string) => (await ask('/events', { ...NAVIGATION, host })).status;

  it('of the service, of this machine, or allowed by settings, has console and API', async () => {
    const { port } = service;
    for (const host of [
      `localhost:${port}`,
      `LOCALHOST:${port}`,
      'localhost:9999',
      `127.0.0.1:${port}`,
      `[::1]:${port}`,
      'sluice.internal',
      'sluice.internal:80',
      'gate.internal:8443',
    ]) {
      expect(await page(host), host).toBe(200);
      expect((await ask('/api/account', { ...bearer(), host })).status, host).toBe(200);
    }
  });

  it.each(['evil.test', 'evil.test:4400', 'localhost.evil.test', 'gate.internal', '203.0.113.9', 'x'])(
    'that is unknown has neither: %s',
    async (host) => {
      const refused = {
        code: 421,
        type: 'Misdirected Request',
        message: `Host: ${host} is not a host of this service. Use http://localhost:${service.port}, or add the host to SLUICE_ALLOWED_HOSTS.`,
      };
      for (const [path, headers, method] of [
        ['/', NAVIGATION, 'GET'],
        ['/events', NAVIGATION, 'GET'],
        ['/assets/app.js', {}, 'GET'],
        ['/connect', NAVIGATION, 'GET'],
        ['/connect/api/session', {}, 'GET'],
        ['/api/account', bearer(), 'GET'],
        ['/api/session', { 'content-type': 'application/json' }, 'POST'],
        ['/api/github/user', bearer(), 'GET'],
        ['/api/openapi.json', {}, 'GET'],
      ] as const) {
        const answer = await ask(path, { ...headers, host }, method, method === 'POST' ? '{}' : '');
        expect([answer.status, answer.body], path).toEqual([421, refused]);
      }
    },
  );

  it('that is unknown has probes', async () => {
    for (const path of ['/healthz', '/livez', '/readyz'])
      expect((await ask(path, { host: '203.0.113.9:4400' })).status, path).toBe(200);
  });

  it('that is unknown accepts no WebSocket', async () => {
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n';
    const lines = `GET /api/github/x HTTP/1.1\r\nHost: evil.test\r\n${upgrade}Authorization: Bearer ${service.key}\r\n\r\n`;
    const caller = rawCall(service.port, lines);
    expect(await caller.until(({ got }) => got().includes('\r\n\r\n'))).toMatch(/^HTTP\/1\.1 421 /);
    caller.socket.destroy();
  });

  it('of the functions domain never serves the console, with or without a port', async () => {
    const { port } = service;
    for (const host of [
      `fn.localhost:${port}`,
      'fn.localhost',
      'FN.localhost.',
      `x.fn.localhost`,
      `x.fn.localhost:1`,
      `x.y.fn.localhost:${port}`,
    ]) {
      for (const path of ['/', '/api/account', '/assets/app.js']) {
        const answer = await ask(path, { ...NAVIGATION, ...bearer(), host });
        expect([answer.status, answer.type], `${host}${path}`).toEqual([404, 'application/json']);
      }
    }
  });
});

describe('the origin of a request with the session’s cookie', () => {
  const rename = async (headers: Record<string, string>) => {
    const browser = await signIn(service);
    const sent = { cookie: browser.cookie() ?? '', 'content-type': 'application/json', ...headers };
    return (await ask('/api/account', sent, 'PATCH', '{"name":"Mine"}')).status;
  };

  it('may be the console, this machine under the same name, or an allowed host', async () => {
    const own = `localhost:${service.port}`;
    expect(await rename({ host: own, origin: `http://${own}` })).toBe(200);
    // A development server or a tunnel forwards requests under another host.
    expect(await rename({ host: `127.0.0.1:${service.port}`, origin: `http://${own}` })).toBe(200);
    expect(await rename({ host: 'localhost:9000', origin: 'http://localhost:9000' })).toBe(200);
    expect(await rename({ host: own, origin: 'https://sluice.internal' })).toBe(200);
    expect(await rename({ host: own, origin: 'https://gate.internal:8443' })).toBe(200);
  });

  it('is not taken from the Host header', async () => {
    const own = `localhost:${service.port}`;
    expect(await rename({ host: 'evil.test', origin: 'http://evil.test' })).toBe(421);
    expect(await rename({ host: own, origin: 'http://evil.test' })).toBe(403);
    expect(await rename({ host: own, origin: 'http://localhost:3000' })).toBe(403);
    expect(await rename({ host: own, origin: 'https://gate.internal' })).toBe(403);
    expect(await rename({ host: own, origin: 'null' })).toBe(403);
  });
});
