import type { Query } from '@tanstack/react-query';
import { queryClient } from '../query-client.ts';

/** Makes answers stale; returns how many requests it takes to read those again that are shown. */
export function invalidateShown(predicate: (query: Query) => boolean): number {
  const shown = queryClient.getQueryCache().findAll({ type: 'active', predicate });
  void queryClient.invalidateQueries({ predicate });
  return shown.reduce((sum, { state }) => sum + requestsOf(state.data), 0);
}

/** A list in pages takes one for each. */
function requestsOf(data: unknown): number {
  if (typeof data !== 'object' || data === null || !('pages' in data)) return 1;
  return Array.isArray(data.pages) ? data.pages.length : 1;
}
