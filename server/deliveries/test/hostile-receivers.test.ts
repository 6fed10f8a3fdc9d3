/**
 * Hostile and broken receivers, and the connections to them: each gets a matching status and reason, the stored
 * response is bounded, and other destinations are served. (Connections that break or stall without intent are in
 * hostile.test.ts.)
 */
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeAuthority } from '../../test/certificates.ts';
import { startFaultProxy } from '../../test/fault-proxy.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import { attemptsOf, makeEvent, makeTrigger, only, readEvent, whenAll } from './delivery-support.ts';

const KEPT_BYTES = 16 * 1024;
const OK = 'HTTP/1.1 200 OK\r\n';

const sink = sinkForAll();
const service = serviceForAll({ retryScheduleSeconds: [] });

let path = '';
let count = 0;
beforeEach(() => {
  path = `/hostile-${++count}`;
});

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A TCP server with arbitrary behaviour on each connection once a request has begun. */
async function receiver(onRequest: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    socket.once('data', () => onRequest(socket));
  });
  return `http://127.0.0.1:${await listen(server, sockets)}/`;
}

async function listen(server: Server, sockets: Set<Socket>): Promise<number> {
  await new Promise<void>((ok) => server.listen(0, '127.0.0.1', ok));
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((ok) => server.close(ok));
  });
  return (server.address() as AddressInfo).port;
}

async function outcome(url: string, status: 'SUCCEEDED' | 'FAILED', settings: { timeout_seconds?: number } = {}) {
  const { trigger_id } = await makeTrigger(service, [{ url, ...settings }]);
  const event = await whenAll(service, await makeEvent(service, trigger_id), status);
  return { delivery: only(event.deliveries), attempt: only(await attemptsOf(service, event)) };
}

/** Checks that the service has no leftovers: no slot is in use, nothing waits. */
afterEach(async () => {
  await expect.poll(() => service.services.pipeline.lanes.figures()).toMatchObject({ inFlight: 0, waiting: 0 });
});

describe('over TLS, one whose certificate', () => {
  const trusted = makeAuthority('an authority');
  const unknown = makeAuthority('an unknown authority');
  const before = getCACertificates('default');
  beforeAll(() => setDefaultCACertificates([...before, trusted.cert]));
  afterAll(() => setDefaultCACertificates(before));

  const DAY_MS = 86_400_000;
  const ago = (days: number) => new Date(Date.now() - days * DAY_MS);
  const CASES: [string, { cert: string; key: string }, string | null][] = [
    ['is good gets what it is sent', trusted.issue({ ip: '127.0.0.1' }), null],
    ['of an unknown authority', unknown.issue({ ip: '127.0.0.1' }), 'unable to verify'],
    ['has run out', trusted.issue({ ip: '127.0.0.1', from: ago(3), until: ago(1) }), 'expired'],
    ['counts only from tomorrow', trusted.issue({ ip: '127.0.0.1', from: ago(-1), until: ago(-2) }), 'not yet valid'],
    ['is for another host', trusted.issue({ name: 'other.example.com' }), "does not match certificate's altnames"],
  ];

  it.each(CASES)('%s', async (_, identity, message) => {
    const sockets = new Set<Socket>();
    let requests = 0;
    const server = createTlsServer(identity, (_, response) => {
      requests++;
      response.end('secret');
    });
    server.on('connection', (socket) => void sockets.add(socket as Socket)).on('tlsClientError', () => {});
    const url = `https://127.0.0.1:${await listen(server, sockets)}/`;
    const { delivery } = await outcome(url, message === null ? 'SUCCEEDED' : 'FAILED');
    if (message === null) return expect(delivery).toMatchObject({ reason: null, last_response_body: 'secret' });
    expect(delivery).toMatchObject({
      reason: 'TLS_ERROR',
      last_response_status: null,
      last_error_message: expect.stringContaining(message),
    });
    expect(requests).toBe(0);
  });

  it('never arrives is aborted by the deadline', async () => {
    const url = (await receiver(() => {})).replace('http:', 'https:');
    expect((await outcome(url, 'FAILED', { timeout_seconds: 1 })).delivery).toMatchObject({
      reason: 'TIMEOUT',
      last_response_status: null,
    });
  });
});

