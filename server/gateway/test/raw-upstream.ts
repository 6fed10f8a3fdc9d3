/** A raw app: a TCP server that records its requests and sends the bytes that a test writes. */
import net from 'node:net';

export type Received = { head: string; body: Buffer; socket: net.Socket };
export type RawUpstream = {
  url: string;
  /** Answers the next request; called once its head and announced body have arrived. */
  answer(how: (received: Received) => void): void;
  /** Like `answer`, as soon as the head has arrived. */
  answerEarly(how: (received: Received) => void): void;
  /** Breaks every connection, and drops the pending answer. */
  hangUp(): Promise<void>;
  close(): Promise<void>;
};

export async function startRawUpstream(): Promise<RawUpstream> {
  let how: ((received: Received) => void) | undefined;
  let early = false;
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    let got = Buffer.alloc(0);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    const listen = (chunk: Buffer) => {
      got = Buffer.concat([got, chunk]);
      const end = got.indexOf('\r\n\r\n');
      if (end < 0 || !how) return;
      const head = got.subarray(0, end + 2).toString('latin1');
      const body = got.subarray(end + 4);
      if (!early && !isWhole(head, body)) return;
      const answerNow = how;
      how = undefined;
      got = Buffer.alloc(0);
      // After an early response, the test reads the rest.
      if (early) socket.off('data', listen);
      answerNow({ head, body, socket });
    };
    socket.on('data', listen);
  });
  await new Promise<void>((ok) => server.listen(0, '127.0.0.1', ok));
  const { port } = server.address() as net.AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    answer(next) {
      early = false;
      how = next;
    },
    answerEarly(next) {
      early = true;
      how = next;
    },
    async hangUp() {
      how = undefined;
      const gone = [...sockets].map((socket) => new Promise((ok) => socket.once('close', ok).destroy()));
      await Promise.all(gone);
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((ok) => server.close(ok));
    },
  };
}

function isWhole(head: string, body: Buffer): boolean {
  const length = /^content-length: *(\d+)/im.exec(head)?.[1];
  if (length) return body.length >= Number(length);
  if (/^transfer-encoding: *chunked/im.test(head)) return /0\r\n(?:[^\r\n]+\r\n)*\r\n/.test(body.toString('latin1'));
  return true;
}

/** A raw caller: sends a request and collects the response bytes. */
export type RawCaller = {
  socket: net.Socket;
  /** All that came so far. */
  bytes(): Buffer;
  got(): string;
  size(): number;
  /** Resolves once `enough` says so, or when the connection ended, with all that came. */
  until(enough: (caller: RawCaller) => boolean): Promise<string>;
  ended(): boolean;
};

export function rawCall(port: number, request: string | Buffer): RawCaller {
  const socket = net.connect(port, '127.0.0.1');
  let chunks: Buffer[] = [];
  let size = 0;
  let over = false;
  const waiting: (() => void)[] = [];
  const wake = () => {
    for (const each of waiting.splice(0)) each();
  };
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    wake();
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    over = true;
    wake();
  });
  socket.write(request);
  const caller: RawCaller = {
    socket,
    bytes() {
      chunks = [Buffer.concat(chunks)];
      return chunks[0] ?? Buffer.alloc(0);
    },
    got: () => caller.bytes().toString('latin1'),
    size: () => size,
    ended: () => over,
    async until(enough) {
      while (!enough(caller) && !over) await new Promise<void>((ok) => waiting.push(ok));
      return caller.got();
    },
  };
  return caller;
}
