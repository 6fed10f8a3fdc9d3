/**
 * The pass-through: `{base_url}/<app>/<native path>?<query>` becomes a call of that app's own API, with the credentials
 * of one of the account's connections, and the app's answer comes back as the app sent it.
 *
 * Who calls is settled before (http/doors/gateway-front.ts: key, rate limit); here a connection is chosen, the
 * request's headers are read once, and bytes flow both ways without being looked at. Nothing is decoded, reordered,
 * followed or tried again, but for one case: after a 401 a token that can be renewed is, and the request is sent once
 * more. The service speaks for itself only where no answer of the app exists: 4xx when no connection fits, 502 when the
 * app can't be reached or answers garbage, 504 when it is too slow. Once its headers have gone out, trouble cuts the
 * connection, so that a broken answer never looks whole. Each call is noted in the log of calls when it is over
 * (gateway/calls-log.ts).
 */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Agent } from 'undici';
import { choose, chooseCached } from '../../connections/upstream/choose.ts';
import type { Upstream } from '../../connections/upstream/upstream.ts';
import { ChurnMap } from '../../lib/churn-map.ts';
import { drainRequest } from '../../lib/drain-request.ts';
import { Failure } from '../../lib/failure.ts';
import { hasBody } from '../../lib/has-body.ts';
import type { Services } from '../../platform/context.ts';
import { ConnectionPool } from '../../platform/http1/connection-pool.ts';
import { bodyOf } from './body.ts';
import { type Call, type Caller, newCall } from './call.ts';
import { ConcurrencyLimit, type ConcurrencyLimits } from './concurrency-limit.ts';
import { Exchange } from './exchange.ts';
import { answerTool, namesTool } from './mcp.ts';
import { refuse } from './refuse.ts';
import type { Tunnel } from './tunnel.ts';

export type { Tunnel };

export type Gateway = {
  /**
   * `rest` is the raw path and query after `/<app>`; the caller's key has been checked. With a `tunnel` the caller asks
   * for a WebSocket. Throws, or rejects, where no connection fits: until then nothing has been answered. It runs
   * synchronously where the connection was chosen recently.
   */
  handle(
    req: IncomingMessage,
    res: ServerResponse,
    caller: Caller,
    app: string,
    rest: string,
    tunnel?: Tunnel,
  ): void | Promise<void>;
  /** Ends the WebSockets, which a stop can't wait for, and records them as cut by it. */
  hangUp(): void;
  /**
   * Cuts the calls that are open, and records them as cut by the stop of the service. A caller whose response has not
   * begun gets 503. Calls of runs are recorded likewise when their run is stopped.
   */
  cutOff(): void;
  close(): Promise<void>;
};
/** A call whose response is not over. */
type OpenCall = { call: Call; res: ServerResponse; cut(): void };
/** What a call begins with. */
type Given = {
  req: IncomingMessage;
  res: ServerResponse;
  caller: Caller;
  app: string;
  rest: string;
  tunnel: Tunnel | undefined;
  startedMs: number;
};
export type GatewayLimits = ConcurrencyLimits & {
  /** Until the app's answer begins. */
  answerMs: number;
  /** Without a byte of the app's answer. */
  idleMs: number;
  /** Without a byte of the caller's body. */
  uploadIdleMs: number;
};

const CONNECT_MS = 10_000;
const USUAL: GatewayLimits = {
  answerMs: 60_000,
  idleMs: 300_000,
  uploadIdleMs: 30_000,
  connections: 512,
  waiting: 512,
  waitMs: 10_000,
};
const CALLER_LEFT = 'The caller closed the connection early.';
const STOPPED = 'The service was stopped before the call ended.';
const stopped = () => new Failure(503, STOPPED, { headers: { 'Retry-After': '5' } });
/** Idle origins are evicted from this many on. */
const KNOWN_LINES = 1000;

