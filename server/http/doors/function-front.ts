/**
 * The URLs of functions: `<label>.{functions_domain}`. Bodies stream both ways. A caller that disconnects ends the run.
 * Every response of a run has X-Function-Run-Id. A request that starts no run gets an error of the service.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { functionRefusal } from '../../../contract/keys/key-limits.ts';
import { FUNCTION_BODY_MAX_BYTES, TIMEOUT_SECONDS } from '../../../contract/limits.ts';
import { authenticateKey, countKeyUse, keyOf, type Principal, recognizeKey } from '../../accounts/auth.ts';
import { findCallable, isOpen } from '../../functions/calls/function-calls.ts';
import { type Call, type CallRequest, startCall } from '../../functions/calls/start-call.ts';
import { join, type Tunnel } from '../../gateway/forwarding/tunnel.ts';
import { drainRequest, finishAndDrain, keepConnectionOpen } from '../../lib/bodies/drain-request.ts';
import { hasBody } from '../../lib/bodies/has-body.ts';
import { Failure, forbidden } from '../../lib/failure.ts';
import type { KeyRef, Services } from '../../platform/context.ts';
import { Cancellation } from '../../runtime/cancellation.ts';
import { clientAddress } from '../client-address.ts';
import { errorResponse, noteRefusal, toFailure } from '../error-body.ts';
import type { RequestId } from './request-log.ts';

export type FunctionFront = {
  /** Handles a WebSocket upgrade: the function at `label` accepts it or sends another response. */
  upgrade(req: IncomingMessage, res: ServerResponse, label: string, requestId: RequestId, tunnel: Tunnel): void;
  /** Closes every WebSocket, and further ones at once, when the service stops. */
  hangUp(): void;
  /** Handles a request to the function at `label`. Never throws. */
  handle(req: IncomingMessage, res: ServerResponse, label: string, requestId: RequestId): void;
};

export function createFunctionFront(services: Services): FunctionFront {
  const tunnels = new Set<Tunnel>();
  let hungUp = false;
  return {
    handle(req, res, label, requestId) {
      serve(services, req, res, label, requestId).catch((thrown: unknown) =>
        fail(services, req, res, thrown, requestId),
      );
    },
    upgrade(req, res, label, requestId, tunnel) {
      if (hungUp) return void tunnel.socket.destroy();
      tunnels.add(tunnel);
      tunnel.socket.once('close', () => tunnels.delete(tunnel));
      serve(services, req, res, label, requestId, tunnel).catch((thrown: unknown) =>
        fail(services, req, res, thrown, requestId),
      );
    },
    hangUp() {
      hungUp = true;
      for (const { socket } of tunnels) socket.destroy();
    },
  };
}

async function serve(
  services: Services,
  req: IncomingMessage,
  res: ServerResponse,
  label: string,
  requestId: RequestId,
  tunnel?: Tunnel,
): Promise<void> {
  const ip = clientAddress(services.settings.trustedProxies, req);
  let caller: Principal | null = null;
  const noted = (who: Principal | null) => {
    caller = who;
    return who?.account_id ?? null;
  };
  const callable = await findCallable(services, label, () => {
    const found = keyOwner(services, req, ip);
    return found instanceof Promise ? found.then(noted) : noted(found);
  });
  const { account_id, function_id } = callable.fn;
  requestId.about = { operation: 'function', account_id, function_id };
  const key = caller && admit(services, caller, callable.fn.function_id, ip);
  // A web Request can't have these methods, so no function could handle them.
  if (UNANSWERABLE.has(req.method ?? '')) throw new Failure(405, `Expected a method other than ${req.method}.`);
  if (Number(req.headers['content-length'] ?? 0) > FUNCTION_BODY_MAX_BYTES) throw tooLarge();
  const gone = new Cancellation();
  const onClose = () => res.writableFinished || gone.abort();
  res.once('close', onClose);
  const request = {
    ...requestOf(services, req, !isOpen(callable.fn) || ACCOUNT_KEY.test(req.headers.authorization ?? '')),
    upgrade: tunnel !== undefined,
  };
  const call = await startCall(services, callable, request, {
    caller: isOpen(callable.fn) ? 'ANYONE' : 'KEY',
    key,
    signal: gone,
  });
  if (call.socket && tunnel) {
    // Either end may close the WebSocket; that is not a failure of the run.
    res.off('close', onClose);
    return joinTunnel(call, call.socket, tunnel);
  }
  if (call.isRequestTooLarge()) {
    call.openBody().resume();
    throw tooLarge(call.run_id);
  }
  keepConnectionOpen(req, res);
  await answer(call, res);
  call.dropRequest();
  drainRequest(req);
}

