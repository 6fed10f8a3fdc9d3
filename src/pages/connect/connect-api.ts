import type { Body, Reply } from '../../../contract/operations.ts';
import { pathOf, routes } from '../../../contract/routes.ts';
import { ApiError, errorOf } from '../../api/api-error.ts';
import { takeLinkToken } from '../../lib/link-token.ts';

export type ConnectSession = Reply<'connectSessionGet'>['session'];
export type ConnectChoice = Reply<'connectChoiceGet'>['choice'];
export type DeviceCode = NonNullable<Reply<'connectSessionSubmit'>['device']>;
export type ConnectMethod = ConnectSession['methods'][number];

/** Longer than the service's own timeout for providers. */
const TIMEOUT_MS = 90_000;

/** Set when a provider's redirect matches no flow of this browser: `unknown_return` or `other_browser`. */
export const returnProblem = new URLSearchParams(location.search).get('problem');
/** The link's token is the only credential of this page: it uses no session and no sign-in. */
export let linkToken = returnProblem === null ? takeLinkToken() : '';
/** Whether the token is that of a connect session, in which no app is chosen yet. */
export const isChoosing = () => linkToken.startsWith('cs_');

export const readSession = async () => (await call('connectSessionGet')).session;
export const submitSession = (body: Body<'connectSessionSubmit'>) => call('connectSessionSubmit', body);
export const pollSession = (body: Body<'connectSessionPoll'>) => call('connectSessionPoll', body);
export const readChoice = async () => (await call('connectChoiceGet')).choice;

/** Chooses an app: from now on, this page uses the link of its connection. With `back`, "Back" leads to the choice. */
export async function chooseApp(app: string, { back }: { back: boolean }): Promise<void> {
  const { token } = await call('connectChoiceSubmit', { app });
  const state = { ...history.state, linkToken: token };
  if (back) history.pushState(state, '');
  else history.replaceState(state, '');
  linkToken = token;
}

type LinkOperation =
  | 'connectSessionGet'
  | 'connectSessionSubmit'
  | 'connectSessionPoll'
  | 'connectChoiceGet'
  | 'connectChoiceSubmit';

async function call<O extends LinkOperation>(operation: O, body?: Body<O>): Promise<Reply<O>> {
  const path = location.pathname.replace(/\/+$/, '');
  const response = await fetch(`${path}/api${pathOf(operation)}`, {
    method: routes[operation].method,
    // The response sets a cookie that identifies this browser when the provider redirects back.
    credentials: 'same-origin',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: { authorization: `Bearer ${linkToken}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  }).catch((thrown: unknown) => {
    throw new ApiError({ status: 0, type: 'Offline', message: noAnswer(thrown) });
  });
  if (!response.ok) throw await errorOf(response);
  return (await response.json()) as Reply<O>;
}

function noAnswer(thrown: unknown): string {
  if (thrown instanceof DOMException && thrown.name === 'TimeoutError')
    return 'There was no response within 90 seconds. Try again.';
  return navigator.onLine
    ? 'The service can’t be reached. Check your network and try again.'
    : 'You are offline. Try again once you are back online.';
}
