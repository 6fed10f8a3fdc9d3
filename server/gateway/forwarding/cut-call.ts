import type { IncomingMessage } from 'node:http';
import { codeOf } from '../../connections/upstream/upstream-failure.ts';
import { Failure } from '../../lib/failure.ts';
import { BlockedAddress } from '../../platform/egress/egress.ts';

/** Methods that may be repeated although the first request may have been processed (RFC 9110, section 9.2.2). */
const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

/**
 * The failure of a call without a response of the app, with what SDKs read as `X-Should-Retry`: not if the app was
 * reached with a request that must not be repeated, and not if the app may not be called.
 */
export function cutCall(
  failure: Failure,
  cause: unknown,
  isReached: boolean,
  { method = 'GET' }: IncomingMessage,
): Failure {
  if (failure.status < 500) return failure;
  const mayRetry = isReached ? IDEMPOTENT.has(method) : !(cause instanceof BlockedAddress);
  const message = isReached ? reached(failure, cause) : failure.message;
  const headers = { ...failure.headers, 'X-Should-Retry': String(mayRetry) };
  return new Failure(failure.status, message, { headers });
}

function reached({ status, message }: Failure, cause: unknown): string {
  if (!(cause instanceof Error) || cause instanceof Failure || message.includes('malformed')) return message;
  const what = status === 504 ? 'did not respond in time' : 'the connection ended before its response';
  return `The app was reached, but ${what} (${codeOf(cause)}).`;
}
