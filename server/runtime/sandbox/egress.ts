/**
 * Network access of a process without a network. The service's egress proxy listens on a socket, and an address of the
 * process's loopback represents it. All TCP is sent there: fetch and WebSocket as to an HTTP proxy; node:net and
 * everything built on it (node:tls, node:http, database drivers), and Deno.connect, through a listener per connection,
 * which opens a tunnel. The proxy resolves names, and its denials are logged.
 */
import type net from 'node:net';
import { EGRESS_HOST, REFUSAL_HEADER } from '../fleet/frames.ts';
import { type Conn, deno } from './deno.ts';
import { changeNode } from './node.ts';
import { replaceLazily } from './replace-lazily.ts';
import { say } from './scope.ts';
import { targetOf } from './socket-target.ts';

const CHUNK_BYTES = 64 * 1024;
const HEAD_MAX_CHARS = 4096;
const REFUSAL = new RegExp(`\\r\\n${REFUSAL_HEADER}: ([^\\r]*)`, 'i');

/** Connects to the proxy's socket. Returns the HTTP client for fetch. */
export function openEgress(socketPath: string): object {
  const { connect, listen, startTls } = deno;
  const toProxy = () => connect({ transport: 'unix', path: socketPath });

  /** Opens a local port whose connections are forwarded to that of `open`. */
  const portFor = (open: () => Promise<Conn>, isOnce: boolean): number => {
    const listener = listen({ hostname: EGRESS_HOST, port: 0 });
    const take = async () => {
      for await (const local of listener) {
        if (isOnce) listener.close();
        void open().then(
          (remote) => void join(local, remote),
          () => local.close(),
        );
      }
    };
    void take().catch(() => undefined);
    return listener.addr.port;
  };
  /** Opens a tunnel; returns the local address to connect to instead of the target. */
  const reach = async (host: string, port: number) => {
    const remote = await tunnel(toProxy, host, port);
    return { host: EGRESS_HOST, port: portFor(async () => remote, true) };
  };

  changeNode((node) => replaceNodeConnect(node, reach));
  const tcp = async ({ hostname = 'localhost', port }: { hostname?: string; port?: number }) => {
    const local = await reach(hostname, Number(port));
    return connect({ hostname: local.host, port: local.port });
  };
  Object.assign(deno, {
    connect: (options: { transport?: string; hostname?: string; port?: number }) =>
      options.transport && options.transport !== 'tcp' ? connect(options) : tcp(options),
    connectTls: async (options: { hostname?: string; port: number }) =>
      startTls(await tcp(options), { ...options, hostname: options.hostname ?? 'localhost' }),
  });

  const url = `http://${EGRESS_HOST}:${portFor(toProxy, false)}`;
  const client = deno.createHttpClient({ proxy: { transport: 'http', url } });
  const ours: ProxyHandler<typeof WebSocket> = {
    construct: (target, [address, options]: [string, unknown], newTarget) => {
      const given = typeof options === 'string' || Array.isArray(options) ? { protocols: options } : options;
      return Reflect.construct(target, [address, { ...(given as object), client }], newTarget);
    },
  };
  replaceLazily(globalThis, 'WebSocket', (genuine) => new Proxy(genuine, ours));
  return client;
}

/** A Node socket connects when its tunnel is open, and fails as it would without one. */
function replaceNodeConnect(node: typeof net, reach: (host: string, port: number) => Promise<object>): void {
  const plain = node.Socket.prototype.connect;
  node.Socket.prototype.connect = function (this: net.Socket, ...values: unknown[]) {
    const given = targetOf(values);
    if (!given) return Reflect.apply(plain, this, values);
    const { target, done } = given;
    const host = target.host ?? 'localhost';
    if (done) this.once('connect', done);
    // As in connect() itself: writes are queued from now on.
    Object.assign(this, { connecting: true });
    reach(host, Number(target.port)).then(
      (local) => this.destroyed || Reflect.apply(plain, this, [{ ...target, ...local }]),
      (error: Error) => {
        const message = `connect ECONNREFUSED ${host}:${target.port} (${error.message})`;
        this.destroy(Object.assign(new Error(message), { code: 'ECONNREFUSED', syscall: 'connect' }));
      },
    );
    return this;
  } as typeof plain;
}

async function tunnel(toProxy: () => Promise<Conn>, host: string, port: number): Promise<Conn> {
  const conn = await toProxy();
  const name = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  await writeAll(conn, new TextEncoder().encode(`CONNECT ${name}:${port} HTTP/1.1\r\nHost: ${name}:${port}\r\n\r\n`));
  let head = '';
  const byte = new Uint8Array(1);
  // Byte by byte, so that no data after the head is consumed.
  while (!head.endsWith('\r\n\r\n') && head.length < HEAD_MAX_CHARS && (await conn.read(byte)) !== null)
    head += String.fromCharCode(byte[0] ?? 0);
  if (/^HTTP\/1\.1 200 /.test(head)) return conn;
  conn.close();
  const why = REFUSAL.exec(head)?.[1] ?? 'no answer';
  say('warn', `The connection to ${name}:${port} was refused: ${why}`);
  throw new Error(why);
}

async function join(a: Conn, b: Conn): Promise<void> {
  const ends = await Promise.allSettled([carry(a, b), carry(b, a)]);
  for (const conn of ends.length > 0 ? [a, b] : []) close(conn);
}

async function carry(from: Conn, to: Conn): Promise<void> {
  const chunk = new Uint8Array(CHUNK_BYTES);
  try {
    for (let size = await from.read(chunk); size !== null; size = await from.read(chunk))
      await writeAll(to, chunk.subarray(0, size));
    await to.closeWrite();
  } catch {
    // An error on one side closes both.
    close(from);
    close(to);
  }
}

async function writeAll(to: Conn, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length; ) written += await to.write(bytes.subarray(written));
}

function close(conn: Conn): void {
  try {
    conn.close();
  } catch {
    // Already closed.
  }
}
