import { randomBytes } from 'node:crypto';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import type { Received } from '../raw-upstream.ts';
import {
  ask,
  assert,
  bodyOf,
  type Check,
  eventually,
  type Group,
  OK,
  ownLines,
  startLine,
  through,
  valuesOf,
} from './rig.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');

function compressed(encoding: string, compress: (data: Buffer) => Buffer): Check {
  return {
    name: `${encoding} bodies, byte for byte`,
    async run(rig) {
      const body = compress(Buffer.from('body '.repeat(2000) + randomBytes(1000).toString('hex')));
      const head = `HTTP/1.1 200 OK\r\nContent-Encoding: ${encoding}\r\nContent-Length: ${body.length}\r\n\r\n`;
      const answer = Buffer.concat([latin1(head), body]);
      const { bytes, got } = await through(
        rig,
        {},
        answer,
        (got) => got.length - got.indexOf('\r\n\r\n') - 4 >= body.length,
      );
      assert.ok(bytes.subarray(bytes.indexOf('\r\n\r\n') + 4).equals(body), 'other bytes');
      assert.deepEqual(valuesOf(got, 'content-encoding'), [encoding]);
    },
  };
}

function status(line: string, name: string, lines = 'Content-Length: 0\r\n'): Check {
  return {
    name,
    async run(rig) {
      const { got } = await through(rig, {}, `HTTP/1.1 ${line}\r\nX-A: 1\r\n${lines}\r\n`);
      assert.equal(startLine(got), `HTTP/1.1 ${line}`);
      assert.deepEqual(valuesOf(got, 'x-a'), ['1']);
    },
  };
}

/** The response that the caller gets for these header lines. */
function headers(name: string, sent: string[], look: (lines: string[]) => void): Check {
  return {
    name,
    async run(rig) {
      const lines = [...sent, 'Content-Length: 2'];
      const { got } = await through(rig, {}, latin1(`HTTP/1.1 200 OK\r\n${lines.join('\r\n')}\r\n\r\nok`));
      look(ownLines(got));
    },
  };
}
const named = (lines: string[], pattern: RegExp) => lines.filter((line) => pattern.test(line));

