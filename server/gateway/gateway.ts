/**
 * The pass-through: `{base_url}/<app>/<native path>?<query>` becomes a call of that app's own API, with the credentials
 * of one of the account's connections, and the app's answer comes back as the app sent it.
 *
 * Who calls is settled before (http/front.ts: key, rate limit); here a connection is chosen, the request's headers are
 * read once, and bytes flow both ways without being looked at. Nothing is decoded, reordered, followed or tried again.
 * The service speaks for itself only where no answer of the app exists: 4xx when no connection fits, 502 when the app
 * can't be reached or answers garbage, 504 when it is too slow. Once its headers have gone out, trouble cuts the
 * connection, so that a broken answer never looks whole. Nothing is stored on the way but when a connection was last
 * used, so a crash loses nothing but the calls in flight.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Services } from '../services/context.ts';
import { choose, flushConnectionUses } from '../services/gateway.ts';
import { type Call, Exchange } from './exchange.ts';
import { refuse } from './refuse.ts';
import { hasBody, nativePath, requestHeaders } from './request.ts';

export type Caller = { account_id: string; request_id: string };
export type Gateway = {
  /** `rest` is the raw path and query after `/<app>`; the caller's key has been checked. */
  handle(req: IncomingMessage, res: ServerResponse, caller: Caller, app: string, rest: string): void;
  close(): Promise<void>;
};
export type GatewayTimeouts = { connectMs: number; headersMs: number; idleMs: number };

const TIMEOUTS: GatewayTimeouts = { connectMs: 10_000, headersMs: 60_000, idleMs: 300_000 };

export function createGateway(services: Services, timeouts: GatewayTimeouts = TIMEOUTS): Gateway {
  const agent = services.egress.agent({
    connections: 256,
    pipelining: 1,
    keepAliveTimeout: 30_000,
    keepAliveMaxTimeout: 600_000,
    headersTimeout: timeouts.headersMs,
    bodyTimeout: timeouts.idleMs,
    maxHeaderSize: 65_536,
    connect: { timeout: timeouts.connectMs },
  });

  async function forward(req: IncomingMessage, res: ServerResponse, call: Call, app: string, rest: string) {
    const named = req.headers['service-connection'];
    const upstream = await choose(services, call.account_id, app, Array.isArray(named) ? named.join() : named);
    if (res.destroyed) return;
    const body = hasBody(req);
    const exchange = new Exchange(req, res, call);
    exchange.start(agent, {
      origin: upstream.origin,
      path: nativePath(upstream, rest),
      method: req.method ?? 'GET',
      headers: requestHeaders(req, upstream, body),
      body: body ? req : null,
      // HEAD would close the connection otherwise.
      reset: false,
      // An event stream may be quiet for as long as it likes.
      ...(/\btext\/event-stream\b/i.test(req.headers.accept ?? '') ? { bodyTimeout: 0 } : {}),
    });
  }

  return {
    handle(req, res, caller, app, rest) {
      const startedMs = performance.now();
      const call: Call = { ...caller, log: services.log };
      res.once('close', () => {
        const { account_id, request_id } = caller;
        const duration_ms = Math.round(performance.now() - startedMs);
        // Never the path: native paths and queries are the caller's own business, and may hold secrets.
        const answered = res.writableFinished ? { status: res.statusCode } : { status: res.statusCode, cut: true };
        services.log.info(
          { request_id, account_id, app, method: req.method, ...answered, duration_ms },
          'gateway call',
        );
      });
      forward(req, res, call, app, rest).catch((error: unknown) => refuse(req, res, call, error));
    },
    async close() {
      await agent.destroy();
      await flushConnectionUses(services);
    },
  };
}
