/** What both kinds of sessions have in common. */
import type { Services } from '../../platform/context.ts';
import { isObject, McpError, type McpPlace, McpTrouble, type Message, withoutCredentials } from './wire.ts';

export type McpServer = { name: string; version: string; protocol_version: string };
export type Session = {
  /** Name and version of the server, as its last response states them. */
  server(): McpServer;
  /**
   * The result of one request. `headers` are sent only by versions of MCP that have headers for parameters. Throws
   * McpError for an error response, McpTrouble without a usable response.
   */
  request(
    method: string,
    params: Record<string, unknown>,
    headers?: Record<string, string>,
  ): Promise<Record<string, unknown>>;
  /** Ends the session at the server; never throws. */
  close(): Promise<void>;
};

export type Egress = Pick<Services, 'egress' | 'settings'>;

export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;

/** The result of a response; throws McpError for an error response. */
export function resultOf(place: McpPlace, { error, result }: Message): Record<string, unknown> {
  if (isObject(error)) {
    const code = typeof error['code'] === 'number' ? error['code'] : 0;
    const said = String(error['message'] ?? 'no message').replace(/^MCP error -?\d+: /, '');
    throw new McpError(code, withoutCredentials(place, said));
  }
  if (isObject(result)) return result;
  throw new McpTrouble('garbage', 'The server’s response has neither a result nor an error.');
}

/** The server's `serverInfo`, limited in length. */
export function serverOf(protocol_version: string, info: unknown): McpServer {
  const { name, version } = isObject(info) ? info : {};
  return { name: String(name ?? '').slice(0, 200), version: String(version ?? '').slice(0, 100), protocol_version };
}
