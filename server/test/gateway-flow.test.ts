/** Trouble at the app, in the service's own words. What becomes of bytes is in fidelity/. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

describe('before any answer', () => {
  it.each<[string, string, (each: Heard) => void]>([
    ['a reset', 'ECONNRESET', ({ socket }) => socket.resetAndDestroy()],
    ['an end', 'UND_ERR_SOCKET', ({ socket }) => socket.end()],
    ['garbage', 'HTTPParserError', ({ socket }) => socket.end('SSH-2.0-OpenSSH_9.2\r\n')],
    ['half a head', 'UND_ERR_SOCKET', ({ socket }) => socket.end('HTTP/1.1 200 OK\r\nContent-')],
    ['headers without end', 'UND_ERR_HEADERS_OVERFLOW', ({ socket }) => endless(socket)],
  ])('%s is a 502 that says its code', async (_, code, how) => {
    upstream.answer(how);
    const answer = await service.api('GET', `/${app}/x`, undefined, { headers: { 'x-request-id': 'mine' } });
    expect(answer.status).toBe(502);
    expect(answer.headers.get('x-request-id')).toBe('mine');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.body).toEqual({
      message: `The app could not be reached (${code}).`,
      type: 'Bad Gateway',
      code: 502,
    });
  });

  it('an answer to HEAD has no body', async () => {
    upstream.answer(({ socket }) => socket.end());
    const request = `HEAD /api/${app}/x HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\nConnection: close\r\n\r\n`;
    const got = await rawCall(service.port, request).until(() => false);
    expect(got).toMatch(/^HTTP\/1\.1 502 Bad Gateway\r\n/);
    expect(got.endsWith('\r\n\r\n')).toBe(true);
  });
});

function endless(socket: Heard['socket']) {
  socket.write('HTTP/1.1 200 OK\r\n');
  const more = () => {
    while (!socket.destroyed && socket.write(`X-A: ${'b'.repeat(1000)}\r\n`));
    if (!socket.destroyed) socket.once('drain', more);
  };
  more();
}
