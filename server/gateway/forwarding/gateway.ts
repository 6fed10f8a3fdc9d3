/**
 * The gateway: forwards `{base_url}/<app>/<native path>?<query>` to the API of that app with the credentials of one of
 * the account's connections, and returns the app's response unchanged.
 *
 * http/doors/gateway-front.ts authenticates the caller and applies the rate limit. The gateway selects a connection,
 * reads the request's headers once and streams the bytes both ways without decoding or reordering them. Redirects are
 * not followed and requests are not retried, except that after a 401 the token is refreshed, if possible, and the
 * request sent once more. The service responds itself only if the app does not: 4xx without a matching connection, 502
 * if the app can't be reached or its response is malformed, 504 on a timeout. An error after the headers were sent
 * closes the connection, so that an incomplete response never looks complete. Each call is logged when it ends
 * (gateway/calls-log.ts).
 */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Agent } from 'undici';
import { choose, chooseCached } from '../../connections/upstream/choose.ts';
import type { Upstream } from '../../connections/upstream/upstream.ts';
import { drainRequest } from '../../lib/bodies/drain-request.ts';
import { hasBody } from '../../lib/bodies/has-body.ts';
import { badRequest, Failure } from '../../lib/failure.ts';
import type { Services } from '../../platform/context.ts';
import { ConnectionPool } from '../../platform/http1/connection-pool.ts';
import { HeldWrites } from '../../platform/http1/held-writes.ts';
import { beginCapture } from '../captures/begin-capture.ts';
import { addressedCall } from './addressed-call.ts';
import { bodyOf } from './body.ts';
import {
  assertKeyPlace,
  assertPermitted,
  type Call,
  type Caller,
  endCallSpan,
  newCall,
  startCallSpan,
} from './call.ts';
import type { CallTarget } from './call-target.ts';
import { ConcurrencyLimit, type ConcurrencyLimits } from './concurrency-limit.ts';
import { Exchange } from './exchange.ts';
import { answerTool, namesTool } from './mcp.ts';
import { OpenCall, OpenCalls } from './open-calls.ts';
import { refuse } from './refuse.ts';
import type { Tunnel } from './tunnel.ts';

export type { Tunnel };

export type Gateway = {
  /**
   * The caller's key has been checked. With a `tunnel` the caller requests a WebSocket. Throws or rejects without a matching connection, before any response was sent. Runs
   * synchronously if the connection is cached.
   */
  handle(
    req: IncomingMessage,
    res: ServerResponse,
    caller: Caller,
    target: CallTarget,
    tunnel?: Tunnel,
  ): void | Promise<void>;
  /** Closes the WebSockets, because shutdown can't wait for them, and logs that as the reason. */
  hangUp(): void;
  /**
   * Aborts the calls in flight, and logs the shutdown as the reason. A caller whose response has not begun gets 503.
   * Calls of runs are logged the same way when their run is stopped.
   */
  cutOff(): void;
  close(): Promise<void>;
};
/** The input of a call. */
type Given = {
  req: IncomingMessage;
  res: ServerResponse;
  caller: Caller;
  target: CallTarget;
  tunnel: Tunnel | undefined;
  startedMs: number;
};
export type GatewayLimits = ConcurrencyLimits & {
  /** Timeout for the app's response headers. */
  answerMs: number;
  /** Idle timeout of the app's response body. */
  idleMs: number;
  /** Idle timeout of the caller's request body. */
  uploadIdleMs: number;
};

const CONNECT_MS = 10_000;
const USUAL: GatewayLimits = {
  answerMs: 300_000,
  idleMs: 300_000,
  uploadIdleMs: 30_000,
  connections: 512,
  waiting: 512,
  waitMs: 10_000,
};
const CALLER_LEFT = 'The caller closed the connection early.';
const STOPPED = 'The service was stopped before the call ended.';
const stopped = () => new Failure(503, STOPPED, { headers: { 'Retry-After': '5' } });
/** A call of a tool, answered by the service. */
class ToolCall extends OpenCall {
  readonly #req: IncomingMessage;

  constructor(call: Call, res: ServerResponse, req: IncomingMessage) {
    super(call, res);
    this.#req = req;
  }

