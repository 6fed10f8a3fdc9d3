/**
 * Entry point of webhook endpoints: `{hooks_url}/<token>`. The token identifies the trigger and is looked up before the
 * body is read. The body is read as a whole, within a size and a time limit, and its bytes are kept unchanged. See
 * server/triggers/ingress/receive.ts for the next steps. No response and no log message contains the token.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { BODY_MAX_BYTES, INGRESS_SECONDS } from '../../../contract/limits.ts';
import { tooSlow } from '../../deliveries/intake/intake.ts';
import { finishAndDrain } from '../../lib/drain-request.ts';
import { Failure } from '../../lib/failure.ts';
import { withinTime } from '../../lib/time-limit.ts';
import { hashToken } from '../../lib/tokens.ts';
import type { Services } from '../../platform/context.ts';
import { findHook, type Hook } from '../../triggers/ingress/hooks.ts';
import { tooLarge } from '../../triggers/ingress/read-body.ts';
import { echoOf, type Received, receive, refuse, unknownHook } from '../../triggers/ingress/receive.ts';
import type { Seen } from '../../triggers/ingress/rejections.ts';
import type { Problem } from '../../triggers/ingress/signature.ts';
import { clientAddress } from '../client-address.ts';
import type { RequestId } from './gateway-front.ts';

export type HooksFront = {
  /** Handles a request to a webhook endpoint; `rest` follows `{hooks_url}/`. Rejects with the failure to send. */
  handle(req: IncomingMessage, res: ServerResponse, rest: string, requestId: RequestId): Promise<void>;
};

/** Memory for all bodies being read. */
const BUDGET_BYTES = 128 * 1024 * 1024;
/** Bytes read beyond the limit, so that the sender gets the error. The connection of a larger body is closed. */
const DISCARDED_MAX_BYTES = BODY_MAX_BYTES;

/** `bodyMs`: time limit for a whole body. */
export function createHooksFront(
  services: Services,
  { bodyMs = INGRESS_SECONDS * 1000 }: { bodyMs?: number } = {},
): HooksFront {
  const budget = { left: BUDGET_BYTES };

  return {
    async handle(req, res, rest, requestId) {
      const [token = '', query] = split(rest);
      const timeLimit = createTimeLimit(services.settings.intakeTimeoutMs);
      const hook = await timeLimit(findHook(services, hashToken(token)));
      if (!hook) throw unknownHook();
      const url = `${services.settings.addresses.hooks_url}/${token}${query}`;
      if (req.method !== 'POST') return answerOther(services, hook, req, res, url, requestId);
      const read = await readBody(req, budget, bodyMs);
      if (read === 'busy') throw busy();
      const { body, problem, bytes } = read;
      const seen = seenOf(services, req, requestId, body, bytes);
      try {
        if (problem) throw refuse(services, hook, problem, seen);
        answer(res, await timeLimit(receive(services, hook, { ...seen, url })), requestId);
      } finally {
        budget.left += body.length;
      }
    },
  };
}

/**
 * One time limit for all database work of a request; reading the body has a separate one. The sender gets a 503 before
 * its own timeout, which is often 10 s.
 */
function createTimeLimit(limitMs: number): <T>(work: Promise<T>) => Promise<T> {
  let leftMs = limitMs;
  return async (work) => {
    const startMs = performance.now();
    return withinTime(work, leftMs, tooSlow).finally(() => {
      leftMs -= performance.now() - startMs;
    });
  };
}

function split(rest: string): [token: string, query: string] {
  const at = rest.indexOf('?');
  return at < 0 ? [rest, ''] : [rest.slice(0, at), rest.slice(at)];
}

const busy = () => new Failure(503, 'Too many concurrent requests; retry later.', { headers: { 'Retry-After': '5' } });

/** Handles methods other than POST: only a handshake that verifies the URL is accepted. */
function answerOther(
  services: Services,
  hook: Hook,
  req: IncomingMessage,
  res: ServerResponse,
  url: string,
  requestId: RequestId,
): void {
  const challenge = /^(GET|HEAD)$/.test(req.method ?? '') ? echoOf(hook, url) : undefined;
  if (challenge !== undefined) {
    finishAndDrain(req, res);
    answer(res, { challenge }, requestId);
    return;
  }
  const message = `Expected POST, got ${req.method?.slice(0, 20)}.`;
  throw refuse(services, hook, { cause: 'WRONG_METHOD', message }, seenOf(services, req, requestId, Buffer.of(), 0));
}

const seenOf = (
  { settings }: Services,
  req: IncomingMessage,
  requestId: RequestId,
  body: Buffer,
  bytes: number,
): Seen => ({
  method: req.method ?? '',
  headers: req.headers,
  body,
  bytes,
  ip: clientAddress(settings.trustedProxies, req),
  request_id: requestId.given,
  answered_id: requestId,
});

type Read = { body: Buffer; bytes: number; problem: Problem | null };

/** Reads the body and takes its size from the budget; the caller gives it back. */
function readBody(req: IncomingMessage, budget: { left: number }, bodyMs: number): Promise<Read | 'busy'> {
  const announced = Number(req.headers['content-length'] ?? 0);
  return new Promise((ok) => {
    const chunks: Buffer[] = [];
    let kept = 0;
    let bytes = 0;
    const timer = setTimeout(
      () => end({ cause: 'BODY_CUT', message: `The body was not complete within ${bodyMs / 1000} s.` }),
      bodyMs,
    );
    const end = (problem: Problem | null, outcome?: 'busy') => {
      clearTimeout(timer);
      req.off('data', onData).off('end', onEnd).off('close', onClose);
      req.pause();
      if (outcome) budget.left += kept;
      ok(outcome ?? { body: Buffer.concat(chunks), bytes: Math.max(bytes, problem ? announced : 0), problem });
    };
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > BODY_MAX_BYTES) {
        if (bytes > BODY_MAX_BYTES + DISCARDED_MAX_BYTES) end(tooLarge().problem);
        return;
      }
      if (budget.left < chunk.length) return end(null, 'busy');
      budget.left -= chunk.length;
      kept += chunk.length;
      chunks.push(chunk);
    };
    const onEnd = () => end(bytes > BODY_MAX_BYTES ? tooLarge().problem : null);
    const onClose = () => end({ cause: 'BODY_CUT', message: 'The body was incomplete.' });
    req.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
    if (announced > BODY_MAX_BYTES + DISCARDED_MAX_BYTES) end(tooLarge().problem);
  });
}

function answer(res: ServerResponse, received: Received, requestId: RequestId): void {
  const isChallenge = 'challenge' in received;
  // Without an id from the sender the event's id is the request id: a look-up finds it without a column for it.
  const id = requestId.given ?? (isChallenge ? undefined : received.event_ids[0]) ?? requestId();
  const body = isChallenge ? received.challenge : `${JSON.stringify(received)}\n`;
  res
    .writeHead(200, {
      'Content-Type': isChallenge && !received.json ? 'text/plain; charset=utf-8' : 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': id,
      ...(isChallenge && received.header ? { [received.header[0]]: received.header[1] } : {}),
    })
    .end(body);
}
