import { Failure } from '../../lib/failure.ts';
import { BlockedAddress } from '../../platform/egress/egress.ts';

const SLOW = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT']);

/** Why an app did not respond: 504 for a timeout, otherwise 502. The message has the error code, never the URL. */
export function toUpstreamFailure(error: unknown): Failure {
  if (error instanceof BlockedAddress)
    return new Failure(
      502,
      error.isForbidden
        ? `The app was not called: ${error.message}.`
        : 'The app could not be reached: its URL does not resolve to a public address.',
    );
  const code = codeOf(error);
  if (code === 'UND_ERR_INVALID_ARG')
    return new Failure(400, 'The request has a path or header that can’t be forwarded.');
  if (SLOW.has(code)) return new Failure(504, `The app did not respond in time (${code}).`);
  if (code === 'HTTPParserError' || code === 'UND_ERR_HEADERS_OVERFLOW' || code.startsWith('HPE_'))
    return new Failure(502, `The app’s response was malformed (${code}).`);
  return new Failure(502, `The app could not be reached (${code}).`);
}

/** The response parser often sets no code. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
