import { replaceEqualDeep } from '@tanstack/react-query';
import { inParts } from '../../../api/answer-stream.ts';
import type { SearchReply } from '../../../api/entities.ts';
import { q } from '../../../api/queries.ts';
import { queryClient } from '../../../api/query-client.ts';
import { type SearchState, searchInput } from './search-state.ts';

/** Functions of the answer before, for another query: those that haven't changed need not be rendered again. */
let before = new Map<string, SearchReply['functions'][number]>();

function sharing(reply: SearchReply): SearchReply {
  const functions = reply.functions.map((found) => replaceEqualDeep(before.get(found.function_id), found));
  before = new Map(functions.map((found) => [found.function_id, found]));
  return { ...reply, functions };
}

/** The answer, and until it is whole its parts so far. One that is only refreshed stays until the new one is whole. */
export function searchQuery(state: SearchState) {
  const input = searchInput(state);
  const { queryKey } = q('functionSearch', input);
  return {
    queryKey,
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      const isRefresh = queryClient.getQueryData(queryKey) !== undefined;
      const reply = await inParts('functionSearch', input, signal, (part) => {
        if (!isRefresh && !signal.aborted && part.count > 0) queryClient.setQueryData(queryKey, sharing(part));
      });
      return sharing(reply);
    },
  };
}
