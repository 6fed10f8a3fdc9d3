/**
 * The console's API client: calls the public operations on the page's origin with the session cookie. The contract
 * defines names, methods, paths, inputs and replies.
 */
import { routes } from '../../contract/routes.ts';
import { ApiError, errorOf } from './api-error.ts';
import type { AnyInput, CallArgs, Operation, Reply } from './operation.ts';
import { requestPath } from './request-path.ts';
import { signedInAgain } from './session-end.ts';

/** The base URL of the API. It is same-origin, so no CORS applies and the session cookie is sent. */
export const API_BASE = '/api';

/** The account that the page shows. Another tab may have switched the browser's session to another one. */
export const shown = { account: '' };

/** Matches JSON that may contain a number JSON.parse would round. The service writes JSON without spaces. */
const MAY_BE_LONG = /[:,[]-?[\d.]+([\d.]{15}|e)/i;

/** Calls an operation. Throws an ApiError unless the response status is 2xx. */
export function call<O extends Operation>(operation: O, ...[input]: CallArgs<O>): Promise<Reply<O>> {
  return send(operation, input ?? {});
}

let held: Promise<void> | undefined;

/**
 * Holds all further requests back, because another document replaces this page and the session may have ended. Returns
 * the function that sends them after all.
 */
export function holdRequests(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  held = promise;
  return () => {
    held = undefined;
    resolve();
  };
}

/** Like `call`, with an abort signal such as the one React Query passes. */
export async function send<O extends Operation>(
  operation: O,
  input: AnyInput,
  signal?: AbortSignal,
): Promise<Reply<O>> {
  const text = await (await request(operation, input, signal)).text();
  if (!MAY_BE_LONG.test(text)) return JSON.parse(text);
  const { parseExactly } = await import('../../contract/text/exact-json.ts');
  return parseExactly(text) as Reply<O>;
}

/** Sends the request of an operation. Throws an ApiError unless the response status is 2xx. */
export async function request(
  operation: Operation,
  input: AnyInput,
  signal?: AbortSignal,
  accept = 'application/json',
): Promise<Response> {
  await held;
  const { method, auth } = routes[operation];
  const hasBody = input.body !== undefined;
  const sentMs = performance.now();
  let response: Response;
  try {
    response = await fetch(API_BASE + requestPath(operation, input), {
      method,
      headers: {
        accept,
        'sluice-account': shown.account,
        ...(hasBody ? { 'content-type': 'application/json' } : {}),
        // for the audit log
        ...(method === 'GET' ? {} : { 'sluice-page': location.pathname.slice(0, 300) }),
      },
      body: hasBody ? JSON.stringify(input.body) : null,
      signal: signal ?? null,
    });
  } catch (thrown) {
    if (signal?.aborted) throw thrown;
    throw new ApiError({ status: 0, type: 'Network', message: 'The service could not be reached.' });
  }
  if (response.status === 401 && auth === 'account' && (await signedInAgain(sentMs, signal)))
    return request(operation, input, signal, accept);
  if (!response.ok) {
    const error = await errorOf(response);
    if (error.required && (await (await import('./required.ts')).isFulfilled(error.required)))
      return request(operation, input, signal, accept);
    throw error;
  }
  return response;
}