export function createGateway(services: Services, given: Partial<GatewayLimits> = {}): Gateway {
  const limits = { ...USUAL, ...given };
  const lines = new Map<string, ConcurrencyLimit>();
  const { calls } = services.memory;
  const tunnels = new Map<Tunnel, Call>();
  const open = new ChurnMap<number, OpenCall>();
  let opened = 0;
  let hungUp = false;
  let closeCause = CALLER_LEFT;
  const pool = new ConnectionPool(services.egress, { connectMs: CONNECT_MS, ...limits });
  // For what becomes a WebSocket.
  const agent: Agent = services.egress.agent({
    connections: limits.connections,
    pipelining: 1,
    keepAliveTimeout: 30_000,
    keepAliveMaxTimeout: 600_000,
    headersTimeout: limits.answerMs,
    bodyTimeout: limits.idleMs,
    maxHeaderSize: 65_536,
    connect: { timeout: CONNECT_MS },
  });

  const carriers = { pool, agent };

  function lineTo(origin: string): ConcurrencyLimit {
    const known = lines.get(origin);
    if (known) return known;
    if (lines.size >= KNOWN_LINES) for (const [name, line] of lines) if (line.isEmpty) lines.delete(name);
    const line = new ConcurrencyLimit(limits);
    lines.set(origin, line);
    return line;
  }

  /** A call is over, one way or the other. */
  function settle(id: number, { noted, log, caller, startedMs }: Call, { watch }: Upstream, status: number) {
    open.delete(id);
    if (watch && noted.status !== null) watch(noted.status);
    noted.duration_ms = performance.now() - startedMs;
    calls.note(noted);
    if (!log.isLevelEnabled('debug')) return;
    const { app, method, duration_ms, error } = noted;
    const { request_id, account_id } = caller;
    // Never the path: who reads the service's log has no business with native paths.
    log.debug({ request_id, account_id, app, method, status, duration_ms, error }, 'gateway call');
  }

  function pass(given: Given, upstream: Upstream): void | Promise<void> {
    const { req, res, caller, app, rest, tunnel, startedMs } = given;
    if (tunnel && hungUp) tunnel.socket.destroy();
    if (res.destroyed) return;
    const call = newCall(caller, services.log, startedMs, upstream.connection_id, app, req, rest);
    const id = ++opened;
    if (tunnel === undefined && namesTool(upstream, rest)) {
      open.set(id, { call, res, cut: () => res.writableEnded || refuse(req, res, call, stopped()) });
      const answered = answerTool(services, req, res, call, upstream, rest);
      // After its own listener, which says how it ended.
      res.once('close', () => settle(id, call, upstream, res.statusCode));
      return answered;
    }
    const line = lineTo(upstream.origin);
    const exchange = new Exchange(carriers, req, res, call, upstream, rest, tunnel);
    open.set(id, { call, res, cut: () => exchange.cut(stopped()) });
    res.once('close', () => {
      if (tunnel) tunnels.delete(tunnel);
      exchange.leave(line, closeCause);
      settle(id, call, upstream, res.statusCode);
      drainRequest(req);
    });
    if (tunnel) tunnels.set(tunnel, call);
    if (tunnel || !hasBody(req)) return exchange.queue(line, null);
    const fail = (failure: unknown) => {
      if (res.writableEnded) req.destroy();
      else exchange.fail(failure);
    };
    const body = bodyOf(req, upstream, limits.uploadIdleMs, fail);
    if (body instanceof Promise) body.then((whole) => exchange.queue(line, whole), fail);
    // A head readable in two ways ends its connection once all that came with it is read: nothing is sent before.
    else process.nextTick(() => req.socket.writable && exchange.queue(line, body));
  }

  return {
    handle(req, res, caller, app, rest, tunnel) {
      const startedMs = performance.now();
      const given: Given = { req, res, caller, app, rest, tunnel, startedMs };
      const header = req.headers['service-connection'];
      const named = Array.isArray(header) ? header.join() : header;
      const cached = chooseCached(services, caller.account_id, app, named);
      if (cached) return pass(given, cached);
      return choose(services, caller.account_id, app, named).then((upstream) => pass(given, upstream));
    },
    hangUp() {
      hungUp = true;
      for (const [{ socket }, { noted }] of tunnels) {
        noted.error ??= STOPPED;
        socket.destroy();
      }
    },
    cutOff() {
      closeCause = STOPPED;
      // A run must not see the 503 and end in another way than by the stop.
      for (const { call, cut } of open.values()) if (call.caller.run_id === undefined) cut();
    },
    async close() {
      closeCause = STOPPED;
      // Before the connections to the apps close: their end would be recorded as the cause.
      await Promise.all([...open.values()].map(({ res }) => res.socket && once(res.destroy(), 'close')));
      pool.close();
      await agent.destroy();
      await calls.close();
    },
  };
}
