import type { Body, Reply } from '../../../contract/operations.ts';
import { pathOf } from '../../../contract/routes.ts';
import { ApiError, errorOf } from '../../api/api-error.ts';

export type ConnectSession = Reply<'connectSessionGet'>['session'];

/** The link's token is all this page has: it is nobody's session, and needs no sign-in. */
export const linkToken = new URLSearchParams(location.search).get('token') ?? '';

export const readSession = async () => (await call<'connectSessionGet'>('GET')).session;
export const submitSession = (body: Body<'connectSessionSubmit'>) => call<'connectSessionSubmit'>('POST', body);

async function call<O extends 'connectSessionGet' | 'connectSessionSubmit'>(
  method: 'GET' | 'POST',
  body?: Body<'connectSessionSubmit'>,
): Promise<Reply<O>> {
  const path = location.pathname.replace(/\/+$/, '');
  const response = await fetch(`${path}/api${pathOf('connectSessionGet')}`, {
    method,
    // The answer's cookie tells this browser from others when it comes back from the provider.
    credentials: 'same-origin',
    headers: { authorization: `Bearer ${linkToken}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  }).catch(() => {
    throw new ApiError({
      status: 0,
      type: 'Offline',
      message: 'The service can’t be reached. Check your network and try again.',
    });
  });
  if (!response.ok) throw await errorOf(response);
  return (await response.json()) as Reply<O>;
}
