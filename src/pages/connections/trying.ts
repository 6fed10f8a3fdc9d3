import type { Connection, GatewayCall } from '../../api/entities.ts';
import { path } from '../../lib/path.ts';

type Way = { readonly tab: 'try' | 'tools'; readonly label: string; readonly action: string };

/** How a connection is tried by hand: an MCP server by its tools, any other app by a request. */
export const waysToTry = ({ method }: Connection): Way =>
  method === 'MCP'
    ? { tab: 'tools', label: 'Tools', action: 'Call a tool' }
    : { tab: 'try', label: 'Try it', action: 'Try a request' };

/** Where a logged call can be made again; undefined for messages of MCP, which only mean something in a session. */
export function whereToRetry(
  { connection_id, method: way }: Connection,
  { method, path: called }: GatewayCall,
): string | undefined {
  if (way !== 'MCP') return path.connection(connection_id, 'try', { method, path: called });
  if (/^\/(?:mcp\/?)?$/.test(called)) return undefined;
  try {
    return path.connectionTool(connection_id, decodeURIComponent(called.slice(1)));
  } catch {
    return undefined;
  }
}
