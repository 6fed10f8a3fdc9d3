import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Received } from '../raw-upstream.ts';
import { ask, assert, type Check, type Group, linesOf, OK, OK_AND_CLOSE, startLine, through, valuesOf } from './rig.ts';

function path(name: string, native: string): Check {
  return {
    name: `path: ${name}`,
    async run(rig) {
      const { received } = await through(rig, { line: `GET ${native}` });
      assert.equal(startLine(received.head), `GET ${native} HTTP/1.1`);
    },
  };
}

function withBody(method: string): Check {
  return {
    name: `${method} with a body`,
    async run(rig) {
      const body = randomBytes(2000);
      const headers = ['Content-Type: application/octet-stream', `Content-Length: ${body.length}`];
      const { received } = await through(rig, { line: `${method} /x`, headers, body });
      assert.equal(startLine(received.head), `${method} /x HTTP/1.1`);
      assert.ok(received.body.equals(body), 'other bytes');
    },
  };
}

/** The request that the app gets for these header lines. */
function headers(name: string, sent: string[], look: (head: string, credential: string) => void): Check {
  return {
    name,
    async run(rig) {
      const { received } = await through(rig, { headers: sent });
      look(received.head, rig.credential);
    },
  };
}
const custom = (head: string) => linesOf(head).filter((line) => /^x-/i.test(line));

