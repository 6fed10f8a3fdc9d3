/** WebSockets through the gateway, to a real WebSocket app. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { addApp, addConnectedApp, connect } from '../../connections/test/connecting.ts';
import { type Service, startService } from '../../test/service.ts';
import { rawCall } from './raw-upstream.ts';

/** Echoes messages; rejects `/refused` with its own response. */
const target = createServer((_req, res) => void res.writeHead(426, { 'X-Native': 'yes' }).end('a plain answer'));
const sockets = new WebSocketServer({ noServer: true });
const seen: { request: IncomingMessage; socket: WebSocket; closed?: { code: number; reason: string } }[] = [];
target.on('upgrade', (request, raw, head) => {
  if (request.url === '/refused')
    return void raw.end('HTTP/1.1 418 Teapot\r\nX-Native: yes\r\nContent-Length: 5\r\n\r\nshort');
  if (request.url === '/silent') return;
  sockets.handleUpgrade(request, raw, head, (socket) => {
    const each: (typeof seen)[number] = { request, socket };
    seen.push(each);
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }));
    socket.on('close', (code, reason) => {
      each.closed = { code, reason: reason.toString() };
    });
  });
});

let service: Service;
let app: string;
beforeAll(async () => {
  await new Promise<void>((ok) => target.listen(0, '127.0.0.1', ok));
  service = await startService();
  app = await addConnectedApp(service, `http://127.0.0.1:${(target.address() as AddressInfo).port}`);
});
afterAll(async () => {
  await service.stop();
  target.closeAllConnections();
  target.close();
});
afterEach(() => {
  for (const { socket } of seen.splice(0)) socket.terminate();
});

const dial = (path = '/feed', headers: Record<string, string> = {}, key = service.key) =>
  new WebSocket(`ws://127.0.0.1:${service.port}/api/${app}${path}`, ['chat', 'other'], {
    headers: { ...(key ? { authorization: `Bearer ${key}` } : {}), ...headers },
  });
async function open(path?: string, headers?: Record<string, string>) {
  const socket = dial(path, headers);
  await once(socket, 'open');
  const app = seen.at(-1);
  if (!app) throw new Error('the app saw no client');
  return { socket, app };
}
/** The response instead of a WebSocket. */
async function refusal(
  socket: WebSocket,
): Promise<{ status: number; headers: IncomingMessage['headers']; body: string }> {
  const response = await new Promise<IncomingMessage>((ok) => socket.once('unexpected-response', (_, got) => ok(got)));
  let body = '';
  for await (const chunk of response) body += String(chunk);
  return { status: response.statusCode ?? 0, headers: response.headers, body };
}

describe('a WebSocket', () => {
  it('reaches the app with the connection’s key, and uses the subprotocol of the app', async () => {
    const { socket, app } = await open('/feed?x=%2F', { cookie: 'sluice_session=s', 'x-own': '1' });
    expect(app.request.url).toBe('/feed?x=%2F');
    expect(app.request.headers).toMatchObject({ authorization: 'Bearer upstream-secret', 'x-own': '1' });
    expect(app.request.headers).not.toHaveProperty('cookie');
    expect(socket.protocol).toBe('chat');
    socket.send('hello');
    expect(String((await once(socket, 'message'))[0])).toBe('hello');
    socket.terminate();
  });

  it('transfers large frames both ways unchanged', async () => {
    const { socket } = await open();
    const bytes = randomBytes(16 * 1024 * 1024);
    socket.send(bytes);
    const [got] = (await once(socket, 'message')) as [Buffer];
    expect(got.equals(bytes)).toBe(true);
    socket.terminate();
  });

  it('transfers messages that the app sends at once', async () => {
    const received: string[] = [];
    target.once('upgrade', () => queueMicrotask(() => seen.at(-1)?.socket.send('first')));
    const socket = dial();
    socket.on('message', (data) => received.push(String(data)));
    await expect.poll(() => received).toEqual(['first']);
    socket.terminate();
  });

  it('forwards close codes in both directions', async () => {
    const one = await open();
    one.socket.close(4001, 'done here');
    await expect.poll(() => one.app.closed).toEqual({ code: 4001, reason: 'done here' });
    const other = await open();
    other.app.socket.close(4002, 'done there');
    const [code, reason] = (await once(other.socket, 'close')) as [number, Buffer];
    expect([code, reason.toString()]).toEqual([4002, 'done there']);
  });

  it('is interrupted at both ends', async () => {
    const one = await open();
    one.socket.terminate();
    await expect.poll(() => one.app.closed?.code).toBe(1006);
    const other = await open();
    other.app.socket.terminate();
    expect((await once(other.socket, 'close'))[0]).toBe(1006);
  });

  it('has backpressure while the caller reads slowly', async () => {
    const { socket, app } = await open();
    socket.pause();
    const chunk = randomBytes(1024 * 1024);
    for (let i = 0; i < 64; i++) app.socket.send(chunk);
    let last = -1;
    const isFlat = () => {
      const before = last;
      last = app.socket.bufferedAmount;
      return last > 0 && last === before;
    };
    await expect.poll(isFlat, { interval: 300 }).toBe(true);
    expect(app.socket.bufferedAmount).toBeGreaterThan(32 * chunk.length);
    let got = 0;
    socket.on('message', () => got++);
    socket.resume();
    await expect.poll(() => got).toBe(64);
    socket.terminate();
  });

  it('ends when the service stops', async () => {
    const { socket, app } = await open();
    const closed = once(socket, 'close');
    await service.restart();
    expect((await closed)[0]).toBe(1006);
    await expect.poll(() => app.closed?.code).toBe(1006);
  });
});

