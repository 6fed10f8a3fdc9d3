import type { Logger } from 'pino';
import { type ErrorBody, type ErrorStatus, STATUS_TEXT } from '../../contract/errors.ts';
import { Failure } from '../lib/failure.ts';

/** The described body of an error. */
export function errorBody(failure: Failure): ErrorBody {
  return {
    message: failure.message,
    type: STATUS_TEXT[failure.status],
    code: failure.status,
    ...(failure.problems ? { problems: failure.problems } : {}),
  };
}

/** What a thrown thing means to a client: our own failures as they are, all else a 500 that tells nothing. */
export function toFailure(thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown;
  if (isUnreachable(thrown)) {
    return new Failure(503, 'The database can’t take this just now; try again shortly.', {
      headers: { 'Retry-After': '2' },
    });
  }
  if (isDiskFull(thrown)) {
    return new Failure(503, 'There is no room left on the service’s disk; try again later.', {
      headers: { 'Retry-After': '30' },
    });
  }
  return new Failure(500, 'Something went wrong on our side. The request id helps us find it.');
}

/** Leaves a line about what is no fault of the caller: a stack where it is ours, a warning where it is a provider's. */
export function noteFailure(log: Logger, thrown: unknown, failure: Failure, about: Record<string, unknown>): void {
  const { status, message } = failure;
  if (thrown instanceof Failure && (status === 502 || status === 504))
    log.warn({ ...about, status, failure: message }, 'a provider failed');
  else if (status >= 500) log.error({ err: thrown, ...about }, 'request failed');
}

/**
 * Trouble of the database that passes and that no caller made: it lets nobody in or ends whom it had (FATAL), it is short
 * of disk, memory or connections (class 53), its connections break (08, 57P and the socket's own codes).
 */
function isUnreachable(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  const { code = '', severity } = thrown as { code?: unknown; severity?: unknown };
  return (
    severity === 'FATAL' ||
    /^(08|53|57P)/.test(String(code)) ||
    /^(ECONNREFUSED|ECONNRESET|ENOENT|EPIPE)$/.test(String(code)) ||
    /Connection terminated|timeout exceeded when trying to connect/.test(thrown.message)
  );
}

/** What the database doesn't keep: a function's code, its packages. */
function isDiskFull(thrown: unknown): boolean {
  for (let error = thrown; error instanceof Error; error = error.cause)
    if ('code' in error && /^(ENOSPC|EDQUOT)$/.test(String(error.code))) return true;
  return false;
}

/** A plain answer for the doors that don't pass through the router. */
export function errorResponse(failure: Failure, requestId: string) {
  const body = JSON.stringify(errorBody(failure));
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Request-Id': requestId,
    'Cache-Control': 'no-store',
    ...failure.headers,
  };
  return { status: failure.status as ErrorStatus, headers, body };
}
