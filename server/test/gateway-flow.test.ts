/** What the gateway does while bytes flow: it holds nothing back and nothing in memory, and trouble is passed on. */
import { createHash, randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { addApp, connect } from './connecting.ts';
import { type Heard, type RawUpstream, rawCall, startRawUpstream } from './raw-upstream.ts';
import { type Service, startService } from './service.ts';

let service: Service;
let upstream: RawUpstream;
let app: string;
beforeAll(async () => {
  service = await startService();
  upstream = await startRawUpstream();
  app = await addApp(service, upstream.url);
  await connect(service, app, { api_key: 'upstream-secret' });
});
afterAll(async () => {
  await service.stop();
  await upstream.close();
});

const OK_AND_CLOSE = 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok';
const PATIENTLY = { timeout: 10_000 };
const SIZE = 32 * 1024 * 1024;
/** Writes SIZE bytes as fast as the other end takes them; says how many it has let go of. */
function pump(socket: Socket): () => number {
  let written = 0;
  const piece = Buffer.alloc(256 * 1024);
  const more = () => {
    while (written < SIZE) {
      written += piece.length;
      if (!socket.write(piece)) return void socket.once('drain', more);
    }
  };
  more();
  return () => written - socket.writableLength;
}
/** It stops growing while nobody reads, well before all of it is in memory. */
async function stalled(sent: () => number) {
  let last = 0;
  await vi.waitFor(
    () => {
      const now = sent();
      const same = now > 0 && now === last;
      last = now;
      expect(same).toBe(true);
    },
    { timeout: 20_000, interval: 300 },
  );
  expect(sent()).toBeLessThan(SIZE - 8 * 1024 * 1024);
}
/** A request whose head goes on. */
const head = (method = 'GET') =>
  `${method} /api/${app}/x HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\n`;

describe('a request', () => {
  it('of 64 MB flows through without being held', async () => {
    const chunk = randomBytes(1024 * 1024);
    const whole = createHash('sha256');
    for (let i = 0; i < 64; i++) whole.update(chunk);
    const got = createHash('sha256');
    let left = 64 * chunk.length;
    upstream.answerEarly(({ body, socket }) => {
      const take = (part: Buffer) => {
        got.update(part);
        left -= part.length;
        if (left === 0) socket.end(OK_AND_CLOSE);
      };
      take(body);
      socket.on('data', take);
    });
    const before = process.memoryUsage().rss;
    const response = await fetch(`${service.url}/api/${app}/up`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}`, 'content-length': String(64 * chunk.length) },
      body: new ReadableStream({
        start: () => {},
        pull: (() => {
          let sent = 0;
          return (controller: ReadableStreamDefaultController) => {
            controller.enqueue(chunk);
            if (++sent === 64) controller.close();
          };
        })(),
      }),
      duplex: 'half',
    } as RequestInit);
    expect(response.status).toBe(200);
    expect(got.digest('hex')).toBe(whole.digest('hex'));
    expect(process.memoryUsage().rss - before).toBeLessThan(250 * 1024 * 1024);
  });

  it('is held back while the app reads slowly', async () => {
    let socket: Heard['socket'] | undefined;
    let left = SIZE;
    upstream.answerEarly((each) => {
      socket = each.socket.pause();
      left -= each.body.length;
      socket.on('data', (part: Buffer) => {
        left -= part.length;
        if (left === 0) each.socket.end(OK_AND_CLOSE);
      });
    });
    const caller = rawCall(service.port, `${head('POST')}Content-Length: ${SIZE}\r\n\r\n`);
    const sent = pump(caller.socket);
    await stalled(sent);
    socket?.resume();
    await caller.until(() => caller.got().endsWith('ok'));
    expect(left).toBe(0);
    caller.socket.destroy();
  });
});

describe('an answer to a slow caller', () => {
  it('is held back', async () => {
    let sent = () => 0;
    upstream.answer(({ socket }) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${SIZE}\r\n\r\n`);
      sent = pump(socket);
    });
    const caller = rawCall(service.port, `${head()}\r\n`);
    caller.socket.pause();
    await stalled(() => sent());
    caller.socket.resume();
    await caller.until(() => caller.size() > SIZE);
    caller.socket.destroy();
  });
});

describe('trouble', () => {
  const call = () => rawCall(service.port, `${head()}\r\n`);
  const error = (got: string) => JSON.parse(got.split('\r\n\r\n')[1] ?? '') as Record<string, unknown>;

  it('a caller who leaves ends the request at the app', async () => {
    let closed = false;
    let reached = false;
    upstream.answer(({ socket }) => {
      reached = true;
      socket.on('close', () => (closed = true));
    });
    const caller = call();
    await expect.poll(() => reached, PATIENTLY).toBe(true);
    caller.socket.destroy();
    await expect.poll(() => closed, PATIENTLY).toBe(true);
  });

  it('a caller who leaves in the middle of an upload does so too', async () => {
    let closed = false;
    let reached = false;
    upstream.answerEarly(({ socket }) => {
      reached = true;
      socket.on('close', () => (closed = true));
    });
    const caller = rawCall(service.port, `${head('POST')}Content-Length: 1000\r\n\r\nhalf`);
    await expect.poll(() => reached, PATIENTLY).toBe(true);
    caller.socket.destroy();
    await expect.poll(() => closed, PATIENTLY).toBe(true);
  });

  it.each<[string, (each: Heard) => void]>([
    ['a reset', ({ socket }) => socket.resetAndDestroy()],
    ['an end', ({ socket }) => socket.end()],
    ['garbage', ({ socket }) => socket.end('SSH-2.0-OpenSSH_9.2\r\n')],
    ['half a head', ({ socket }) => socket.end('HTTP/1.1 200 OK\r\nContent-')],
  ])('%s before any answer is a 502 of our own', async (_, how) => {
    upstream.answer(how);
    const caller = call();
    const got = await caller.until(({ got }) => got().includes('}'));
    expect(got).toMatch(/^HTTP\/1\.1 502 Bad Gateway\r\n/);
    expect(got).toMatch(/X-Request-Id: \S+/);
    expect(error(got)).toEqual({ message: expect.stringContaining('The app could'), type: 'Bad Gateway', code: 502 });
    caller.socket.destroy();
  });

  it.each<[string, string]>([
    ['of a known length', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'],
    ['in chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n'],
  ])('a reset within an answer %s cuts the connection', async (_, half) => {
    upstream.answer(({ socket }) => {
      socket.write(half);
      setImmediate(() => socket.resetAndDestroy());
    });
    const caller = call();
    const got = await caller.until(() => false);
    expect(caller.ended()).toBe(true);
    expect(got).not.toContain('0\r\n\r\n');
  });
});
