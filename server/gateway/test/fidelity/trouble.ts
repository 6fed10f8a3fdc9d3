import { createHash, randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Received } from '../raw-upstream.ts';
import { ask, assert, type Check, eventually, type Group, type Rig, startLine } from './rig.ts';

const SIZE = 48 * 1024 * 1024;

/** Writes SIZE bytes as fast as the other end accepts them; returns the number of bytes written. */
function pump(socket: Socket): () => number {
  let written = 0;
  const piece = Buffer.alloc(256 * 1024);
  const more = () => {
    while (written < SIZE && !socket.destroyed) {
      written += piece.length;
      if (!socket.write(piece)) return void socket.once('drain', more);
    }
  };
  more();
  return () => written - socket.writableLength;
}
/** Waits until the count stops growing without a reader, well before all of it is in the gateway's memory. */
async function stalled(sent: () => number): Promise<void> {
  let last = -1;
  for (let same = 0; same < 3; ) {
    await new Promise((ok) => setTimeout(ok, 200));
    same = sent() > 0 && sent() === last ? same + 1 : 0;
    last = sent();
  }
  assert.ok(last < SIZE - 8 * 1024 * 1024, `${Math.round(last / 1024 / 1024)} MB were accepted`);
}

/** The app does this after a request; the caller gets a response of the gateway itself. */
function before(name: string, status: number, how: (received: Received) => void): Check {
  return {
    name,
    async run(rig) {
      rig.upstream.answer(how);
      const caller = ask(rig);
      const got = await caller.until(({ got }) => got().includes('\r\n\r\n'));
      caller.socket.destroy();
      assert.match(startLine(got), new RegExp(`^HTTP/1\\.1 ${status} `));
    },
  };
}

/** The app does this within a response; the caller must be able to detect that it is incomplete. */
function after(name: string, begun: string, how: (socket: Socket) => void): Check {
  return {
    name,
    async run(rig) {
      rig.upstream.answer(({ socket }) => {
        socket.write(begun);
        setImmediate(how, socket);
      });
      const caller = ask(rig);
      const got = await caller.until(() => false);
      assert.match(got, /^HTTP\/1\.1 200 [^\r]*\r\n/);
      assert.doesNotMatch(got, /\r\n0\r\n\r\n$/, 'the caller was informed that this is all');
    },
  };
}
const LONG = 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf';
const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n';

/** The caller disconnects after the app received the request; the app must notice. */
async function leaving(rig: Rig, request: Parameters<typeof ask>[1]): Promise<void> {
  let reached = false;
  let gone = false;
  rig.upstream.answerEarly(({ socket }) => {
    reached = true;
    socket.on('close', () => {
      gone = true;
    });
  });
  const caller = ask(rig, request);
  await eventually(() => reached);
  caller.socket.destroy();
  await eventually(() => gone);
}

