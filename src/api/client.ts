/**
 * The console's only way to the service: the public operations, on the page's own origin, with the session's cookie.
 * Names, methods and paths come from the contract; what goes in and comes out is typed by it.
 */
import { routes } from '../../contract/routes.ts';
import { addressOf } from './address.ts';
import { ApiError, errorOf } from './api-error.ts';
import type { AnyInput, CallArgs, Operation, Reply } from './operation.ts';
import { signedInAgain } from './session-end.ts';

/** Where the API lies for this page. The same origin, so that there is no CORS and the cookie goes along. */
export const API_BASE = '/api';

/** Matches wherever a text may have a number that JSON.parse would round; the service writes no spaces. */
const MAY_BE_LONG = /[:,[]-?[\d.]+([\d.]{15}|e)/i;

/** Calls an operation. Throws an ApiError for everything but an answer of success. */
export function call<O extends Operation>(operation: O, ...[input]: CallArgs<O>): Promise<Reply<O>> {
  return send(operation, input ?? {});
}

/** The same, for callers that can take it back: React Query hands them a signal. */
export async function send<O extends Operation>(
  operation: O,
  input: AnyInput,
  signal?: AbortSignal,
): Promise<Reply<O>> {
  const { method, auth } = routes[operation];
  const hasBody = input.body !== undefined;
  const sentMs = performance.now();
  let response: Response;
  try {
    response = await fetch(API_BASE + addressOf(operation, input), {
      method,
      headers: { accept: 'application/json', ...(hasBody ? { 'content-type': 'application/json' } : {}) },
      body: hasBody ? JSON.stringify(input.body) : null,
      signal: signal ?? null,
    });
  } catch (thrown) {
    if (signal?.aborted) throw thrown;
    throw new ApiError({ status: 0, type: 'Network', message: 'The service could not be reached.' });
  }
  if (response.status === 401 && auth === 'account' && (await signedInAgain(sentMs, signal)))
    return send(operation, input, signal);
  if (!response.ok) throw await errorOf(response);
  const text = await response.text();
  if (!MAY_BE_LONG.test(text)) return JSON.parse(text);
  const { parseExactly } = await import('../../contract/text/exact-json.ts');
  return parseExactly(text) as Reply<O>;
}