describe('instead of a WebSocket', () => {
  it('a rejection of the app is forwarded unchanged', async () => {
    expect(await refusal(dial('/refused'))).toMatchObject({
      status: 418,
      headers: { 'x-native': 'yes' },
      body: 'short',
    });
  });

  it('a rejection of the service has its own message', async () => {
    const noKey = await refusal(dial('/feed', {}, ''));
    expect(noKey.status).toBe(401);
    expect(JSON.parse(noKey.body)).toMatchObject({ code: 401, type: 'Unauthorized' });
    expect(noKey.headers['x-request-id']).toBeTruthy();
    expect((await refusal(dial('/feed', {}, 'slc_wrong'))).status).toBe(401);
    expect((await refusal(dial('/feed', { 'service-connection': 'no-such' }))).status).toBe(404);
    const unreachable = await addApp(service, 'http://127.0.0.1:1');
    const at = (name: string) =>
      new WebSocket(`ws://127.0.0.1:${service.port}/api/${name}/x`, {
        headers: { authorization: `Bearer ${service.key}` },
      });
    expect((await refusal(at(unreachable))).status).toBe(400);
    await connect(service, unreachable, { api_key: 'k' });
    expect((await refusal(at(unreachable))).status).toBe(502);
  });

  it('a caller that disconnects before the response aborts the request to the app', async () => {
    let closed = false;
    let reached = false;
    target.once('upgrade', (_, raw) => {
      reached = true;
      raw.resume().on('end', () => (closed = true));
    });
    const socket = dial('/silent');
    socket.on('error', () => {});
    await expect.poll(() => reached).toBe(true);
    socket.terminate();
    await expect.poll(() => closed).toBe(true);
  });

  const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n';
  it.each([
    ['/api/connections', 'localhost', 401],
    ['/healthz', 'localhost', 200],
    ['/x', 'unreachable.fn.localhost', 404],
    ['/api/stripe/x', 'with.dot.fn.localhost', 404],
  ])('%s of %s gets the response of the plain request', async (path, host, status) => {
    const caller = rawCall(service.port, `GET ${path} HTTP/1.1\r\nHost: ${host}:${service.port}\r\n${upgrade}\r\n`);
    expect(await caller.until(({ got }) => got().includes('\r\n\r\n'))).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    caller.socket.destroy();
  });

  it('an upgrade to another protocol is not forwarded', async () => {
    const request = `GET /api/${app}/x HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${service.key}\r\n`;
    const caller = rawCall(service.port, `${request}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\r\n`);
    expect(await caller.until(({ got }) => got().includes('a plain answer'))).toMatch(/^HTTP\/1\.1 426 /);
    caller.socket.destroy();
  });
});
