/**
 * A TCP proxy that fails on command. It passes everything on until it is set to swallow (each end sees a silent peer),
 * cut (data is lost in the middle), refuse or reset.
 */
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net';

export type FaultProxy = {
  port: number;
  /** Number of open connections. */
  open(): number;
  /** Discards every byte of open and new connections, until `repair`. */
  swallow(): void;
  /** Passes this many more bytes per direction; then the connection breaks without a goodbye. */
  cutAfter(bytes: number): void;
  /** Passes this many more bytes from the server on a connection; then both directions are silent. */
  swallowAnswersAfter(bytes: number): void;
  /** Stops listening and breaks every connection, until `repair`. */
  refuse(): void;
  /** Delays each chunk. */
  delay(ms: number): void;
  /** Passes everything again. Swallowed bytes are lost, and their connections are broken. */
  repair(): void;
  /** Breaks every connection. */
  reset(): void;
  /** New connections lead to another server. */
  leadTo(server: NetConnectOpts): void;
  close(): Promise<void>;
};

type Pair = { near: Socket; far: Socket; spoiled: boolean };

export async function startFaultProxy(first: NetConnectOpts): Promise<FaultProxy> {
  let target = first;
  const pairs = new Set<Pair>();
  let swallowing = false;
  let bytesLeft = Number.POSITIVE_INFINITY;
  let answerBytesLeft = Number.POSITIVE_INFINITY;
  let delayMs = 0;

  const end = (pair: Pair) => {
    pairs.delete(pair);
    // The other side may be a Unix socket, which has no reset.
    pair.near.resetAndDestroy();
    pair.far.destroy();
  };

  function pass(pair: Pair, from: Socket, to: Socket) {
    let passed = 0;
    from.on('data', (chunk: Buffer) => {
      pair.spoiled ||= swallowing;
      if (pair.spoiled) return;
      const answerLeft = from === pair.far ? answerBytesLeft : Number.POSITIVE_INFINITY;
      pair.spoiled = passed + chunk.length > answerLeft;
      const kept = chunk.subarray(0, Math.max(0, Math.min(bytesLeft, answerLeft) - passed));
      passed += kept.length;
      const send = () => {
        if (!to.destroyed) to.write(kept);
        if (kept.length < chunk.length && !pair.spoiled) setImmediate(end, pair);
      };
      if (delayMs > 0) setTimeout(send, delayMs);
      else send();
    });
    from.on('error', () => {});
    from.on('close', () => pair.spoiled || end(pair));
    from.on('end', () => pair.spoiled || to.end());
  }

  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect(target);
    const pair: Pair = { near, far, spoiled: swallowing };
    pairs.add(pair);
    pass(pair, near, far);
    pass(pair, far, near);
  });
  await new Promise<void>((ok) => server.listen(0, '127.0.0.1', ok));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    open: () => pairs.size,
    swallow() {
      swallowing = true;
    },
    cutAfter(bytes) {
      bytesLeft = bytes;
    },
    swallowAnswersAfter(bytes) {
      answerBytesLeft = bytes;
    },
    refuse() {
      server.close();
      for (const pair of pairs) end(pair);
    },
    delay(ms) {
      delayMs = ms;
    },
    repair() {
      swallowing = false;
      bytesLeft = Number.POSITIVE_INFINITY;
      answerBytesLeft = Number.POSITIVE_INFINITY;
      delayMs = 0;
      if (!server.listening) server.listen(port, '127.0.0.1');
      for (const pair of pairs) if (pair.spoiled) end(pair);
    },
    reset() {
      for (const pair of pairs) end(pair);
    },
    leadTo(server) {
      target = server;
    },
    async close() {
      for (const pair of pairs) end(pair);
      await new Promise((ok) => server.close(ok));
    },
  };
}

/** The location of the tests' database server, and its URL through a proxy at `port`. */
export function throughProxy(databaseUrl: string): { target: NetConnectOpts; at: (port: number) => string } {
  const url = new URL(databaseUrl);
  const folder = url.searchParams.get('host');
  const target: NetConnectOpts = folder
    ? { path: `${folder}/.s.PGSQL.${url.port || 5432}` }
    : { host: url.hostname, port: Number(url.port || 5432) };
  return {
    target,
    at(port) {
      const proxied = new URL(url);
      proxied.searchParams.delete('host');
      proxied.hostname = '127.0.0.1';
      proxied.port = String(port);
      return proxied.href;
    },
  };
}