export const trouble: Group = {
  title: 'Trouble and haste',
  checks: [
    {
      name: 'a caller who leaves ends the request at the app',
      run: (rig) => leaving(rig, {}),
    },
    {
      name: 'one who leaves in the middle of an upload too',
      run: (rig) => leaving(rig, { line: 'POST /x', headers: ['Content-Length: 1000'], body: 'half' }),
    },
    {
      name: 'a slow caller holds the app back',
      async run(rig) {
        let sent = () => 0;
        rig.upstream.answer(({ socket }) => {
          socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${SIZE}\r\n\r\n`);
          sent = pump(socket);
        });
        const caller = ask(rig);
        caller.socket.pause();
        await stalled(() => sent());
        caller.socket.resume();
        await caller.until(() => caller.size() > SIZE);
        caller.socket.destroy();
      },
    },
    {
      name: 'a slow app holds the caller back',
      async run(rig) {
        let socket: Socket | undefined;
        let left = SIZE;
        rig.upstream.answerEarly((each) => {
          socket = each.socket.pause();
          left -= each.body.length;
          socket.on('data', (part: Buffer) => {
            left -= part.length;
            if (left === 0) each.socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok');
          });
        });
        // The gateway waits longer for the app than `stalled` for the standstill.
        const headers = [`Content-Length: ${SIZE}`, 'Service-Timeout: 60'];
        const caller = ask(rig, { line: 'POST /x', headers });
        await stalled(pump(caller.socket));
        socket?.resume();
        await caller.until(() => caller.got().endsWith('ok'));
        caller.socket.destroy();
        assert.equal(left, 0);
      },
    },
    before('a reset before any answer is a 502', 502, ({ socket }) => void socket.resetAndDestroy()),
    before('an end before any answer is a 502', 502, ({ socket }) => void socket.end()),
    before('garbage is a 502', 502, ({ socket }) => void socket.end('SSH-2.0-OpenSSH_9.2\r\n\r\n')),
    before('half a head is a 502', 502, ({ socket }) => void socket.end('HTTP/1.1 200 OK\r\nContent-')),
    before('silence is a 504', 504, () => {}),
    after('a reset in a body of known length cuts', LONG, (socket) => void socket.resetAndDestroy()),
    after('an end in a body of known length cuts', LONG, (socket) => void socket.end()),
    after('a reset between chunks cuts', CHUNKED, (socket) => void socket.resetAndDestroy()),
    after('an end between chunks cuts', CHUNKED, (socket) => void socket.end()),
    after('silence in a body cuts', LONG, () => {}),
  ],
};

/** The Sec-WebSocket-Accept of a key (RFC 6455, 4.2.2). */
const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

export const upgrades: Group = {
  title: 'WebSocket',
  checks: [
    {
      name: 'agreed, then bytes both ways',
      async run(rig) {
        const key = randomBytes(16).toString('base64');
        const accept = createHash('sha1')
          .update(key + MAGIC)
          .digest('base64');
        const bytes = randomBytes(300_000);
        rig.upstream.answerEarly(({ head, body, socket }) => {
          const asked = /^sec-websocket-key: *(\S+)/im.exec(head)?.[1] ?? '';
          const agreed = createHash('sha1')
            .update(asked + MAGIC)
            .digest('base64');
          const lines = ['Upgrade: websocket', 'Connection: Upgrade', `Sec-WebSocket-Accept: ${agreed}`];
          socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\nhello`);
          socket.write(body);
          socket.pipe(socket);
        });
        const caller = ask(rig, {
          headers: [
            'Connection: Upgrade',
            'Upgrade: websocket',
            'Sec-WebSocket-Version: 13',
            `Sec-WebSocket-Key: ${key}`,
          ],
        });
        await caller.until(({ got }) => got().endsWith('hello') || /^HTTP\/1\.1 (?!101)/.test(got()));
        assert.match(caller.got(), /^HTTP\/1\.1 101 /);
        assert.match(caller.got(), new RegExp(`sec-websocket-accept: ${accept.replace(/[+/]/g, '\\$&')}`, 'i'));
        caller.socket.write(bytes);
        const start = caller.size();
        await caller.until(() => caller.size() >= start + bytes.length);
        const echoed = caller.bytes().subarray(start);
        caller.socket.destroy();
        assert.ok(echoed.equals(bytes), 'other bytes');
      },
    },
    {
      name: 'refused in the app’s own words',
      async run(rig) {
        rig.upstream.answer(({ socket }) => {
          socket.write('HTTP/1.1 418 Teapot\r\nX-A: 1\r\nContent-Length: 5\r\n\r\nshort');
        });
        const caller = ask(rig, {
          headers: ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'],
        });
        const got = await caller.until(({ got }) => got().endsWith('short'));
        caller.socket.destroy();
        assert.match(got, /^HTTP\/1\.1 418 Teapot\r\n.*short$/s);
      },
    },
  ],
};
