/**
 * Entry point of webhook endpoints: `{hooks_url}/<token>`. The token identifies the trigger and is looked up before the
 * body is read. The body is read as a whole, within a size and a time limit, and its bytes are kept unchanged. See
 * server/triggers/ingress/receive.ts for the next steps. No response and no log message contains the token.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { INGRESS_SECONDS } from '../../../contract/limits.ts';
import { tooSlow } from '../../deliveries/intake/intake.ts';
import { finishAndDrain } from '../../lib/bodies/drain-request.ts';
import { Failure } from '../../lib/failure.ts';
import { shareUsed } from '../../lib/shares/shares.ts';
import { withinTime } from '../../lib/time-limit.ts';
import { hashToken } from '../../lib/tokens.ts';
import type { Services } from '../../platform/context.ts';
import { traceIn } from '../../platform/tracing/trace.ts';
import type { OpenSpan, Tracing } from '../../platform/tracing/tracing.ts';
import { overRate } from '../../triggers/ingress/hook-rates.ts';
import { findHook, type Hook } from '../../triggers/ingress/hooks.ts';
import type { Seen } from '../../triggers/ingress/incoming.ts';
import { tooLarge } from '../../triggers/ingress/read-body.ts';
import { echoOf, type Received, receive, refuse, unknownHook } from '../../triggers/ingress/receive.ts';
import type { Problem } from '../../triggers/ingress/signature.ts';
import { type Budget, createBodyBudget, type Shortage } from '../body-budget.ts';
import { clientAddress } from '../client-address.ts';
import type { RequestId } from './request-log.ts';

export type HooksFront = {
  /** Handles a request to a webhook endpoint; `rest` follows `{hooks_url}/`. Rejects with the failure to send. */
  handle(req: IncomingMessage, res: ServerResponse, rest: string, requestId: RequestId): Promise<void>;
};

/** Memory for all bodies being read. */
const BUDGET_BYTES = 128 * 1024 * 1024;
/** The budget has room for at least this number of the largest bodies. */
const LARGEST_AT_ONCE = 8;
/** Requests of other methods have no body. */
const WITH_BODY = /^(?:POST|PUT|PATCH|DELETE|GET)$/;

/** `bodyMs`: time limit for a whole body. */
export function createHooksFront(
  services: Services,
  { bodyMs = INGRESS_SECONDS * 1000 }: { bodyMs?: number } = {},
): HooksFront {
  const maxBytes = services.settings.hookBodyMaxBytes;
  const budget = createBodyBudget(Math.max(BUDGET_BYTES, LARGEST_AT_ONCE * maxBytes));

  return {
    async handle(req, res, rest, requestId) {
      const { token, path, query } = split(rest);
      const timeLimit = createTimeLimit(services.settings.intakeTimeoutMs);
      const hook = await timeLimit(findHook(services, hashToken(token)));
      // Only a source that accepts any request may add to the path.
      if (!hook || (path !== '' && !hook.source.anyBody)) throw unknownHook();
      const { account_id, trigger_id } = hook;
      requestId.about = { operation: 'webhook', account_id, trigger_id };
      const span = services.tracing && openSpan(services.tracing, hook, req, res);
      const url = `${services.settings.addresses.hooks_url}/${token}${path}${query}`;
      const seenWith = (body: Buffer, bytes: number): Seen => ({
        method: req.method ?? '',
        path,
        query: query.slice(1),
        headers: req.headers,
        body,
        bytes,
        ip: clientAddress(services.settings.trustedProxies, req),
        request_id: requestId.given,
        answered_id: requestId,
        trace: span?.trace,
      });
      const excess = await overRate(services.memory.hookRates, hook);
      if (excess !== undefined) {
        const seen = seenWith(Buffer.of(), announcedBytes(req));
        throw refuse(services, hook, { cause: 'RATE_LIMITED', message: excess }, seen);
      }
      if (answersChallenge(hook, req, res, url, requestId)) return;
      const read = await readBody(req, budget.of(hook.account_id), bodyMs, maxBytes);
      if (read === 'busy') throw busy();
      if (read === 'share') throw shareUsed(BODIES_SHARE, 5);
      const { body, problem, bytes } = read;
      const seen = seenWith(body, bytes);
      try {
        const refused = problem ?? methodProblem(hook, req.method ?? '');
        if (refused) throw refuse(services, hook, refused, seen);
        answer(res, await timeLimit(receive(services, hook, { ...seen, url })), requestId);
      } finally {
        budget.of(hook.account_id).free(body.length);
      }
    },
  };
}

