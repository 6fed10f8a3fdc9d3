import type { Connection, GatewayCall } from '../../api/entities.ts';
import { path } from '../../lib/path.ts';

type Way = { readonly tab: 'try' | 'tools'; readonly label: string; readonly action: string };

/** The tab for manual calls: tools for an MCP server, requests for any other app. */
export const manualCallTab = ({ method }: Connection): Way =>
  method === 'MCP'
    ? { tab: 'tools', label: 'Tools', action: 'Call a tool' }
    : { tab: 'try', label: 'Try it', action: 'Try a request' };

/** The URL that repeats a logged call; undefined for MCP messages, which need a session. */
export function repeatPath(
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
