import { shown } from './client.ts';
import type { Reply } from './operation.ts';
import { queryClient } from './query-client.ts';
import { sessionQuery } from './session.ts';

/** After signing in: drops the cached data of the account that was signed in before. */
export function startSession(reply: Reply<'sessionGet'>): void {
  queryClient.clear();
  shown.account = '';
  queryClient.setQueryData(sessionQuery.queryKey, reply);
}