describe('one that redirects', () => {
  it.each([301, 302, 303, 307, 308])(
    'by %i is not followed, neither to itself nor to what is inside',
    async (status) => {
      for (const location of [
        `${sink.url}${path}`,
        `${sink.url}${path}-inside`,
        '/',
        'http://169.254.169.254/',
        'file:///etc/passwd',
      ]) {
        sink.answer(path, { status, headers: { location } });
        const seen = sink.received(path).length;
        const { delivery } = await outcome(sink.url + path, 'FAILED');
        expect(delivery).toMatchObject({
          reason: 'REDIRECT',
          last_response_status: status,
          last_error_message: expect.stringContaining(location),
        });
        expect(sink.received(path)).toHaveLength(seen + 1);
      }
      expect(sink.received(`${path}-inside`)).toEqual([]);
    },
  );
});

describe('Retry-After', () => {
  const HOUR = 3600;
  const inHours = (hours: number) => new Date(Date.now() + hours * HOUR * 1000).toUTCString();
  /** The resulting wait relative to the schedule's: 0.8 to 1.2 without a valid value. */
  const NOTHING = [0.8, 1.21] as const;
  const AS_LITTLE = [1, 1.01] as const;
  const A_DAY = [23.99, 24.01] as const;
  it.each<[string, string, readonly [number, number]]>([
    ['none', '', NOTHING],
    ['garbage', 'soon', NOTHING],
    ['a negative number', '-5', NOTHING],
    ['a fraction', '1.5', NOTHING],
    ['a number in another notation', '1e9', NOTHING],
    ['two at once', '120, 240', NOTHING],
    ['more digits than a number has', '9'.repeat(400), NOTHING],
    ['a date that is none', 'Fri, 99 Foo 2026 99:99:99 GMT', NOTHING],
    ['zero', '0', AS_LITTLE],
    ['less than the schedule says', '10', AS_LITTLE],
    ['a date that has passed', 'Wed, 21 Oct 2015 07:28:00 GMT', AS_LITTLE],
    ['more than the schedule says', String(1.5 * HOUR), [1.49, 1.51]],
    ['a date later than the schedule says', inHours(1.5), [1.45, 1.51]],
    ['a day', String(24 * HOUR), A_DAY],
    ['more than a day', '999999999999', A_DAY],
    ['a distant date', 'Fri, 31 Dec 9999 23:59:59 GMT', A_DAY],
  ])('%s extends the wait to a day at most', async (_, value, [least, most]) => {
    for (const status of [429, 503]) {
      sink.answer(path, { status, headers: value ? { 'retry-after': value } : {} });
      const { trigger_id } = await makeTrigger(service, [{ url: sink.url + path, retry_schedule: [HOUR] }]);
      const event = await whenAll(service, await makeEvent(service, trigger_id), 'RETRYING');
      const delivery = only(event.deliveries);
      expect(delivery).toMatchObject({ reason: 'HTTP_STATUS', last_response_status: status, attempts: 1 });
      const at = (text: string | null) => Date.parse(text ?? '') / 1000;
      const part = (at(delivery.next_attempt_at) - at(delivery.last_attempt_at)) / HOUR;
      expect(part).toBeGreaterThanOrEqual(least);
      expect(part).toBeLessThanOrEqual(most);
    }
  });
});

describe('a response that is larger than announced', () => {
  it('because it is compressed stays compressed, and is truncated and marked', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    expect(bomb.length).toBeGreaterThan(KEPT_BYTES);
    const head = `${OK}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`;
    const url = await receiver((socket) => socket.end(Buffer.concat([Buffer.from(head), bomb])));
    const { attempt } = await outcome(url, 'SUCCEEDED');
    expect(attempt.response).toMatchObject({ status: 200, truncated: true });
    expect(attempt.response?.body.length).toBeLessThanOrEqual(KEPT_BYTES);
  });

  it.each([
    ['exactly as much as is kept', KEPT_BYTES, false],
    ['one byte more', KEPT_BYTES + 1, true],
    ['more than is read', 256 * 1024, true],
  ])('because it has %s is kept to its measure', async (_, bytes, truncated) => {
    sink.answer(path, { body: 'x'.repeat(bytes) });
    const { attempt, delivery } = await outcome(sink.url + path, 'SUCCEEDED');
    expect(attempt.response).toMatchObject({ truncated });
    expect(attempt.response?.body).toBe('x'.repeat(Math.min(bytes, KEPT_BYTES)));
    expect(delivery.last_response_body).toHaveLength(Math.min(bytes, KEPT_BYTES));
  });

  it('because of its headers is rejected', async () => {
    for (const headers of [`x-a: ${'b'.repeat(100_000)}\r\n`, 'x-a: b\r\n'.repeat(20_000)]) {
      const url = await receiver((socket) => socket.end(`${OK}${headers}content-length: 0\r\n\r\n`));
      const { delivery } = await outcome(url, 'FAILED');
      expect(delivery).toMatchObject({ reason: 'CONNECTION_RESET', last_response_status: null });
    }
  });
});

