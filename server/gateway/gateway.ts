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
import { callsLog } from '../services/calls-log.ts';
import type { Services } from '../services/context.ts';
import { choose, flushConnectionUses } from '../services/gateway.ts';
import { bodyOf } from './body.ts';
import { type Call, type Caller, newCall, notedFor } from './call.ts';
import { Exchange } from './exchange.ts';
import { answerTool, namesTool } from './mcp.ts';
import type { Tunnel } from './tunnel.ts';

export type { Tunnel };

export type Gateway = {
  /**
   * `rest` is the raw path and query after `/<app>`; the caller's key has been checked. With a `tunnel` the caller asks
   * for a WebSocket. Rejects where no connection fits: until then nothing has been answered.
   */
  handle(
    req: IncomingMessage,
    res: ServerResponse,
    caller: Caller,
    app: string,
    rest: string,
    tunnel?: Tunnel,
  ): Promise<void>;
  /** Ends the WebSockets: they have no end of their own that a stop could wait for. */
  hangUp(): void;
  close(): Promise<void>;
};
export type GatewayTimeouts = {
  /** Until the app's answer begins. */
  answerMs: number;
  /** Without a byte of the app's answer. */
  idleMs: number;
  /** Without a byte of the caller's body. */
  uploadIdleMs?: number;
};

const CONNECT_MS = 10_000;
const UPLOAD_IDLE_MS = 30_000;

export function createGateway(
  services: Services,
  { answerMs, idleMs, uploadIdleMs = UPLOAD_IDLE_MS }: GatewayTimeouts,
): Gateway {
  const calls = callsLog(services);
  const tunnels = new Set<Tunnel>();
  let hungUp = false;
  const agent: Agent = services.egress.agent({
    connections: 256,
    pipelining: 1,
    keepAliveTimeout: 30_000,
    keepAliveMaxTimeout: 600_000,
    headersTimeout: answerMs,
    bodyTimeout: idleMs,
    maxHeaderSize: 65_536,
    connect: { timeout: CONNECT_MS },
  });

  /** A call is over, one way or the other. */
  function settle({ noted, log, caller, startedMs }: Call, app: string, method: string | undefined, status: number) {
    const duration_ms = performance.now() - startedMs;
    if (log.isLevelEnabled('debug')) {
      const { request_id, account_id } = caller;
      // Never the path: who reads the service's log has no business with native paths.
      log.debug({ request_id, account_id, app, method, status, duration_ms, error: noted?.error }, 'gateway call');
    }
    if (!noted) return;
    noted.duration_ms = duration_ms;
    calls.note(noted);
  }

  return {
    async handle(req, res, caller, app, rest, tunnel) {
      const call = newCall(caller, services.log);
      const exchange = new Exchange(agent, req, res, call, rest, tunnel);
      if (tunnel && hungUp) return void tunnel.socket.destroy();
      if (tunnel) tunnels.add(tunnel);
      let ofTool = false;
      res.once('close', () => {
        if (tunnel) tunnels.delete(tunnel);
        if (!ofTool) exchange.leave();
        settle(call, app, req.method, res.statusCode);
      });
      const named = req.headers['service-connection'];
      const upstream = await choose(services, caller.account_id, app, Array.isArray(named) ? named.join() : named);
      if (res.destroyed) return;
      call.noted = notedFor(call, upstream.connection_id, app, req, rest);
      if (tunnel) return exchange.start(upstream, null);
      ofTool = namesTool(upstream, rest);
      if (ofTool) return answerTool(services, req, res, call, upstream, rest);
      const body = bodyOf(req, upstream, uploadIdleMs, (failure) => {
        if (res.writableEnded) req.destroy();
        else exchange.fail(failure);
      });
      if (!(body instanceof Promise)) return exchange.start(upstream, body);
      body.then(
        (whole) => exchange.start(upstream, whole),
        (error: unknown) => exchange.fail(error),
      );
    },
    hangUp() {
      hungUp = true;
      for (const { socket } of tunnels) socket.destroy();
    },
    async close() {
      await agent.destroy();
      await flushConnectionUses(services);
      await calls.close();
    },
  };
}
