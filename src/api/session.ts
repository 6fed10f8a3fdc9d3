import { mayAct, routes } from '../../contract/routes.ts';
import type { Operation, Reply } from './operation.ts';
import { q, usePrefetchedQuery } from './queries.ts';

export const sessionQuery = q('sessionGet');

export type Session = NonNullable<Reply<'sessionGet'>['session']>;

let last: Session | undefined;

/** Who is signed in. Only below the Shell, whose loader turns everybody else away. */
export function useSession(): Session {
  const { session } = usePrefetchedQuery(sessionQuery).data;
  // a page may be drawn once more between the end of its session and the moment in which the Shell leads away
  last = session ?? last;
  if (!last) throw new Error('no session');
  return last;
}

/** Why this person may not do it, in words for a button's `reason`; undefined when they may. */
export function useReason(operation: Operation): string | undefined {
  const verdict = mayAct(useSession().role, routes[operation].role);
  return verdict.can ? undefined : verdict.reason;
}
