/**
 * The connections to apps and receivers: a client of HTTP/1.1. One request at a time goes over each, those that are
 * free are used again, the last one first. How many there may be is bounded by the lines and lanes of those who send.
 *
 * A client for every purpose spends most of its time on what a gateway has no use for: streams, several requests on one
 * connection, other protocols. Here an answer goes from the socket to the caller in one call. WebSockets are not for
 * this one.
 */
import { type Dispatcher, errors } from 'undici';
import type { EgressPolicy } from '../egress/egress.ts';
import { Connection, type ConnectionOwner, InFlight } from './connection.ts';
import { requestHead, type WireRequest } from './request.ts';

type WireLimits = {
  connectMs: number;
  /** Until an answer begins. */
  answerMs: number;
  /** Without a byte of an answer that has begun. */
  idleMs: number;
  /** How long a connection is kept where the other side doesn't say. */
  keepMs?: number;
};

/** Where the app says nothing; if it does, somewhat less than it says, and never more than the latter. */
const KEEP_MS = 30_000;
const KEEP_MAX_MS = 600_000;
const KEEP_LESS_MS = 2_000;
const READ_BYTES = 65_536;

/** Those to one origin. */
class Pool {
  readonly free: Connection[] = [];
  readonly connections = new Set<Connection>();
  /** Connections that are being made. */
  coming = 0;
  /** Of TLS: the next handshake is shorter for it. */
  session: Buffer | undefined;
  readonly target: { protocol: string; hostname: string; host: string; port: string };

  constructor(origin: string) {
    const { protocol, hostname, host, port } = new URL(origin);
    this.target = { protocol, hostname: hostname.replace(/^\[|\]$/g, ''), host, port };
  }
}

export class ConnectionPool implements ConnectionOwner {
  tick = 0;
  readonly answerTicks: number;
  readonly idleTicks: number;
  readonly #egress: EgressPolicy;
  readonly #connectMs: number;
  readonly #keepMs: number;
  readonly #tickMs: number;
  readonly #clock: NodeJS.Timeout;
  readonly #pools = new Map<string, Pool>();
  readonly #poolOf = new WeakMap<Connection, Pool>();
  /** Where every connection's bytes land: they are dealt with before the next ones come. */
  readonly #buffer = Buffer.allocUnsafeSlow(READ_BYTES);
  #closed = false;

  constructor(egress: EgressPolicy, { connectMs, answerMs, idleMs, keepMs = KEEP_MS }: WireLimits) {
    this.#egress = egress;
    this.#connectMs = connectMs;
    this.#keepMs = keepMs;
    this.#tickMs = Math.max(20, Math.min(1_000, answerMs / 8, idleMs / 8));
    this.answerTicks = Math.ceil(answerMs / this.#tickMs);
    this.idleTicks = Math.ceil(idleMs / this.#tickMs);
    this.#clock = setInterval(() => this.#look(), this.#tickMs).unref();
  }

  keepTicks(hintMs: number | undefined): number {
    const keepMs = hintMs === undefined ? this.#keepMs : Math.min(hintMs - KEEP_LESS_MS, KEEP_MAX_MS);
    return Math.floor(keepMs / this.#tickMs);
  }

  /** Sends a request; its handler receives what becomes of it. Throws what can't be sent. */
  dispatch(request: WireRequest, handler: Dispatcher.DispatchHandler): void {
    const turn = new InFlight(request, requestHead(request), handler);
    handler.onRequestStart?.(turn, undefined);
    if (turn.aborted) return;
    const pool = this.#poolTo(request.origin);
    let connection = pool.free.pop();
    while (connection && !connection.isUsable) connection = pool.free.pop();
    if (connection) connection.send(turn);
    else this.#connect(pool, turn);
  }

  free(connection: Connection): void {
    const pool = this.#poolOf.get(connection);
    if (pool && !this.#closed) pool.free.push(connection);
    else connection.drop();
  }

  gone(connection: Connection): void {
    const pool = this.#poolOf.get(connection);
    if (!pool) return;
    pool.connections.delete(connection);
    const place = pool.free.indexOf(connection);
    if (place >= 0) pool.free.splice(place, 1);
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#clock);
    for (const { connections } of this.#pools.values())
      for (const connection of connections) connection.fail(new errors.ClientDestroyedError());
  }

  #poolTo(origin: string): Pool {
    const known = this.#pools.get(origin);
    if (known) return known;
    const pool = new Pool(origin);
    this.#pools.set(origin, pool);
    return pool;
  }

  #connect(pool: Pool, turn: InFlight): void {
    const connection = new Connection(this);
    const buffer = this.#buffer;
    const callback = (length: number) => {
      connection.onRead(buffer, length);
      return true;
    };
    const { session } = pool;
    const connect = this.#egress.connector({
      timeout: this.#connectMs,
      onread: { buffer, callback },
      ...(session ? { session } : {}),
    });
    pool.coming++;
    connect(pool.target, (error, socket) => {
      pool.coming--;
      if (!socket) {
        if (!turn.aborted) turn.handler.onResponseError?.(turn, error ?? new errors.SocketError('no connection'));
        return;
      }
      if (turn.aborted || this.#closed) return void socket.on('error', () => {}).destroy();
      socket.on('session', (given: Buffer) => {
        pool.session = given;
      });
      connection.open(socket);
      this.#poolOf.set(connection, pool);
      pool.connections.add(connection);
      connection.send(turn);
    });
  }

  #look(): void {
    this.tick++;
    for (const [origin, { connections, coming }] of this.#pools) {
      for (const connection of connections) connection.check();
      if (connections.size === 0 && coming === 0) this.#pools.delete(origin);
    }
  }
}
