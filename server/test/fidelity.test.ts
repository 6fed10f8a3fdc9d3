/** The gateway changes nothing: raw bytes in, raw bytes out, looked at from both ends of real sockets. */
import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addApp, connect } from './connecting.ts';
import { type Heard, type RawCaller, type RawUpstream, rawCall, startRawUpstream } from './raw-upstream.ts';
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

let heard: Heard | undefined;
beforeEach(() => {
  heard = undefined;
});

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const OK_AND_CLOSE = 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok';
/** One request through the gateway; the upstream answers `answer`, and the caller waits for `enough`. */
async function through(
  request: { line?: string; headers?: string[]; body?: string | Buffer },
  answer: string | Buffer = OK,
  enough: (caller: RawCaller) => boolean = (caller) => caller.got().includes('\r\n\r\n'),
) {
  upstream.answer((each) => {
    heard = each;
    each.socket.write(answer);
  });
  const lines = [
    `${request.line ?? `GET /api/${app}/x`} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${service.key}`,
    ...(request.headers ?? []),
  ];
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  const caller = rawCall(service.port, Buffer.concat([head, Buffer.from(request.body ?? '')]));
  await caller.until(enough);
  caller.socket.destroy();
  return caller;
}
/** A request whose head goes on. */
const head = (method = 'GET') =>
  `${method} /api/${app}/x HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\n`;
const headersOf = (text: string) => text.split('\r\n\r\n')[0]?.split('\r\n').slice(1) ?? [];
/** What our own connection says of itself. */
const ownHop = /^(?:connection|keep-alive|transfer-encoding):/i;

describe('an answer', () => {
  it('comes back with its headers in order, case, duplicates and bytes, and none added', async () => {
    const headers = [
      'X-First: 1',
      'Set-Cookie: a=1; Path=/',
      'x-lOwEr: CaSe',
      'Set-Cookie: b=2',
      'X-Latin: caf\xe9 \xc3\xa9',
      'X-Empty: ',
      'Content-Length: 2',
      'Zz: last',
    ];
    const got = (
      await through({}, Buffer.from(`HTTP/1.1 200 OK\r\n${headers.join('\r\n')}\r\n\r\nok`, 'latin1'))
    ).got();
    expect(headersOf(got).filter((each) => !ownHop.test(each))).toEqual(headers);
    expect(got.endsWith('\r\n\r\nok')).toBe(true);
  });

  it('loses only what is about the connection it came on', async () => {
    const answer =
      'HTTP/1.1 200 OK\r\nConnection: keep-alive, X-Hop\r\nKeep-Alive: timeout=9\r\nX-Hop: 1\r\nX-Stays: 1\r\nContent-Length: 2\r\n\r\nok';
    const got = (await through({}, answer)).got();
    expect(got).not.toMatch(/X-Hop|timeout=9/);
    expect(got).toContain('X-Stays: 1');
  });

  it.each(['gzip', 'br', 'zstd'])('keeps a %s body byte for byte', async (encoding) => {
    const body = encoding === 'gzip' ? gzipSync('x'.repeat(5000)) : randomBytes(3000);
    const head = `HTTP/1.1 200 OK\r\nContent-Encoding: ${encoding}\r\nContent-Length: ${body.length}\r\n\r\n`;
    const caller = await through(
      {},
      Buffer.concat([Buffer.from(head), body]),
      (caller) => caller.size() > body.length + 60,
    );
    const bytes = caller.bytes();
    expect(bytes.subarray(bytes.length - body.length).equals(body)).toBe(true);
    expect(heard?.head).not.toMatch(/accept-encoding/i);
  });

  it.each([
    ['201 Made it so', '201 Made it so'],
    ['204 No Content', '204 No Content'],
    ['302 Found', '302 Found'],
    ['304 Not Modified', '304 Not Modified'],
    ['404 Nope', '404 Nope'],
    ['429 Slow down', '429 Slow down'],
    ['500 Oh', '500 Oh'],
    ['599 Own', '599 Own'],
  ])('keeps the status line %s and follows nothing', async (status, line) => {
    const body = /^(?:204|304)/.test(status) ? '' : 'Content-Length: 0\r\n';
    const got = (await through({}, `HTTP/1.1 ${status}\r\nLocation: http://127.0.0.1:1/\r\n${body}\r\n`)).got();
    expect(got.startsWith(`HTTP/1.1 ${line}\r\n`)).toBe(true);
    expect(got).toContain('Location: http://127.0.0.1:1/');
    expect(got).not.toMatch(/^(?:date|server|x-request-id):/im);
  });

  it('to HEAD keeps its length without a body', async () => {
    const got = (
      await through({ line: `HEAD /api/${app}/x` }, 'HTTP/1.1 200 OK\r\nContent-Length: 1234\r\nETag: "e"\r\n\r\n')
    ).got();
    expect(got).toContain('Content-Length: 1234');
    expect(got.endsWith('\r\n\r\n')).toBe(true);
    expect(heard?.head.startsWith('HEAD /x ')).toBe(true);
  });

  it('to OPTIONS is the app’s own', async () => {
    const answer = 'HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: https://their.example\r\nContent-Length: 0\r\n\r\n';
    const got = (
      await through({ line: `OPTIONS /api/${app}/x`, headers: ['Origin: https://a.example'] }, answer)
    ).got();
    expect(got).toContain('Access-Control-Allow-Origin: https://their.example');
    expect(heard?.head).toContain('Origin: https://a.example');
  });

  it('in chunks keeps its bytes and its trailers', async () => {
    const answer =
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n3\r\nabc\r\n4\r\ndefg\r\n0\r\nX-Sum: 7\r\n\r\n';
    const got = (await through({}, answer, ({ got }) => got().includes('0\r\nX-Sum'))).got();
    expect(got).toContain('Trailer: X-Sum');
    expect(got.replace(/\r\n\d+\r\n/g, '')).toContain('defg');
    expect(got).toContain('X-Sum: 7\r\n');
  });

  it('without a length ends where the app ends it', async () => {
    upstream.answer(({ socket }) => socket.end('HTTP/1.1 200 OK\r\n\r\nuntil the end'));
    const response = await service.api<string>('GET', `/${app}/x`);
    expect(response.body).toBe('until the end');
  });

  it('as an event stream arrives event by event, its headers before the first', async () => {
    let socket: Heard['socket'] | undefined;
    upstream.answer((each) => {
      socket = each.socket;
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n');
    });
    const caller = rawCall(service.port, `${head()}Accept: text/event-stream\r\n\r\n`);
    expect(await caller.until(({ got }) => got().includes('\r\n\r\n'))).toContain('text/event-stream');
    socket?.write('9\r\ndata: 1\n\n\r\n');
    expect(await caller.until(({ got }) => got().includes('data: 1'))).not.toContain('data: 2');
    socket?.write('9\r\ndata: 2\n\n\r\n');
    await caller.until(({ got }) => got().includes('data: 2'));
    caller.socket.destroy();
  });

  it('may be preceded by hints', async () => {
    const answer = `HTTP/1.1 103 Early Hints\r\nLink: </s.css>; rel=preload\r\n\r\n${OK}`;
    const got = (await through({}, answer, ({ got }) => got().endsWith('ok'))).got();
    expect(got.startsWith('HTTP/1.1 103 Early Hints\r\nLink: </s.css>; rel=preload\r\n\r\nHTTP/1.1 200 OK\r\n')).toBe(
      true,
    );
  });
});

