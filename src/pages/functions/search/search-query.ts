import { replaceEqualDeep } from '@tanstack/react-query';
import type { SearchReply } from '../../../api/entities.ts';
import { q } from '../../../api/queries.ts';
import { queryClient } from '../../../api/query-client.ts';
import { callStreaming } from '../../../api/response-stream.ts';
import { type SearchState, searchInput } from './search-state.ts';

/** Functions of the previous response: unchanged ones need no new render. */
let before = new Map<string, SearchReply['functions'][number]>();

function sharing(reply: SearchReply): SearchReply {
  const functions = reply.functions.map((found) => replaceEqualDeep(before.get(found.function_id), found));
  before = new Map(functions.map((found) => [found.function_id, found]));
  return { ...reply, functions };
}

/** The response, or its parts so far. A refreshed response replaces the previous one only when complete. */
export function searchQuery(state: SearchState) {
  const input = searchInput(state);
  const { queryKey } = q('functionSearch', input);
  return {
    queryKey,
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      const isRefresh = queryClient.getQueryData(queryKey) !== undefined;
      const reply = await callStreaming('functionSearch', input, signal, (part) => {
        if (!isRefresh && !signal.aborted && part.count > 0) queryClient.setQueryData(queryKey, sharing(part));
      });
      return sharing(reply);
    },
  };
}
