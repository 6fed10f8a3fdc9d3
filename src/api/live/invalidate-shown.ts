import type { Query } from '@tanstack/react-query';
import { queryClient } from '../query-client.ts';

/** Invalidates cached replies; returns how many requests the refetch of the displayed ones takes. */
export function invalidateShown(predicate: (query: Query) => boolean): number {
  const shown = queryClient.getQueryCache().findAll({ type: 'active', predicate });
  void queryClient.invalidateQueries({ predicate });
  return shown.reduce((sum, { state }) => sum + requestsOf(state.data), 0);
}

/** A paged list takes one request per page. */
function requestsOf(data: unknown): number {
  if (typeof data !== 'object' || data === null || !('pages' in data)) return 1;
  return Array.isArray(data.pages) ? data.pages.length : 1;
}