describe('a request', () => {
  it.each([
    '/a%2Fb%2fc',
    '//double//slash',
    '/a/../b/./c',
    '/p;v=1?x=%20+%2B&x=&y',
    '/only?',
    '/?',
    "/quotes'(1)*!~[x]|^`{}",
    '/%zz%',
    '?only=query',
    '',
  ])('keeps the path %j', async (rest) => {
    await through({ line: `GET /api/${app}${rest}` });
    const expected = rest.startsWith('/') ? rest : `/${rest}`;
    expect(heard?.head.split('\r\n')[0]).toBe(`GET ${expected} HTTP/1.1`);
  });

  it('keeps its headers in order, case and duplicates, but for those that are not the app’s', async () => {
    const kept = ['X-B: 2', 'x-a: 1', 'X-B: 3', 'Accept: */*', 'X-Latin: caf\xe9', 'X-Request-Id: mine'];
    await through({
      headers: [
        ...kept,
        'Cookie: sluice_session=secret',
        'Proxy-Authorization: Basic eA==',
        'Proxy-Connection: keep-alive',
        'Service-Other: 1',
        'TE: trailers',
        'Connection: keep-alive, X-Mine',
        'X-Mine: hop',
      ],
    });
    expect(headersOf(heard?.head ?? '').filter(Boolean)).toEqual([
      `host: ${new URL(upstream.url).host}`,
      'connection: keep-alive',
      ...kept,
      'Authorization: Bearer upstream-secret',
    ]);
  });

  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'REPORT'])(
    'by %s keeps its body',
    async (method) => {
      const body = randomBytes(2000);
      const headers = ['Content-Type: application/octet-stream', `Content-Length: ${body.length}`];
      await through({ line: `${method} /api/${app}/x`, headers, body });
      expect(heard?.head.startsWith(`${method} /x HTTP/1.1\r\n`)).toBe(true);
      expect(heard?.body.equals(body)).toBe(true);
    },
  );

  it('in chunks stays in chunks', async () => {
    let got = '';
    upstream.answerEarly(({ head, body, socket }) => {
      const take = (part: Buffer) => {
        got += part.toString();
        if (got.endsWith('0\r\n\r\n')) socket.end(OK_AND_CLOSE);
      };
      got = head;
      take(body);
      socket.on('data', take);
      caller.socket.write('6\r\n world\r\n0\r\n\r\n');
    });
    const caller = rawCall(service.port, `${head('POST')}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n`);
    await caller.until(() => caller.got().endsWith('ok'));
    expect(got).toMatch(/transfer-encoding: chunked/i);
    expect(got).toMatch(/5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n$/);
    caller.socket.destroy();
  });

  it('that waits for 100 Continue is told to go on', async () => {
    const headers = ['Content-Length: 2', 'Expect: 100-continue'];
    const caller = await through({ line: `POST /api/${app}/x`, headers, body: 'hi' }, OK, ({ got }) =>
      got().endsWith('ok'),
    );
    expect(caller.got()).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
    expect(heard?.head).not.toMatch(/expect/i);
  });

  it('of 30 KB of headers passes', async () => {
    await through({ headers: [`X-Big: ${'b'.repeat(30_000)}`] });
    expect(heard?.head).toContain('b'.repeat(30_000));
  });
});
