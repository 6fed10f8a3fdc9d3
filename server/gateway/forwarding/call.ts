import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { AppCall } from '../../../contract/keys/key-limits.ts';
import { appLabel } from '../../connections/apps/app-label.ts';
import type { Upstream } from '../../connections/upstream/upstream.ts';
import { Failure, forbidden } from '../../lib/failure.ts';
import { orderedNow } from '../../lib/ids.ts';
import type { KeyRef } from '../../platform/context.ts';
import { type Trace, traceIn } from '../../platform/tracing/trace.ts';
import type { OpenSpan, Tracing } from '../../platform/tracing/tracing.ts';
import type { NotedCall } from '../calls-log.ts';
import type { Capture } from '../captures/capture.ts';
import type { KeyPlace } from './call-target.ts';

/** `run_id` is set if a hosted function is the caller, `key` if a program with an API key is. */
export type Caller = {
  account_id: string;
  request_id: string;
  /** The X-Request-Id of the caller's request. */
  given_request_id?: string | undefined;
  run_id?: string;
  /** The trace that the call continues, unless its request has another one. */
  trace?: Trace | undefined;
  key?: KeyRef | null;
  /** Why the caller may not make a call; null if it may. Missing without limits. */
  refusal?: ((call: AppCall) => string | null) | undefined;
  /** The places of the key, if it is valid only in a place of the app's credential. */
  keyPlaces?: readonly KeyPlace[] | null;
};

/** A call in flight: the caller, and its entry in the call log. */
export type Call = {
  caller: Caller;
  log: Logger;
  startedMs: number;
  noted: NotedCall;
  /** Undefined unless spans are sent to a collector. */
  span: OpenSpan | undefined;
  /** Undefined unless its request and response are captured. */
  capture: Capture | undefined;
};

/** The log entry contains the path without the query, and no headers. */
export function newCall(
  caller: Caller,
  log: Logger,
  startedMs: number,
  connection_id: string,
  app: string,
  req: IncomingMessage,
  rest: string,
): Call {
  const { account_id, run_id = null, key = null } = caller;
  const noted: NotedCall = {
    account_id,
    connection_id,
    run_id,
    key_id: key?.key_id ?? null,
    key_name: key?.name ?? null,
    app,
    method: req.method ?? 'GET',
    path: pathOf(rest),
    status: null,
    duration_ms: 0,
    request_bytes: 0,
    response_bytes: 0,
    error: null,
    request_id: caller.given_request_id ?? null,
    at_ms: orderedNow(),
  };
  return { caller, log, startedMs, noted, span: undefined, capture: undefined };
}

/** Throws 403 if the caller may not make this call with this connection. */
export function assertPermitted(
  caller: Caller,
  connection_id: string,
  app: string,
  req: IncomingMessage,
  rest: string,
) {
  const path = rest.split('?', 1)[0] ?? '';
  const refusal = caller.refusal?.({ app, method: req.method ?? 'GET', path, connection_id });
  if (refusal) throw forbidden(refusal);
}

/** Throws 401 if the key is in places that are not the app's place of the credential. */
export function assertKeyPlace({ keyPlaces }: Caller, { app, keyPlaces: known }: Upstream): void {
  if (!keyPlaces || keyPlaces.some((place) => known.has(`${place.in} ${place.name}`))) return;
  throw new Failure(401, `The API key is not where ${app} expects one: send it as Authorization: Bearer <API_KEY>.`, {
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}

/** Starts the span of a call, which continues the trace of its request or of its run. */
export function startCallSpan(tracing: Tracing, { caller, noted }: Call, req: IncomingMessage): OpenSpan {
  const { account_id, connection_id, run_id, app } = noted;
  const parent = traceIn(req.headers) ?? caller.trace;
  return tracing.start('gateway call', 'CLIENT', parent, { account_id, connection_id, run_id, app: appLabel(app) });
}

/** Ends the span of a call that ended: without the error, which may have the app's words. */
export function endCallSpan(span: OpenSpan, { status, error }: NotedCall): void {
  span.end({ status, outcome: error === null ? 'ANSWERED' : 'FAILED' }, error !== null || (status ?? 0) >= 400);
}

const PATH_MAX_CHARS = 2048;

function pathOf(rest: string): string {
  const mark = rest.indexOf('?');
  const path = (mark < 0 ? rest : rest.slice(0, mark)).slice(0, PATH_MAX_CHARS) || '/';
  // A slice would keep a long query in memory while the row is buffered.
  return rest.length > 2 * PATH_MAX_CHARS ? Buffer.from(path, 'latin1').toString('latin1') : path;
}
