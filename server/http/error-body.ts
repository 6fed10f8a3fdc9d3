import type { Logger } from 'pino';
import { type ErrorBody, type ErrorStatus, STATUS_TEXT } from '../../contract/errors.ts';
import { Failure } from '../lib/failure.ts';
import { errorFields, isOutage } from '../lib/outage-log.ts';

/** Returns the body of an error response. */
export function errorBody(failure: Failure): ErrorBody {
  return {
    message: failure.message,
    type: STATUS_TEXT[failure.status],
    code: failure.status,
    ...(failure.problems ? { problems: failure.problems } : {}),
    ...(failure.required ? { required: failure.required } : {}),
    ...(failure.factors ? { factors: failure.factors } : {}),
  };
}

/** Converts a thrown value to a failure for the client: a 500 without details unless it is a known failure. */
export function toFailure(thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown;
  if (isOutage(thrown)) {
    return new Failure(503, 'The database is temporarily unavailable; try again shortly.', {
      headers: { 'Retry-After': '2' },
    });
  }
  if (isDiskFull(thrown)) {
    return new Failure(503, 'The service’s disk is full; try again later.', {
      headers: { 'Retry-After': '30' },
    });
  }
  return new Failure(500, 'Internal error. Quote the request ID when reporting it.');
}

/**
 * Logs a failure that the caller did not cause: with a stack where it is ours, as a warning where it is a provider's,
 * and without a stack where the service is unavailable for a known reason.
 */
export function noteFailure(log: Logger, thrown: unknown, failure: Failure, about: Record<string, unknown>): void {
  const { status, message } = failure;
  if (status < 500) return;
  if (!(thrown instanceof Failure)) log.error({ ...errorFields(thrown), ...about, status }, 'request failed');
  else if (status === 502 || status === 504) log.warn({ ...about, status, failure: message }, 'provider failed');
  else if (status === 503) log.error({ ...about, status, cause: message }, 'request failed');
  else log.error({ err: thrown, ...about, status }, 'request failed');
}

const REFUSALS: ReadonlySet<number> = new Set([401, 403, 421, 429]);

/** Logs a request that was refused before the API's router, which logs its requests itself. */
export function noteRefusal(log: Logger, { status, message }: Failure, about: Record<string, unknown>): void {
  if (REFUSALS.has(status)) log.info({ ...about, status, cause: message }, 'request refused');
}

/** Disk full outside the database: code and packages of functions. */
function isDiskFull(thrown: unknown): boolean {
  for (let error = thrown; error instanceof Error; error = error.cause)
    if ('code' in error && /^(ENOSPC|EDQUOT)$/.test(String(error.code))) return true;
  return false;
}

/**
 * Headers of every response of the service that is not a page of the console: a browser runs and embeds none of it.
 * Responses of apps and functions have their own headers.
 */
export const DATA_HEADERS: Record<string, string> = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
};

/** Returns an error response for entry points that don't use the router. */
export function errorResponse(failure: Failure, requestId: string) {
  const body = JSON.stringify(errorBody(failure));
  const headers: Record<string, string> = {
    ...DATA_HEADERS,
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Request-Id': requestId,
    'Cache-Control': 'no-store',
    ...failure.headers,
  };
  return { status: failure.status as ErrorStatus, headers, body };
}