/** The span of a request, which ends with its response. */
function openSpan(tracing: Tracing, hook: Hook, req: IncomingMessage, res: ServerResponse): OpenSpan {
  const { account_id, trigger_id, label } = hook;
  const span = tracing.start('hook', 'SERVER', traceIn(req.headers), { account_id, trigger_id, app: label });
  res.once('close', () => span.end({ status: res.statusCode }, res.statusCode >= 500 || !res.writableFinished));
  return span;
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

function split(rest: string): { token: string; path: string; query: string } {
  const [, token = '', path = '', query = ''] = /^([^/?]*)([^?]*)(.*)$/s.exec(rest) ?? [];
  return { token, path, query };
}

const busy = () => new Failure(503, 'Too many concurrent requests; retry later.', { headers: { 'Retry-After': '5' } });

/** Answers a GET or HEAD that only verifies the URL; false for any other request. */
function answersChallenge(
  hook: Hook,
  req: IncomingMessage,
  res: ServerResponse,
  url: string,
  requestId: RequestId,
): boolean {
  const challenge = /^(GET|HEAD)$/.test(req.method ?? '') ? echoOf(hook, req.method, url) : undefined;
  if (challenge === undefined) return false;
  finishAndDrain(req, res);
  answer(res, { challenge }, requestId);
  return true;
}

function methodProblem({ methods }: Hook, method: string): Problem | null {
  if (methods.includes(method)) return null;
  return { cause: 'WRONG_METHOD', message: `Expected ${methods.join(' or ')}, got ${method.slice(0, 20)}.` };
}

const announcedBytes = (req: IncomingMessage) => Number(req.headers['content-length'] ?? 0);
const BODIES_SHARE = "The account's share is used up: too many requests of it are being received.";

type Read = { body: Buffer; bytes: number; problem: Problem | null };

/** Reads the body and takes its size from the budget; the caller gives it back. */
function readBody(req: IncomingMessage, budget: Budget, bodyMs: number, maxBytes: number): Promise<Read | Shortage> {
  const announced = announcedBytes(req);
  // As much again is read beyond the limit, so that the sender gets the error. The connection of a larger one is closed.
  const readMaxBytes = 2 * maxBytes;
  if (!WITH_BODY.test(req.method ?? '')) return Promise.resolve({ body: Buffer.of(), bytes: 0, problem: null });
  return new Promise((ok) => {
    const chunks: Buffer[] = [];
    let kept = 0;
    let bytes = 0;
    const timer = setTimeout(
      () => end({ cause: 'BODY_CUT', message: `The body was not complete within ${bodyMs / 1000} s.` }),
      bodyMs,
    );
    const end = (problem: Problem | null, outcome?: Shortage) => {
      clearTimeout(timer);
      req.off('data', onData).off('end', onEnd).off('close', onClose);
      req.pause();
      if (outcome) budget.free(kept);
      ok(outcome ?? { body: Buffer.concat(chunks), bytes: Math.max(bytes, problem ? announced : 0), problem });
    };
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxBytes) {
        if (bytes > readMaxBytes) end(tooLarge(maxBytes).problem);
        return;
      }
      const shortage = budget.take(chunk.length);
      if (shortage) return end(null, shortage);
      kept += chunk.length;
      chunks.push(chunk);
    };
    const onEnd = () => end(bytes > maxBytes ? tooLarge(maxBytes).problem : null);
    const onClose = () => end({ cause: 'BODY_CUT', message: 'The body was incomplete.' });
    req.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
    if (announced > readMaxBytes) end(tooLarge(maxBytes).problem);
    else if (req.destroyed) {
      // It broke off before: no event follows, and what arrived is still in the buffer.
      const arrived = req.read() as Buffer | null;
      if (arrived) onData(arrived);
      onClose();
    }
  });
}

function answer(res: ServerResponse, received: Received, requestId: RequestId): void {
  const isChallenge = 'challenge' in received;
  // Without an id from the sender the event's id is the request id: a look-up finds it without a column for it.
  const id = requestId.given ?? (isChallenge ? undefined : received.event_ids[0]) ?? requestId();
  const reply = isChallenge ? undefined : received.reply;
  const body = isChallenge
    ? received.challenge
    : (reply?.body ?? `${JSON.stringify({ event_ids: received.event_ids })}\n`);
  const type = isChallenge && !received.json ? 'text/plain; charset=utf-8' : 'application/json';
  const hasNoBody = reply?.status === 204;
  res
    .writeHead(reply?.status ?? 200, {
      ...(reply ? {} : { 'content-type': type }),
      'cache-control': 'no-store',
      ...(hasNoBody ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
      ...reply?.headers,
      // The URL may share its origin with the console.
      ...(reply ? { 'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox" } : {}),
      'x-content-type-options': 'nosniff',
      'x-request-id': id,
      ...(isChallenge && received.header ? { [received.header[0]]: received.header[1] } : {}),
    })
    .end(hasNoBody ? undefined : body);
}
