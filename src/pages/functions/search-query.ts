import { inParts } from '../../api/answer-stream.ts';
import { q } from '../../api/queries.ts';
import { queryClient } from '../../api/query-client.ts';
import { type SearchState, searchInput } from './search-state.ts';

/** The answer, and until it is whole what there is of it. One that is only refreshed stays until the new one is whole. */
export function searchQuery(state: SearchState) {
  const input = searchInput(state);
  const { queryKey } = q('functionSearch', input);
  return {
    queryKey,
    queryFn: ({ signal }: { signal: AbortSignal }) => {
      const isRefresh = queryClient.getQueryData(queryKey) !== undefined;
      return inParts('functionSearch', input, signal, (part) => {
        if (!isRefresh && !signal.aborted && part.count > 0) queryClient.setQueryData(queryKey, part);
      });
    },
  };
}