export const answers: Group = {
  title: 'Answers',
  checks: [
    compressed('gzip', gzipSync),
    compressed('br', brotliCompressSync),
    compressed('zstd', zstdCompressSync),
    headers('header order', ['X-C: 1', 'X-A: 2', 'X-B: 3', 'X-A: 4'], (lines) =>
      assert.deepEqual(
        named(lines, /^x-/i).map((line) => line.toLowerCase()),
        ['x-c: 1', 'x-a: 2', 'x-b: 3', 'x-a: 4'],
      ),
    ),
    headers('header case', ['x-lOwEr: CaSe', 'ETAG: "A"'], (lines) =>
      assert.deepEqual(named(lines, /^(?:x-lower|etag)/i), ['x-lOwEr: CaSe', 'ETAG: "A"']),
    ),
    headers('duplicate headers', ['Set-Cookie: a=1', 'Set-Cookie: b=2', 'Via: x', 'Via: y'], (lines) =>
      assert.equal(named(lines, /^(?:set-cookie|via): [abxy]/i).length, 4),
    ),
    headers('header bytes: latin-1', ['X-L: caf\xe9'], (lines) =>
      assert.ok(lines.some((line) => line.endsWith('caf\xe9'))),
    ),
    headers('header bytes: UTF-8', ['X-U: caf\xc3\xa9'], (lines) =>
      assert.ok(lines.some((line) => line.endsWith('caf\xc3\xa9'))),
    ),
    headers('an empty header', ['X-Empty:'], (lines) => assert.equal(named(lines, /^x-empty: *$/i).length, 1)),
    headers('no Date added', [], (lines) => assert.deepEqual(named(lines, /^date/i), [])),
    headers('no Server added', [], (lines) => assert.deepEqual(named(lines, /^server/i), [])),
    headers('nothing else added', ['X-A: 1'], (lines) =>
      assert.deepEqual(named(lines, /^(?!date|server|x-a|content-length)/i), []),
    ),
    headers('its own Date and Server kept', ['Date: yesterday', 'Server: theirs/1'], (lines) => {
      assert.deepEqual(named(lines, /^date/i), ['Date: yesterday']);
      assert.deepEqual(named(lines, /^server/i), ['Server: theirs/1']);
    }),
    {
      name: 'hop-by-hop headers end here',
      async run(rig) {
        const answer =
          'HTTP/1.1 200 OK\r\nConnection: keep-alive, X-Hop\r\nKeep-Alive: timeout=9\r\nX-Hop: 1\r\nX-Stays: 1\r\nContent-Length: 2\r\n\r\nok';
        const { got } = await through(rig, {}, answer);
        assert.doesNotMatch(got, /x-hop: 1|timeout=9/i);
        assert.deepEqual(valuesOf(got, 'x-stays'), ['1']);
      },
    },
    status('200 All is well', 'its own reason phrase'),
    status('204 No Content', '204', ''),
    status('304 Not Modified', '304 with headers', 'ETag: "e"\r\n'),
    status('302 Found', '302 is not followed', 'Location: http://127.0.0.1:1/\r\nContent-Length: 0\r\n'),
    status('401 Unauthorized', '401', 'WWW-Authenticate: Bearer realm="theirs"\r\nContent-Length: 0\r\n'),
    status('503 Service Unavailable', '503', 'Retry-After: 7\r\nContent-Length: 0\r\n'),
    status('599 Own', 'a nonstandard status'),
    {
      name: 'HEAD keeps Content-Length',
      async run(rig) {
        const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 1234\r\nETag: "e"\r\n\r\n';
        const { received, got } = await through(rig, { line: 'HEAD /x' }, answer);
        assert.equal(startLine(received.head), 'HEAD /x HTTP/1.1');
        assert.deepEqual(valuesOf(got, 'content-length'), ['1234']);
      },
    },
    {
      name: 'OPTIONS is answered by the app',
      async run(rig) {
        const answer = 'HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: https://theirs\r\nContent-Length: 0\r\n\r\n';
        const { received, got } = await through(rig, { line: 'OPTIONS /x', headers: ['Origin: https://a'] }, answer);
        assert.deepEqual(valuesOf(received.head, 'origin'), ['https://a']);
        assert.deepEqual(valuesOf(got, 'access-control-allow-origin'), ['https://theirs']);
      },
    },
    {
      name: '103 Early Hints',
      async run(rig) {
        const answer = `HTTP/1.1 103 Early Hints\r\nLink: </s.css>; rel=preload\r\n\r\n${OK}`;
        const { got } = await through(rig, {}, answer, (got) => got.endsWith('ok'));
        assert.match(
          got,
          /^HTTP\/1\.1 103 Early Hints\r\n(?:\S+: .*\r\n)*Link: <\/s\.css>; rel=preload\r\n(?:\S+: .*\r\n)*\r\nHTTP\/1\.1 200 OK\r\n/i,
        );
      },
    },
    {
      name: '100 Continue that was not requested',
      async run(rig) {
        const { got } = await through(rig, {}, `HTTP/1.1 100 Continue\r\n\r\n${OK}`, (got) => /ok$|}$|>\s*$/.test(got));
        assert.match(got, /HTTP\/1\.1 200 OK\r\n/);
      },
    },
    {
      name: 'chunks',
      async run(rig) {
        const answer = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n4\r\ndefg\r\n0\r\n\r\n';
        const { got } = await through(rig, {}, answer, (got) => got.endsWith('0\r\n\r\n'));
        assert.equal(bodyOf(got), 'abcdefg');
      },
    },
    {
      name: 'trailers',
      async run(rig) {
        const answer =
          'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 7\r\n\r\n';
        const { got } = await through(rig, { headers: ['TE: trailers'] }, answer, (got) =>
          /\r\n0\r\n(?:.*\r\n)?\r\n$/s.test(got),
        );
        assert.match(got, /\r\n0\r\nX-Sum: 7\r\n\r\n$/i);
      },
    },
    {
      name: 'a body that ends with the connection',
      async run(rig) {
        rig.upstream.answer(({ socket }) => void socket.end('HTTP/1.1 200 OK\r\nX-A: 1\r\n\r\nuntil the end'));
        const caller = ask(rig, { headers: ['Connection: close'] });
        assert.equal(bodyOf(await caller.until(() => false)), 'until the end');
      },
    },
    {
      name: 'an event stream’s headers before its first event',
      async run(rig) {
        await stream(rig, async (caller) => {
          assert.match(await caller.until(({ got }) => got().includes('\r\n\r\n')), /text\/event-stream/);
        });
      },
    },
    {
      name: 'each event at once',
      async run(rig) {
        await stream(rig, async (caller, send) => {
          for (const event of ['data: one\n\n', 'data: two\n\n']) {
            send(event);
            await caller.until(({ got }) => bodyOf(got()).endsWith(event));
          }
        });
      },
    },
  ],
};

type Caller = ReturnType<typeof ask>;
/** An app that has opened an event stream. */
async function stream(
  rig: Parameters<Check['run']>[0],
  look: (caller: Caller, send: (event: string) => void) => Promise<void>,
) {
  let socket: Received['socket'] | undefined;
  rig.upstream.answer((each) => {
    socket = each.socket;
    socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n');
  });
  const caller = ask(rig, { headers: ['Accept: text/event-stream'] });
  await eventually(() => socket !== undefined);
  await look(caller, (event) => socket?.write(`${event.length.toString(16)}\r\n${event}\r\n`));
  caller.socket.destroy();
}
