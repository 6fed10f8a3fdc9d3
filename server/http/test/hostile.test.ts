/** Endpoints that fail, stall or never end: each has a status, a reason and a bounded cost. */

import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { attemptsOf, makeEvent, makeTrigger, only, whenAll } from '../../deliveries/test/delivery-support.ts';
import { serviceForAll } from '../../test/shared-set-up.ts';

const service = serviceForAll({ retryScheduleSeconds: [] });

const servers: Server[] = [];
const sockets = new Set<Socket>();
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers.splice(0)) await new Promise((ok) => server.close(ok));
});

/** A TCP server with custom behaviour for each connection after a request has begun. */
async function receiver(onRequest: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    socket.once('data', () => onRequest(socket));
  });
  servers.push(server);
  await new Promise<void>((ok) => server.listen(0, '127.0.0.1', ok));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Writes a few bytes at intervals until the peer closes. */
function drip(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 20);
  socket.on('close', () => clearInterval(timer));
}

async function outcome(url: string, status: 'SUCCEEDED' | 'FAILED', settings: { timeout_seconds?: number } = {}) {
  const { trigger_id } = await makeTrigger(service, [{ url, ...settings }]);
  const event = await whenAll(service, await makeEvent(service, trigger_id), status);
  return { delivery: only(event.deliveries), attempt: only(await attemptsOf(service, event)) };
}

const OK = 'HTTP/1.1 200 OK\r\n';

it.each([
  ['never answers', () => {}],
  [
    'drips its headers',
    (socket: Socket) => {
      socket.write(OK);
      drip(socket, 'x-a: b\r\n');
    },
  ],
  [
    'drips its body',
    (socket: Socket) => {
      socket.write(`${OK}content-length: 100000\r\n\r\n`);
      drip(socket, 'x');
    },
  ],
  ['hints for ever', (socket: Socket) => drip(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n')],
])('one that %s is cut off by the deadline for everything', async (_, onRequest) => {
  const { delivery } = await outcome(await receiver(onRequest), 'FAILED', { timeout_seconds: 1 });
  expect(delivery).toMatchObject({ reason: 'TIMEOUT', last_error_message: 'No complete response within 1 seconds.' });
});

it('an endless body is read only up to the limit', async () => {
  let sentBytes = 0;
  const url = await receiver((socket) => {
    socket.write(`${OK}transfer-encoding: chunked\r\n\r\n`);
    const chunk = `2000\r\n${'x'.repeat(0x2000)}\r\n`;
    const pour = () => {
      while (!socket.destroyed && socket.write(chunk)) sentBytes += chunk.length;
      socket.once('drain', pour);
    };
    pour();
  });
  const { delivery, attempt } = await outcome(url, 'SUCCEEDED');
  expect(delivery.last_response_body).toHaveLength(16 * 1024);
  expect(attempt.response).toMatchObject({ status: 200, truncated: true });
  expect(sentBytes).toBeLessThan(16 * 1024 * 1024);
});

it.each([
  ['resets the connection', (socket: Socket) => socket.resetAndDestroy(), 'CONNECTION_RESET'],
  [
    'breaks off inside the body',
    (socket: Socket) => socket.end(`${OK}content-length: 100\r\n\r\nhalf`),
    'CONNECTION_RESET',
  ],
  ['speaks no HTTP', (socket: Socket) => socket.end('220 smtp.example.com ESMTP\r\n'), 'CONNECTION_RESET'],
  [
    'has headers without end',
    (socket: Socket) => {
      socket.write(OK);
      socket.write(`x-a: ${'b'.repeat(4000)}\r\n`.repeat(100));
    },
    'CONNECTION_RESET',
  ],
  [
    'announces a length that is none',
    (socket: Socket) => socket.end(`${OK}content-length: -1\r\n\r\n`),
    'CONNECTION_RESET',
  ],
])('one that %s fails', async (_, onRequest, reason) => {
  const { delivery } = await outcome(await receiver(onRequest), 'FAILED');
  expect(delivery).toMatchObject({ reason, last_error_message: expect.stringMatching(/.{5}/) });
});

it('an endpoint that refuses connections fails', async () => {
  const url = await receiver(() => {});
  await new Promise((ok) => servers.pop()?.close(ok));
  const { delivery, attempt } = await outcome(url, 'FAILED');
  expect(delivery).toMatchObject({ reason: 'CONNECTION_REFUSED', last_response_status: null });
  expect(attempt.response).toBeNull();
});

it('a host that does not resolve fails', async () => {
  const { delivery } = await outcome('http://nowhere.invalid/', 'FAILED');
  expect(delivery).toMatchObject({ reason: 'DNS_ERROR' });
});

it('an https URL of a server without TLS fails', async () => {
  const url = await receiver((socket) => socket.end(`${OK}\r\n`));
  const { delivery } = await outcome(url.replace('http:', 'https:'), 'FAILED');
  expect(delivery).toMatchObject({ reason: 'TLS_ERROR' });
});

it('a binary and a compressed body are stored as text', async () => {
  const bytes = Buffer.from([0x00, 0xff, 0x61, 0x1f, 0x8b]);
  const url = await receiver((socket) =>
    socket.end(Buffer.concat([Buffer.from(`${OK}content-encoding: gzip\r\ncontent-length: 5\r\n\r\n`), bytes])),
  );
  const { delivery } = await outcome(url, 'SUCCEEDED');
  expect(delivery.last_response_body).toBe('\ufffd\ufffda\u001f\ufffd');
});

it('a host that resolves to a private IP address after the destination was created is not connected to', async () => {
  const { trigger_id } = await makeTrigger(service, [{ url: await receiver(() => {}) }]);
  const { db } = service.services;
  await db.updateTable('destinations').set({ url: 'http://10.0.0.1/' }).where('trigger_id', '=', trigger_id).execute();
  const event = await whenAll(service, await makeEvent(service, trigger_id), 'FAILED');
  expect(only(event.deliveries)).toMatchObject({ reason: 'BLOCKED_ADDRESS', attempts: 1 });
});
