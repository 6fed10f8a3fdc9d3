import { useQuery } from '@tanstack/react-query';
import type { LookupMatch } from '../api/entities.ts';
import { ensure, q } from '../api/queries.ts';
import { queryClient } from '../api/query-client.ts';
import { isIdLike } from '../lib/lookup.ts';

const NONE: readonly LookupMatch[] = [];

const lookupOf = (typed: string) => q('lookup', { query: { id: typed.trim() } });

/** Looks up a typed id, sharing the request of `useIdLookup` if it is in flight. Empty if the lookup fails. */
export async function lookUp(typed: string): Promise<readonly LookupMatch[]> {
  try {
    const query = lookupOf(typed);
    await ensure(query);
    return queryClient.getQueryData(query.queryKey)?.matches ?? NONE;
  } catch {
    return NONE;
  }
}

/** The resources of the account with the typed id. */
export function useIdLookup(typed: string): { matches: readonly LookupMatch[]; pending: boolean } {
  const { data, isLoading } = useQuery({
    ...lookupOf(typed),
    enabled: isIdLike(typed),
    retry: false,
  });
  return { matches: data?.matches ?? NONE, pending: isLoading };
}
