/**
 * The pass-through: `{base_url}/<app>/<native path>?<query>` becomes a call of that app's own API, with the credentials
 * of one of the account's connections, and the app's answer comes back as the app sent it.
 *
 * Who calls is settled before (http/gateway-front.ts: key, rate limit); here a connection is chosen, the request's headers are
 * read once, and bytes flow both ways without being looked at. Nothing is decoded, reordered, followed or tried again,
 * but for one case: after a 401 a token that can be renewed is, and the request is sent once more. The service speaks
 * for itself only where no answer of the app exists: 4xx when no connection fits, 502 when the app can't be reached or
 * answers garbage, 504 when it is too slow. Once its headers have gone out, trouble cuts the connection, so that a
 * broken answer never looks whole. Each call is noted in the log of calls when it is over (services/calls-log.ts).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Agent } from 'undici';
import { hasBody } from '../lib/has-body.ts';
import { letBy } from '../lib/let-by.ts';
import { Wires } from '../lib/wire/wires.ts';
import { callsLog } from '../services/calls-log.ts';
import type { Services } from '../services/context.ts';
import { choose, chosenLately, flushConnectionUses, type Upstream } from '../services/gateway.ts';
import { bodyOf } from './body.ts';
import { type Call, type Caller, newCall } from './call.ts';
import { Exchange } from './exchange.ts';
import { Line, type LineLimits } from './line.ts';
import { answerTool, namesTool } from './mcp.ts';
import type { Tunnel } from './tunnel.ts';

export type { Tunnel };

export type Gateway = {
  /**
   * `rest` is the raw path and query after `/<app>`; the caller's key has been checked. With a `tunnel` the caller asks
   * for a WebSocket. Throws, or rejects, where no connection fits: until then nothing has been answered. Nothing is
   * waited for where the connection was chosen lately.
   */
  handle(
    req: IncomingMessage,
    res: ServerResponse,
    caller: Caller,
    app: string,
    rest: string,
    tunnel?: Tunnel,
  ): void | Promise<void>;
  /** Ends the WebSockets: they have no end of their own that a stop could wait for. */
  hangUp(): void;
  close(): Promise<void>;
};
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
export type GatewayLimits = LineLimits & {
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
/** Addresses nobody calls just now are forgotten from this many on. */
const KNOWN_LINES = 1000;

export function createGateway(services: Services, given: Partial<GatewayLimits> = {}): Gateway {
  const limits = { ...USUAL, ...given };
  const lines = new Map<string, Line>();
  const calls = callsLog(services);
  const tunnels = new Set<Tunnel>();
  let hungUp = false;
  const wires = new Wires(services.egress, { connectMs: CONNECT_MS, ...limits });
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

  const carriers = { wires, agent };

  function lineTo(origin: string): Line {
    const known = lines.get(origin);
    if (known) return known;
    if (lines.size >= KNOWN_LINES) for (const [name, line] of lines) if (line.isEmpty) lines.delete(name);
    const line = new Line(limits);
    lines.set(origin, line);
    return line;
  }

  /** A call is over, one way or the other. */
  function settle({ noted, log, caller, startedMs }: Call, status: number) {
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
    if (tunnel === undefined && namesTool(upstream, rest)) {
      const answered = answerTool(services, req, res, call, upstream, rest);
      // After its own listener, which says how it ended.
      res.once('close', () => settle(call, res.statusCode));
      return answered;
    }
    const line = lineTo(upstream.origin);
    const exchange = new Exchange(carriers, req, res, call, upstream, rest, tunnel);
    res.once('close', () => {
      if (tunnel) tunnels.delete(tunnel);
      exchange.leave(line);
      settle(call, res.statusCode);
      letBy(req);
    });
    if (tunnel) tunnels.add(tunnel);
    if (tunnel || !hasBody(req)) return exchange.queue(line, null);
    const fail = (failure: unknown) => {
      if (res.writableEnded) req.destroy();
      else exchange.fail(failure);
    };
    const body = bodyOf(req, upstream, limits.uploadIdleMs, fail);
    if (body instanceof Promise) body.then((whole) => exchange.queue(line, whole), fail);
    // A head that can be read in two ways ends its connection once all that came with it is read: nothing is sent before.
    else process.nextTick(() => req.socket.writable && exchange.queue(line, body));
  }

  return {
    handle(req, res, caller, app, rest, tunnel) {
      const startedMs = performance.now();
      const given: Given = { req, res, caller, app, rest, tunnel, startedMs };
      const header = req.headers['service-connection'];
      const named = Array.isArray(header) ? header.join() : header;
      const lately = chosenLately(services, caller.account_id, app, named);
      if (lately) return pass(given, lately);
      return choose(services, caller.account_id, app, named).then((upstream) => pass(given, upstream));
    },
    hangUp() {
      hungUp = true;
      for (const { socket } of tunnels) socket.destroy();
    },
    async close() {
      wires.close();
      await agent.destroy();
      await flushConnectionUses(services);
      await calls.close();
    },
  };
}
