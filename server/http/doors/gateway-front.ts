/**
 * Entry point of the gateway to connected apps: authenticates, applies the rate limit, forwards. It accepts API keys
 * only: a session cookie does not authorize calls to apps and is never forwarded. WebSockets are handled here too. An
 * upgrade to any other protocol is handled as a plain request.
 */
import { type IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type AppCall, disguisedMethod, gatewayRefusal } from '../../../contract/keys/key-limits.ts';
import * as auth from '../../accounts/auth.ts';
import type { CallTarget, KeyPlace } from '../../gateway/forwarding/call-target.ts';
import type { Gateway, Tunnel } from '../../gateway/forwarding/gateway.ts';
import { Failure, forbidden } from '../../lib/failure.ts';
import { rateLimitHeaders, type Taken } from '../../lib/rate-limit.ts';
import type { KeyRef } from '../../platform/context.ts';
import { type Edge, tooFast, unauthorized } from '../adaptor.ts';
import { clientAddress } from '../client-address.ts';
import { sendRawError } from '../raw-error.ts';
import { sentKey, withoutKey } from './gateway-key.ts';
import { noteRefusedCall } from './note-refused-call.ts';
import type { RequestId } from './request-log.ts';

class Caller {
  readonly account_id: string;
  readonly key: KeyRef | null;
  readonly refusal: ((call: AppCall) => string | null) | undefined;
  readonly keyPlaces: readonly KeyPlace[] | null;
  readonly #requestId: RequestId;
  constructor(who: auth.Principal, req: IncomingMessage, requestId: RequestId, keyPlaces: readonly KeyPlace[] | null) {
    this.account_id = who.account_id;
    this.keyPlaces = keyPlaces;
    this.key = auth.keyOf(who);
    const { limits } = who;
    if (limits?.scopes) {
      const hasHeader = (name: string) => req.headers[name] !== undefined;
      this.refusal = (call) => gatewayRefusal(limits, call) ?? disguisedMethod(limits, call.app, hasHeader);
    }
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

/** Forwards a call. Throws or rejects if the caller is not authorized. A cached key needs no lookup. */
export function throughGateway(
  edge: Edge,
  gateway: Gateway,
  req: IncomingMessage,
  res: ServerResponse,
  target: CallTarget,
  requestId: RequestId,
  tunnel?: Tunnel,
): void | Promise<void> {
  // The response to a TRACE would show the caller the credentials sent to the app.
  if (req.method === 'TRACE')
    throw new Failure(405, `Expected one of ${GATEWAY_METHODS}.`, { headers: { Allow: GATEWAY_METHODS } });
  const sent = sentKey(req, target.rest);
  if (!sent) throw unauthorized('An API key is required: Authorization: Bearer <API_KEY>.');
  const { key, places } = sent;
  const ip = clientAddress(edge.services.settings.trustedProxies, req);
  const admit = (who: auth.Principal | null) => {
    if (!who) throw unauthorized('The API key is invalid or revoked.');
    const taken = edge.limits.account.take(who.account_id);
    return taken instanceof Promise ? taken.then((known) => admitted(who, known)) : admitted(who, taken);
  };
  /** Records what is refused from here on: the account of the caller is known. */
  const admitted = (who: auth.Principal, taken: Taken): void | Promise<void> => {
    const refused = (thrown: unknown): never => {
      const { account_id } = who;
      noteRefusedCall(edge.services, req, target, { account_id, key: auth.keyOf(who), secret: key, requestId }, thrown);
      throw thrown;
    };
    try {
      return forward(who, taken)?.catch(refused);
    } catch (thrown) {
      refused(thrown);
    }
  };
  const forward = (who: auth.Principal, taken: Taken): void | Promise<void> => {
    if (!taken.allowed) throw tooFast(rateLimitHeaders(edge.limits.account, taken));
    const caller = new Caller(who, req, requestId, places);
    const { app } = target;
    // Without the path, which is private to the account.
    requestId.about = { operation: 'gateway', account_id: who.account_id, ...(app === null ? {} : { app }) };
    target.rest = withoutKey(req, target.rest, key);
    // Otherwise the native path is known only with the app: the gateway checks it then.
    if (app !== null && !target.byHost && !target.rest.startsWith('/~')) {
      const path = target.rest.split('?', 1)[0] ?? '';
      const refusal = caller.refusal?.({ app, method: req.method ?? 'GET', path });
      if (refusal) throw forbidden(refusal);
    }
    auth.countKeyUse(edge.services, who, { operation: 'gateway', ip });
    return gateway.handle(req, res, caller, target, tunnel);
  };
  const cached = auth.recognizeKey(edge.services, key, ip);
  return cached === undefined ? auth.authenticateKey(edge.services, key, ip).then(admit) : admit(cached);
}

/** Rejects CONNECT: the service is not a forward proxy. */
export function refuseConnect(socket: Duplex, requestId: string): void {
  const failure = new Failure(405, `Expected one of ${GATEWAY_METHODS}.`, { headers: { Allow: GATEWAY_METHODS } });
  sendRawError(socket, failure, requestId);
}

/** Buffered bytes of a tunnel before its other end is connected. */
const EARLY_MAX_BYTES = 64 * 1024;

/**
 * Node emits an upgrade without a response object. This creates one, for responses other than an upgrade, and buffers
 * the caller's bytes until the tunnel is open. A disconnecting caller closes the response like any other.
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
