/**
 * HTTP/1.1 with as little work as possible, for the two ends of the benchmark: both run on the machine they measure,
 * and their CPU time would otherwise make all contestants look alike. Messages have a content-length and no trailers.
 */
import { connect, createServer, type Socket } from 'node:net';

const HEAD_END = '\r\n\r\n';

export type PlainServer = { port: number; close(): void };

/** Starts a server on a loopback port that responds to each body with the returned status. */
export async function serve(statusOf: (body: string) => number): Promise<PlainServer> {
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    readMessages(socket, (_, body) =>
      socket.write(`HTTP/1.1 ${statusOf(body)} -\r\ncontent-length: 2\r\nconnection: keep-alive${HEAD_END}ok`),
    );
  });
  await new Promise<void>((ok) => server.listen(0, '127.0.0.1', ok));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
  return {
    port: address.port,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

export type PlainClient = {
  /** Sends a request when a connection is free. Resolves with the status. */
  post(path: string, headers: Record<string, string>, body: string): Promise<number>;
  close(): void;
};

/** A client with at most `connections` connections to `origin`, each with one request at a time. */
export function plainClient(origin: string, connections: number): PlainClient {
  const { hostname, port, host } = new URL(origin);
  type Request = { message: string; done: (status: number) => void; failed: (error: Error) => void };
  const free: Socket[] = [];
  const waiting: Request[] = [];
  const current = new Map<Socket, Request>();
  let opened = 0;

  function send(socket: Socket, request: Request) {
    current.set(socket, request);
    socket.write(request.message);
  }

  function open(): Socket {
    opened++;
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    readMessages(socket, (head) => {
      const request = current.get(socket);
      current.delete(socket);
      const next = waiting.shift();
      if (next) send(socket, next);
      else free.push(socket);
      request?.done(Number(head.slice(9, 12)));
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      opened--;
      if (free.includes(socket)) free.splice(free.indexOf(socket), 1);
      current.get(socket)?.failed(new Error(`${origin} closed the connection before it responded`));
      current.delete(socket);
    });
    return socket;
  }

  return {
    post(path, headers, body) {
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      const length = Buffer.byteLength(body);
      const message = `POST ${path} HTTP/1.1\r\nhost: ${host}\r\n${lines.join('')}content-length: ${length}${HEAD_END}${body}`;
      return new Promise((done, failed) => {
        const request = { message, done, failed };
        const socket = free.pop() ?? (opened < connections ? open() : undefined);
        if (socket) send(socket, request);
        else waiting.push(request);
      });
    },
    close() {
      for (const socket of [...free, ...current.keys()]) socket.destroy();
    },
  };
}

/** Calls `read` with the head and the body of each message. */
function readMessages(socket: Socket, read: (head: string, body: string) => void): void {
  let data = '';
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    data = data === '' ? chunk : data + chunk;
    for (;;) {
      const end = data.indexOf(HEAD_END);
      if (end < 0) return;
      const head = data.slice(0, end);
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1]);
      // Without a length, the end of the message is unknown, and the benchmark would wait without end.
      if (Number.isNaN(length)) throw new Error(`a message without content-length: ${head}`);
      const whole = end + HEAD_END.length + length;
      if (data.length < whole) return;
      const body = data.slice(end + HEAD_END.length, whole);
      data = data.slice(whole);
      read(head, body);
    }
  });
}