describe('a malformed response', () => {
  it.each([
    ['before HTTP had headers', '<html>hello</html>', 'FAILED', null],
    ['of another protocol', 'SSH-2.0-OpenSSH_9.2\r\n', 'FAILED', null],
    ['of TLS', Buffer.from('15030100020228', 'hex'), 'FAILED', null],
    ['nothing at all', '', 'FAILED', null],
    ['a status that is none', 'HTTP/1.1 999999 What\r\n\r\n', 'FAILED', null],
    ['with two lengths', `${OK}content-length: 2\r\ncontent-length: 3\r\n\r\nabc`, 'FAILED', null],
    [
      'with a length and chunks',
      `${OK}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
      'FAILED',
      null,
    ],
    ['with a chunk that is none', `${OK}transfer-encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n`, 'FAILED', 200],
    ['with NUL in a header', `${OK}x-a: \u0000\r\ncontent-length: 0\r\n\r\n`, 'FAILED', null],
    ['longer than it said', `${OK}content-length: 2\r\n\r\nabc`, 'SUCCEEDED', 200],
    ['shorter than it said', `${OK}content-length: 9\r\n\r\nabc`, 'FAILED', 200],
  ] as const)('%s is taken for what it is', async (_, bytes, status, code) => {
    const url = await receiver((socket) => socket.end(bytes));
    const { delivery } = await outcome(url, status);
    const expected = status === 'SUCCEEDED' ? { last_response_body: 'ab' } : { reason: 'CONNECTION_RESET' };
    expect(delivery).toMatchObject({ ...expected, last_response_status: code });
  });
});

describe('a dead connection to a good receiver', () => {
  it.each([
    ['as it is connected', 'swallow', 0],
    ['after the request', 'swallowAnswersAfter', 0],
    ['in the middle of the answer’s head', 'swallowAnswersAfter', 20],
    ['in the middle of the answer’s body', 'swallowAnswersAfter', 20_000],
    ['with a reset before the answer', 'cutAfter', 200],
    ['with a reset within the answer', 'cutAfter', 20_000],
  ] as const)('%s costs an attempt, and the next one goes through', async (_, fault, bytes) => {
    sink.answer(path, { body: 'y'.repeat(50_000) });
    const proxy = await startFaultProxy({ host: '127.0.0.1', port: Number(new URL(sink.url).port) });
    closers.push(() => proxy.close());
    proxy[fault](bytes);
    // More retries than are made until the repair.
    const retry_schedule = Array(20).fill(1);
    const { trigger_id } = await makeTrigger(service, [
      { url: `http://127.0.0.1:${proxy.port}${path}`, retry_schedule, timeout_seconds: 2 },
    ]);
    const event = await makeEvent(service, trigger_id);
    await expect.poll(async () => only((await readEvent(service, event)).deliveries).status).toBe('RETRYING');
    proxy.repair();
    const done = await whenAll(service, event, 'SUCCEEDED');
    const [first, ...others] = await attemptsOf(service, done);
    expect(first?.reason).toBe(fault === 'cutAfter' ? 'CONNECTION_RESET' : 'TIMEOUT');
    expect(others.at(-1)).toMatchObject({ reason: null, response: { status: 200 } });
    expect(new Set(sink.received(path).map(({ headers }) => headers['webhook-id']))).toEqual(new Set([event.event_id]));
  });
});
