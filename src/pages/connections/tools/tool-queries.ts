/** Queries for the tools of a connection's MCP server, shared by its tab and its panel. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { send } from '../../../api/client.ts';
import type { Tool } from '../../../api/entities.ts';
import type { Reply } from '../../../api/operation.ts';
import type { PagesQuery } from '../../../api/queries.ts';

type ToolList = Reply<'connectionToolList'>;

/**
 * The whole list as one page. Each request queries the server, so the response is cached for a minute; if the server
 * cannot be reached, the error is shown without retries.
 */
export function toolsQuery(connection_id: string): PagesQuery<ToolList> & { retry: false; staleTime: number } {
  const input = { params: { connection_id } };
  return {
    queryKey: ['connectionToolList', input, 'pages'],
    queryFn: ({ signal }) => send('connectionToolList', input, signal) as Promise<ToolList>,
    initialPageParam: undefined,
    getNextPageParam: () => undefined,
    retry: false,
    staleTime: 60_000,
  };
}

export const toolsOf = (page: ToolList): readonly Tool[] => page.tools;

/** The server's own name and version, once loaded. */
export const useToolServer = (connection_id: string, enabled: boolean): ToolList | undefined =>
  useInfiniteQuery({ ...toolsQuery(connection_id), enabled }).data?.pages[0];

/** The tools whose name, title or description contains every word. */
export function matching(tools: readonly Tool[], text: string): readonly Tool[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return tools.filter(({ name, title, description }) => {
    const all = `${name} ${title ?? ''} ${description ?? ''}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
}