export const requests: Group = {
  title: 'Requests',
  checks: [
    path('%2F stays', '/a%2Fb%2fc'),
    path('// stays', '//double//slash'),
    path('.. stays', '/a/../b/./c'),
    path('; and encoded spaces stay', '/p;v=1?x=%20+%2B&x=&y'),
    path('a lone ? stays', '/only?'),
    path('# stays', '/a#b?c'),
    path('quotes, brackets, pipes stay', "/q'(1)*!~[x]|^`{}"),
    path('broken escapes stay', '/%zz%'),
    ...['GET', 'DELETE', 'POST', 'PUT', 'PATCH', 'PROPFIND', 'REPORT', 'QUERY'].map(withBody),
    headers('header order', ['X-C: 1', 'X-A: 2', 'X-B: 3', 'X-A: 4'], (head) =>
      assert.deepEqual(
        custom(head).map((line) => line.toLowerCase()),
        ['x-c: 1', 'x-a: 2', 'x-b: 3', 'x-a: 4'],
      ),
    ),
    headers('header case', ['x-lOwEr: CaSe', 'X-UPPER: 1'], (head) =>
      assert.deepEqual(custom(head), ['x-lOwEr: CaSe', 'X-UPPER: 1']),
    ),
    headers('duplicate headers', ['X-A: 1', 'X-A: 2'], (head) => assert.equal(custom(head).length, 2)),
    headers('header bytes: latin-1 and UTF-8', ['X-L: caf\xe9', 'X-U: caf\xc3\xa9'], (head) =>
      assert.deepEqual(
        custom(head).map((line) => line.slice(4).trim()),
        ['caf\xe9', 'caf\xc3\xa9'],
      ),
    ),
    headers('no Accept-Encoding added', [], (head) => assert.deepEqual(valuesOf(head, 'accept-encoding'), [])),
    headers('nothing else added', ['X-A: 1'], (head) =>
      assert.deepEqual(
        linesOf(head).filter((line) => !/^(?:host|connection|authorization|accept-encoding|x-a):/i.test(line)),
        [],
      ),
    ),
    headers(
      'its own User-Agent and Accept-Encoding stay',
      ['User-Agent: mine', 'Accept-Encoding: zstd;q=0.5'],
      (head) =>
        assert.deepEqual([valuesOf(head, 'user-agent'), valuesOf(head, 'accept-encoding')], [['mine'], ['zstd;q=0.5']]),
    ),
    headers('the caller’s key never reaches the app', [], (head, credential) =>
      assert.deepEqual(valuesOf(head, 'authorization'), [credential.replace(/^authorization: /i, '')]),
    ),
    headers('cookies end here', ['Cookie: session=secret'], (head) => assert.deepEqual(valuesOf(head, 'cookie'), [])),
    headers(
      'hop-by-hop headers end here',
      ['Connection: keep-alive, X-Mine', 'X-Mine: hop', 'Keep-Alive: timeout=9', 'Proxy-Authorization: Basic eA=='],
      (head) => assert.doesNotMatch(head, /x-mine|timeout=9|proxy-authorization/i),
    ),
    headers('30 KB of headers', [`X-Big: ${'b'.repeat(30_000)}`], (head) =>
      assert.ok(head.includes('b'.repeat(30_000))),
    ),
    {
      name: 'chunks flow as they come',
      async run(rig) {
        let got = '';
        rig.upstream.answerEarly(({ body, socket }) => {
          const take = (part: Buffer) => {
            got += part.toString('latin1');
            // Only now the rest is sent: the waiting caller holds the whole request.
            if (got.includes('hello') && !got.includes('world')) caller.socket.write('6\r\n world\r\n0\r\n\r\n');
            if (got.endsWith('0\r\n\r\n')) socket.end(OK_AND_CLOSE);
          };
          take(body);
          socket.on('data', take);
        });
        const caller = ask(rig, { line: 'POST /x', headers: ['Transfer-Encoding: chunked'], body: '5\r\nhello\r\n' });
        await caller.until(() => caller.got().endsWith('ok'));
        caller.socket.destroy();
        assert.match(got, /hello\r\n.*world/s);
      },
    },
    {
      name: 'trailers',
      async run(rig) {
        const headers = ['Transfer-Encoding: chunked', 'Trailer: X-Sum'];
        const body = '5\r\nhello\r\n0\r\nX-Sum: 5\r\n\r\n';
        const { received } = await through(rig, { line: 'POST /x', headers, body });
        assert.match(received.body.toString('latin1'), /0\r\nX-Sum: 5\r\n\r\n$/i);
      },
    },
    {
      name: 'Expect: 100-continue',
      async run(rig) {
        let received: Received | undefined;
        // Apps may respond to the expectation themselves.
        rig.upstream.answerEarly(({ head, body, socket }) => {
          received = { head, body, socket };
          if (/^expect:/im.test(head)) socket.write('HTTP/1.1 100 Continue\r\n\r\n');
          const take = (part: Buffer) => {
            if (received) received.body = Buffer.concat([received.body, part]);
            if (received?.body.length === 2) socket.end(OK_AND_CLOSE);
          };
          take(Buffer.alloc(0));
          socket.on('data', take);
        });
        const caller = ask(rig, { line: 'POST /x', headers: ['Content-Length: 2', 'Expect: 100-continue'] });
        await caller.until(({ got }) => got().includes('\r\n\r\n'));
        assert.match(caller.got(), /^HTTP\/1\.1 100 /);
        caller.socket.write('hi');
        await caller.until(({ got }) => got().endsWith('ok'));
        caller.socket.destroy();
        assert.equal(received?.body.toString(), 'hi');
      },
    },
    {
      name: 'two on one connection',
      async run(rig) {
        const first = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst';
        rig.upstream.answer(({ socket }) => {
          rig.upstream.answer(({ socket }) => void socket.write(OK));
          socket.write(first);
        });
        const caller = ask(rig);
        await caller.until(({ got }) => got().endsWith('first'));
        caller.socket.write(`GET ${rig.prefix}/y HTTP/1.1\r\nHost: localhost\r\n${rig.headers.join('\r\n')}\r\n\r\n`);
        await caller.until(({ got }) => got().endsWith('ok'));
        caller.socket.destroy();
        assert.equal(caller.got().match(/HTTP\/1\.1 200 OK/g)?.length, 2);
      },
    },
    {
      name: '512 MB in flat memory, byte for byte',
      async run(rig) {
        const chunk = randomBytes(1024 * 1024);
        const count = 512;
        const whole = createHash('sha256');
        for (let i = 0; i < count; i++) whole.update(chunk);
        const got = createHash('sha256');
        let left = count * chunk.length;
        rig.upstream.answerEarly(({ body, socket }) => {
          const take = (part: Buffer) => {
            got.update(part);
            left -= part.length;
            if (left === 0) socket.end(OK_AND_CLOSE);
          };
          take(body);
          socket.on('data', take);
        });
        const before = rig.rss();
        let most = before;
        const caller = ask(rig, { line: 'POST /x', headers: [`Content-Length: ${left}`] });
        for (let i = 0; i < count; i++) {
          await taken(caller.socket, chunk);
          most = Math.max(most, rig.rss());
        }
        await caller.until(({ got }) => got().endsWith('ok'));
        caller.socket.destroy();
        assert.equal(got.digest('hex'), whole.digest('hex'));
        // Garbage of three programs in one process may be half of the body, but not all of it.
        assert.ok(most - before < 256 * 1024 * 1024, `grew by ${Math.round((most - before) / 1024 / 1024)} MB`);
      },
    },
  ],
};

/** Resolves when the other end accepts more; throws if it closed. */
async function taken(socket: Socket, chunk: Buffer): Promise<void> {
  if (!socket.write(chunk)) await once(socket, 'drain', { signal: AbortSignal.timeout(10_000) });
}