/** Checks the limits of the caller's API key, and counts its use. */
function admit(services: Services, who: Principal, function_id: string, ip: string | null): KeyRef | null {
  const refusal = who.limits ? functionRefusal(who.limits, function_id) : null;
  if (refusal !== null) throw forbidden(refusal);
  countKeyUse(services, who, { operation: 'function', function_id, ip });
  return keyOf(who);
}

/** Returns the owner of the caller's API key; null without a valid one. */
function keyOwner(
  services: Services,
  req: IncomingMessage,
  ip: string | null,
): Principal | null | Promise<Principal | null> {
  const key = /^Bearer +([\x21-\x7e]{1,4096})$/i.exec(req.headers.authorization ?? '')?.[1];
  if (!key) return null;
  return recognizeKey(services, key, ip) ?? authenticateKey(services, key, ip);
}

/** Never forward the caller's API key to a public function: its author could use it. */
const ACCOUNT_KEY = /^Bearer +slc_/i;

/** `keyed`: hides the Authorization header from the function, so that no code receives an account's key. */
function requestOf(services: Services, req: IncomingMessage, keyed: boolean): CallRequest {
  const headers: [string, string][] = [];
  for (let at = 0; at < req.rawHeaders.length; at += 2)
    headers.push([req.rawHeaders[at] ?? '', req.rawHeaders[at + 1] ?? '']);
  return {
    method: req.method ?? 'GET',
    path: req.url ?? '/',
    host: req.headers.host ?? '',
    scheme: services.settings.addresses.functions_scheme === 'https' ? 'https' : 'http',
    protocol: `HTTP/${req.httpVersion}`,
    source_ip: clientAddress(services.settings.trustedProxies, req) ?? '',
    headers,
    ...(keyed ? { hidden: ['authorization'] } : {}),
    body: hasBody(req) ? (bodyAtHand(req) ?? req) : null,
  };
}

const ONE_PIECE_BYTES = 16_384;
const UNANSWERABLE = new Set(['CONNECT', 'TRACE']);

/** Returns the body if it arrived with the headers, as most short ones do. */
function bodyAtHand(req: IncomingMessage): Buffer | undefined {
  const length = Number(req.headers['content-length']);
  if (!req.complete || req.readableLength !== length || length > ONE_PIECE_BYTES) return undefined;
  return (req.read() as Buffer | null) ?? undefined;
}

async function answer(call: Call, res: ServerResponse): Promise<void> {
  const headers: string[] = [];
  for (const [name, value] of call.headers) if (name.toLowerCase() !== 'x-function-run-id') headers.push(name, value);
  headers.push('X-Function-Run-Id', call.run_id);
  const { whole } = call;
  if (whole) {
    // As Latin-1 text it is sent in one write with the headers, byte for byte.
    res.writeHead(call.status, headers);
    return void res.end(whole.length < ONE_PIECE_BYTES ? whole.toString('latin1') : whole, 'latin1');
  }
  const body = call.openBody();
  try {
    res.writeHead(call.status, headers);
    // Send the headers before the body begins: an event stream may be silent at first.
    res.flushHeaders();
    // Cut the caller's response if the function's breaks off; the run's record has the reason.
    await pipeline(body, res).catch(() => res.destroy());
  } finally {
    // If the caller disconnected before, the body is unread and the run would never end.
    body.destroy();
  }
}

/** Completes the upgrade and pipes both sockets. The time limit of the run ends a tunnel that neither side closes. */
function joinTunnel(call: Call, fn: Duplex, tunnel: Tunnel): void {
  const early = tunnel.take();
  const lines = [...call.headers, ['X-Function-Run-Id', call.run_id]].map(([name, value]) => `${name}: ${value}\r\n`);
  tunnel.socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`, 'latin1');
  call.openBody().resume();
  if (early.length > 0) fn.write(early);
  join(tunnel.socket, fn, TIMEOUT_SECONDS.max * 1000);
}

const tooLarge = (run_id?: string) =>
  new Failure(413, `body: expected at most ${FUNCTION_BODY_MAX_BYTES} bytes`, {
    headers: run_id ? { 'X-Function-Run-Id': run_id } : {},
  });

function fail(
  services: Services,
  req: IncomingMessage,
  res: ServerResponse,
  thrown: unknown,
  requestId: RequestId,
): void {
  const failure = toFailure(thrown);
  const { log, settings } = services;
  if (failure.status === 500) log.error({ err: thrown, request_id: requestId() }, 'function call failed');
  const ip = clientAddress(settings.trustedProxies, req);
  noteRefusal(log, failure, { request_id: requestId(), ip, method: req.method });
  if (res.headersSent) return void res.destroy();
  const { status, headers, body } = errorResponse(failure, requestId());
  finishAndDrain(req, res, status);
  res.writeHead(status, headers).end(req.method === 'HEAD' ? undefined : body);
}
