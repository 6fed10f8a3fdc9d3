/**
 * Connections to apps and receivers: an HTTP/1.1 client. Each connection carries one request at a time; free
 * connections are reused, the most recent first. The limits of the callers bound their number.
 *
 * A general-purpose client spends most of its time on features that a gateway does not need: streams, several requests
 * per connection, other protocols. Here a response is passed from the socket to the caller in one call. WebSockets are
 * not supported.
 */
import { type Dispatcher, errors } from 'undici';
import type { EgressPolicy } from '../egress/egress.ts';
import { Connection, type ConnectionOwner, InFlight } from './connection.ts';
import type { HeldWrites } from './held-writes.ts';
import { requestHead, type WireRequest } from './request.ts';

type WireLimits = {
  connectMs: number;
  /** Time limit until a response begins. */
  answerMs: number;
  /** Time limit without a byte within a response. */
  idleMs: number;
  /** How long an idle connection is kept if the other side announces no timeout. */
  keepMs?: number;
  /** Holds requests until the end of the turn: more requests per second, each slightly later. */
  writes?: HeldWrites;
};

/**
 * Default for an app without a keep-alive timeout. With one, the connection is closed somewhat earlier, and after
 * `KEEP_MAX_MS` at the latest.
 */
const KEEP_MS = 30_000;
const KEEP_MAX_MS = 600_000;
const KEEP_LESS_MS = 2_000;
const READ_BYTES = 65_536;

/** The connections to one origin. */
class Pool {
  readonly free: Connection[] = [];
  readonly connections = new Set<Connection>();
  /** Number of connections being opened. */
  connecting = 0;
  /** TLS session, which shortens the next handshake. */
  session: Buffer | undefined;
  readonly target: { protocol: string; hostname: string; host: string; port: string };

  constructor(origin: string) {
    const { protocol, hostname, host, port } = new URL(origin);
    this.target = { protocol, hostname: hostname.replace(/^\[|\]$/g, ''), host, port };
  }
}

export class ConnectionPool implements ConnectionOwner {
  readonly writes: HeldWrites | undefined;
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
  /** Read buffer shared by all connections: its bytes are processed before the next read. */
  readonly #buffer = Buffer.allocUnsafeSlow(READ_BYTES);
  #closed = false;

  constructor(egress: EgressPolicy, { connectMs, answerMs, idleMs, keepMs = KEEP_MS, writes }: WireLimits) {
    this.writes = writes;
    this.#egress = egress;
    this.#connectMs = connectMs;
    this.#keepMs = keepMs;
    this.#tickMs = Math.max(20, Math.min(1_000, answerMs / 8, idleMs / 8));
    this.answerTicks = this.#ticksOf(answerMs);
    this.idleTicks = this.#ticksOf(idleMs);
    this.#clock = setInterval(() => this.#look(), this.#tickMs).unref();
  }

  #ticksOf(ms: number): number {
    return Math.ceil(ms / this.#tickMs);
  }

  keepTicks(hintMs: number | undefined): number {
    const keepMs = hintMs === undefined ? this.#keepMs : Math.min(hintMs - KEEP_LESS_MS, KEEP_MAX_MS);
    return Math.floor(keepMs / this.#tickMs);
  }

  /** Sends a request; its handler receives the response or the error. Throws for an invalid request. */
  dispatch(request: WireRequest, handler: Dispatcher.DispatchHandler): void {
    const inFlight = new InFlight(request, requestHead(request), handler);
    if (request.answerMs !== undefined) inFlight.answerTicks = this.#ticksOf(request.answerMs);
    handler.onRequestStart?.(inFlight, undefined);
    if (inFlight.aborted) return;
    const pool = this.#poolTo(request.origin);
    let connection = pool.free.pop();
    while (connection && !connection.isUsable) connection = pool.free.pop();
    if (connection) connection.send(inFlight);
    else this.#connect(pool, inFlight);
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

  #connect(pool: Pool, inFlight: InFlight): void {
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
    pool.connecting++;
    connect(pool.target, (error, socket) => {
      pool.connecting--;
      if (!socket) {
        if (!inFlight.aborted)
          inFlight.handler.onResponseError?.(inFlight, error ?? new errors.SocketError('no connection'));
        return;
      }
      if (inFlight.aborted || this.#closed) return void socket.on('error', () => {}).destroy();
      socket.on('session', (given: Buffer) => {
        pool.session = given;
      });
      connection.open(socket);
      this.#poolOf.set(connection, pool);
      pool.connections.add(connection);
      connection.send(inFlight);
    });
  }

  #look(): void {
    this.tick++;
    for (const [origin, { connections, connecting }] of this.#pools) {
      for (const connection of connections) connection.check();
      if (connections.size === 0 && connecting === 0) this.#pools.delete(origin);
    }
  }
}
