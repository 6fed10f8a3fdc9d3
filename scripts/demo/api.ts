/** Calls the service's API as one account. */
import type { Body, Reply } from '../../contract/operations.ts';
import { type Operation, pathOf, routes } from '../../contract/routes.ts';

export type Input<O extends Operation> = { params?: Record<string, string>; body?: Body<O> };
export type Api = <O extends Operation>(operation: O, input?: Input<O>) => Promise<Reply<O>>;

/** `given` are the headers that authenticate: an API key, or a session's cookie, which a response may replace. */
export function apiOf(url: string, given: Record<string, string>): Api {
  let credentials = given;
  return async (operation, { params, body } = {}) => {
    const response = await fetch(`${url}/api${pathOf(operation, params)}`, {
      method: routes[operation].method,
      headers: { ...credentials, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const cookie = cookieOf(response);
    if (cookie !== '') credentials = { ...credentials, cookie };
    if (!response.ok) throw new Error(`${operation}: ${response.status} ${await response.text()}`);
    return response.json() as never;
  };
}

/** The API of an account with this key. */
export const withKey = (url: string, key: string): Api => apiOf(url, { authorization: `Bearer ${key}` });

/** The cookies that a response sets, as the header of the next request. */
export const cookieOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
