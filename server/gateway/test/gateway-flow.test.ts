/** Errors of the app, as responses of the service. The bytes are checked in fidelity/. */
import { beforeAll, describe, expect, it } from 'vitest';
import { addConnectedApp } from '../../connections/test/connecting.ts';
import { forAll, serviceForAll } from '../../test/shared-set-up.ts';
import { type Received, rawCall, startRawUpstream } from './raw-upstream.ts';

const upstream = forAll(startRawUpstream);
const service = serviceForAll();
let app: string;
beforeAll(async () => {
  app = await addConnectedApp(service, upstream.url);
});

describe('before any response', () => {
  it.each<[string, string, (each: Received) => void]>([
    ['a reset', 'ECONNRESET', ({ socket }) => socket.resetAndDestroy()],
    ['an end', 'UND_ERR_SOCKET', ({ socket }) => socket.end()],
    ['garbage', 'HTTPParserError', ({ socket }) => socket.end('SSH-2.0-OpenSSH_9.2\r\n')],
    ['half a head', 'UND_ERR_SOCKET', ({ socket }) => socket.end('HTTP/1.1 200 OK\r\nContent-')],
    ['headers without end', 'UND_ERR_HEADERS_OVERFLOW', ({ socket }) => endless(socket)],
  ])('%s is a 502 with the error code', async (_, code, how) => {
    upstream.answer(how);
    const answer = await service.api('GET', `/${app}/x`, undefined, { headers: { 'x-request-id': 'mine' } });
    expect(answer.status).toBe(502);
    expect(answer.headers.get('x-request-id')).toBe('mine');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.body).toEqual({
      message:
        code === 'HTTPParserError' || code === 'UND_ERR_HEADERS_OVERFLOW'
          ? `The app’s response was malformed (${code}).`
          : `The app was reached, but the connection ended before its response (${code}).`,
      type: 'Bad Gateway',
      code: 502,
    });
  });

  it('a response to HEAD has no body', async () => {
    upstream.answer(({ socket }) => socket.end());
    const request = `HEAD /api/${app}/x HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${service.key}\r\nConnection: close\r\n\r\n`;
    const got = await rawCall(service.port, request).until(() => false);
    expect(got).toMatch(/^HTTP\/1\.1 502 Bad Gateway\r\n/);
    expect(got.endsWith('\r\n\r\n')).toBe(true);
  });
});

describe('a connection to the app', () => {
  const call = () => service.api('GET', `/${app}/x`);
  const ok = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n';

  it('is reused after a complete response', async () => {
    const sockets = new Set<Received['socket']>();
    for (let i = 0; i < 3; i++) {
      upstream.answer(({ socket }) => {
        sockets.add(socket);
        socket.write(`${ok}{}`);
      });
      expect((await call()).status).toBe(200);
    }
    expect(sockets.size).toBe(1);
  });

  it('is closed if the response is followed by more data, which is discarded', async () => {
    upstream.answer(({ socket }) => socket.write(`${ok}{}${ok.replace('200 OK', '418 Evil')}{}`));
    expect((await call()).status).toBe(200);
    upstream.answer(({ socket }) => socket.write(`${ok}[]`));
    expect(await call()).toMatchObject({ status: 200, body: [] });
  });

  it('is closed if data arrives between two calls', async () => {
    let first: Received['socket'] | undefined;
    upstream.answer(({ socket }) => {
      first = socket;
      socket.write(`${ok}{}`);
    });
    expect((await call()).status).toBe(200);
    const cut = new Promise((gone) => first?.once('close', gone));
    first?.write(`${ok}{}`);
    await cut;
    upstream.answer(({ socket }) => socket.write(`${ok}[]`));
    expect(await call()).toMatchObject({ status: 200, body: [] });
  });

  it('is not reused if the app responds before the whole body; the caller gets the response', async () => {
    const early = new Promise<Received['socket']>((received) =>
      upstream.answerEarly(({ socket }) => {
        socket.write(`${ok}{}`);
        received(socket);
      }),
    );
    const lines = [`POST /api/${app}/x HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${service.key}`];
    const caller = rawCall(service.port, `${lines.join('\r\n')}\r\nContent-Length: 9\r\n\r\nfour`);
    expect(await caller.until(({ got }) => got().endsWith('{}'))).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    const socket = await early;
    if (!socket.destroyed) await new Promise((gone) => socket.once('close', gone));
    caller.socket.destroy();
    upstream.answer((each) => each.socket.write(`${ok}[]`));
    expect(await call()).toMatchObject({ status: 200, body: [] });
  });
});

function endless(socket: Received['socket']) {
  socket.write('HTTP/1.1 200 OK\r\n');
  const more = () => {
    while (!socket.destroyed && socket.write(`X-A: ${'b'.repeat(1000)}\r\n`));
    if (!socket.destroyed) socket.once('drain', more);
  };
  more();
}
