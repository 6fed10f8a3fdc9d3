/**
 * The door to connected apps: who calls, may they just now, and on to the gateway. It takes keys only: a cookie is
 * never enough to call somebody else's API, and never leaves with the request. A WebSocket comes through the same door;
 * what asks for any other protocol is the plain request it also is.
 */
import { type IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import * as auth from '../../accounts/auth.ts';
import type { Gateway, Tunnel } from '../../gateway/forwarding/gateway.ts';
import { Failure } from '../../lib/failure.ts';
import { rateLimitHeaders } from '../../lib/rate-limit.ts';
import { bearer, type Edge, unauthorized } from '../adaptor.ts';
import { refuseRaw } from '../raw-refusal.ts';

/** `rest` is the raw path and query after the app's name. */
export type Target = { app: string; rest: string };

/** Made when it is asked for: most calls through the gateway never need it. `given` is what came with the request. */
export type RequestId = (() => string) & { readonly given: string | undefined };

class Caller {
  readonly account_id: string;
  readonly #requestId: RequestId;
  constructor(account_id: string, requestId: RequestId) {
    this.account_id = account_id;
    this.#requestId = requestId;
  }
  get request_id(): string {
    return this.#requestId();
  }
  get given_request_id(): string | undefined {
    return this.#requestId.given;
  }
}

const GATEWAY_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

/** Throws, or rejects, where the caller is not authorized. A key that was seen recently needs no lookup. */
export function throughGateway(
  edge: Edge,
  gateway: Gateway,
  req: IncomingMessage,
  res: ServerResponse,
  target: Target,
  requestId: RequestId,
  tunnel?: Tunnel,
): void | Promise<void> {
  // Its answer would show the caller what was sent to the app, credentials and all.
  if (req.method === 'TRACE')
    throw new Failure(405, `Expected one of ${GATEWAY_METHODS}.`, { headers: { Allow: GATEWAY_METHODS } });
  const key = bearer(req.headers.authorization ?? '');
  if (!key) throw unauthorized('An API key is needed: Authorization: Bearer <API_KEY>.');
  const admit = (who: auth.Who | null) => {
    if (!who) throw unauthorized('The API key is not valid.');
    const taken = edge.limits.account.take(who.account_id);
    if (!taken.allowed) {
      throw new Failure(429, 'Too many requests; wait as long as Retry-After says, then back off exponentially.', {
        headers: rateLimitHeaders(edge.limits.account, taken),
      });
    }
    return gateway.handle(req, res, new Caller(who.account_id, requestId), target.app, target.rest, tunnel);
  };
  const cached = auth.recognizeKey(edge.services, key);
  return cached === undefined ? auth.authenticateKey(edge.services, key).then(admit) : admit(cached);
}

/** CONNECT asks for a way to anywhere: there is none, to whatever address. */
export function refuseConnect(socket: Duplex, requestId: string): void {
  const failure = new Failure(405, `Expected one of ${GATEWAY_METHODS}.`, { headers: { Allow: GATEWAY_METHODS } });
  refuseRaw(socket, failure, requestId);
}

/** The largest part of a tunnel that is kept before there is another end to it. */
const EARLY_MAX_BYTES = 64 * 1024;

/**
 * An upgrade comes without a response to answer on: this makes one, for what is answered instead of a tunnel, and keeps
 * what the caller sends before there is one. A caller who leaves closes the response as it would any other.
 */
export function openUpgrade(
  req: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): { res: ServerResponse; tunnel: Tunnel } {
  if (!(socket instanceof Socket)) throw new Error('an upgrade on something else than a socket');
  const res = new ServerResponse(req);
  res.shouldKeepAlive = false;
  res.assignSocket(socket);
  const early = [head];
  let size = head.length;
  const keep = (chunk: Buffer) => {
    early.push(chunk);
    size += chunk.length;
    if (size > EARLY_MAX_BYTES) socket.pause();
  };
  const gone = () => socket.destroy();
  const drained = () => res.emit('drain');
  socket.on('data', keep).on('end', gone).on('error', gone).on('drain', drained);
  res.once('finish', () => socket.end());
  const take = () => {
    socket.off('data', keep).off('end', gone).off('drain', drained).pause();
    return Buffer.concat(early);
  };
  return { res, tunnel: { socket, take } };
}
