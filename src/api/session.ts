import { mayAct, routes } from '../../contract/routes.ts';
import { shown } from './client.ts';
import type { Operation, Reply } from './operation.ts';
import { q, usePrefetchedQuery } from './queries.ts';

export const sessionQuery = q('sessionGet');

export type Session = NonNullable<Reply<'sessionGet'>['session']>;

let last: Session | undefined;

/** The signed-in user's session. Only for use below the Shell, whose loader redirects other visitors. */
export function useSession(): Session {
  const { session } = usePrefetchedQuery(sessionQuery).data;
  // a page may render once more between the end of its session and the redirect by the Shell
  last = session ?? last;
  if (!last) throw new Error('no session');
  shown.account = last.account_id;
  return last;
}

/** Why the user's role does not allow an operation, for a button's `reason`; undefined if it does. */
export function useReason(operation: Operation): string | undefined {
  const verdict = mayAct(useSession().role, routes[operation].role);
  return verdict.can ? undefined : verdict.reason;
}
