/** Calls the service's API as one account, with the TypeScript client. */
import { type Operation as ClientOperation, createClient } from '../../clients/typescript/client.js';
import type { Body, Reply } from '../../contract/operations.ts';
import type { Operation } from '../../contract/routes.ts';

/** The account's limit of requests is that of any account. */
const RETRIES = 10;

export type Input<O extends Operation> = { params?: Record<string, string>; body?: Body<O> };
export type Api = <O extends Operation>(operation: O, input?: Input<O>) => Promise<Reply<O>>;

/** `given` are the headers that authenticate: an API key, or a session's cookie, which a response may replace. */
export function apiOf(url: string, given: Record<string, string>): Api {
  let credentials = given;
  const client = createClient({
    baseUrl: `${url}/api`,
    headers: () => credentials,
    retries: RETRIES,
    onResponse: (response) => {
      const cookie = cookieOf(response);
      if (cookie !== '') credentials = { ...credentials, cookie };
    },
  });
  // The demo's inputs have the types of the contract, from which those of the client are generated.
  const call = client.call as (operation: ClientOperation, input?: object) => Promise<unknown>;
  return (operation, input) => call(operation as ClientOperation, input) as never;
}

/** The API of an account with this key. */
export const withKey = (url: string, key: string): Api => apiOf(url, { authorization: `Bearer ${key}` });

/** The cookies that a response sets, as the header of the next request. */
export const cookieOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
