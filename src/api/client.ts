/**
 * The console's only way to the service: the public operations, on the page's own origin, with the session's cookie.
 * Names, methods and paths come from the contract; what goes in and comes out is typed by it.
 */
import { routes } from '../../contract/routes.ts';
import { addressOf } from './address.ts';
import { ApiError, errorOf } from './api-error.ts';
import type { AnyInput, CallArgs, Operation, Reply } from './operation.ts';

/** Where the API lies for this page. The same origin, so that there is no CORS and the cookie goes along. */
export const API_BASE = '/api';

/** Where a number may stand that JSON.parse would round; the service writes no spaces. */
const MAY_BE_LONG = /[:,[]-?[\d.]+([\d.]{15}|e)/i;

/** Calls an operation. Throws an ApiError for everything but an answer of success. */
export function call<O extends Operation>(operation: O, ...[input]: CallArgs<O>): Promise<Reply<O>> {
  return send(operation, input ?? {}) as Promise<Reply<O>>;
}

/** The same, for callers that can take it back: React Query hands them a signal. */
export async function send(operation: Operation, input: AnyInput, signal?: AbortSignal): Promise<unknown> {
  const { method } = routes[operation];
  const hasBody = input.body !== undefined;
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
  if (!response.ok) throw await errorOf(response);
  const text = await response.text();
  return MAY_BE_LONG.test(text) ? (await import('../../contract/exact-json.ts')).parseExactly(text) : JSON.parse(text);
}