  cut(failure: Failure): void {
    if (!this.res.writableEnded) refuse(this.#req, this.res, this.call, failure);
  }
}

/** Limiters of idle origins are evicted above this number. */
const LIMITERS_MAX = 1000;

export function createGateway(services: Services, given: Partial<GatewayLimits> = {}): Gateway {
  const limits = { ...USUAL, ...given };
  const limiters = new Map<string, ConcurrencyLimit>();
  const { calls, captures } = services.memory;
  const tunnels = new Map<Tunnel, Call>();
  const open = new OpenCalls();
  let hungUp = false;
  let closeCause = CALLER_LEFT;
  const writes = new HeldWrites(() => open.areMany);
  const pool = new ConnectionPool(services.egress, { connectMs: CONNECT_MS, ...limits, writes });
  // For WebSocket upgrades.
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

  const carriers = { pool, agent, writes };

  function limiterFor(origin: string): ConcurrencyLimit {
    const known = limiters.get(origin);
    if (known) return known;
    if (limiters.size >= LIMITERS_MAX)
      for (const [name, limiter] of limiters) if (limiter.isEmpty) limiters.delete(name);
    const limiter = new ConcurrencyLimit(limits);
    limiters.set(origin, limiter);
    return limiter;
  }

  /** Logs a call that ended. */
  function settle(ended: OpenCall, { watch }: Upstream, status: number) {
    open.remove(ended);
    const { noted, log, caller, startedMs, span, capture } = ended.call;
    if (watch && noted.status !== null) watch(noted.status);
    noted.duration_ms = performance.now() - startedMs;
    calls.note(noted);
    if (capture) captures.add(capture, noted);
    if (span) endCallSpan(span, noted);
    if (!log.isLevelEnabled('debug')) return;
    const { app, method, duration_ms, error } = noted;
    const { request_id, account_id } = caller;
    // Without the path: native paths are private to the account and don't belong in the service's log.
    log.debug({ request_id, account_id, app, method, status, duration_ms, error }, 'gateway call');
  }

  function pass(given: Given, main: Upstream): void | Promise<void> {
    const { req, res, caller, target, tunnel, startedMs } = given;
    const { app } = main;
    assertKeyPlace(caller, main);
    const addressed = addressedCall(main, target, req, services.settings.addresses);
    const { upstream, rest } = addressed;
    if (caller.refusal) assertPermitted(caller, upstream.connection_id, app, req, rest);
    if (tunnel && hungUp) tunnel.socket.destroy();
    if (res.destroyed) return;
    const call = newCall(caller, services.log, startedMs, upstream.connection_id, app, req, rest);
    if (main.captures && tunnel === undefined) beginCapture(services, main.captures, call);
    if (services.tracing) call.span = startCallSpan(services.tracing, call, req);
    if (tunnel === undefined && namesTool(upstream, rest)) {
      const toolCall = new ToolCall(call, res, req);
      open.add(toolCall);
      const answered = answerTool(services, req, res, call, upstream, rest);
      // After the listener of `answerTool`, which sets the error.
      res.once('close', () => settle(toolCall, upstream, res.statusCode));
      return answered;
    }
    const limiter = limiterFor(upstream.origin);
    const exchange = new Exchange(carriers, req, res, call, addressed, tunnel);
    open.add(exchange);
    res.once('close', () => {
      if (tunnel) tunnels.delete(tunnel);
      exchange.leave(limiter, closeCause);
      settle(exchange, upstream, res.statusCode);
      drainRequest(req);
    });
    if (tunnel) tunnels.set(tunnel, call);
    if (tunnel || !hasBody(req)) return exchange.queue(limiter, null);
    const fail = (failure: unknown) => {
      if (res.writableEnded) req.destroy();
      else exchange.fail(failure);
    };
    const body = bodyOf(req, upstream, limits.uploadIdleMs, fail);
    if (body instanceof Promise) body.then((whole) => exchange.queue(limiter, whole), fail);
    // An ambiguous request head closes its connection after the data that arrived with it is read; wait for that.
    else process.nextTick(() => req.socket.writable && exchange.queue(limiter, body));
  }

  return {
    handle(req, res, caller, target, tunnel) {
      const startedMs = performance.now();
      const given: Given = { req, res, caller, target, tunnel, startedMs };
      const { app, connection_id } = target;
      const header = req.headers['service-connection'];
      const sent = Array.isArray(header) ? header.join() : header;
      if (connection_id !== undefined && sent !== undefined && sent.trim().toLowerCase() !== connection_id)
        throw badRequest('Service-Connection: expected the connection of the host, or no such header');
      const named = connection_id ?? sent;
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
      // A run must not get the 503, since it would then end for another reason than the shutdown.
      for (const each of open.list()) if (each.call.caller.run_id === undefined) each.cut(stopped());
    },
    async close() {
      closeCause = STOPPED;
      // Close the callers before the connections to the apps, whose end would otherwise be logged as the cause.
      await Promise.all(open.list().map(({ res }) => res.socket && once(res.destroy(), 'close')));
      pool.close();
      await agent.destroy();
      await calls.close();
      await captures.flush();
    },
  };
}
