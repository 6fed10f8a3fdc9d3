/**
 * Requests of MCP 2026-07-28: no handshake and no session. Each request names the version and the client in `_meta`, and
 * repeats version, method and name in headers for proxies. Errors are responses with a status of 400 or more. An
 * aborted request is canceled at the server by closing the connection. A response can't be resumed.
 */
import type { Dispatcher } from 'undici';
import { headerValue } from './header-parameters.ts';
import { type Egress, type McpServer, resultOf, type Session, serverOf } from './session-parts.ts';
import {
  isObject,
  type McpPlace,
  McpTrouble,
  type Message,
  messagesOf,
  type Position,
  refusalOf,
  send,
} from './wire.ts';

export const STATELESS_VERSION = '2026-07-28';
const KEYS = 'io.modelcontextprotocol/';

/**
 * Asks the server for its versions (`server/discover`). Resolves with a session, or with null if the response shows that
 * the server does not support this version: it is another error, or no response of this method. `patience` aborts only
 * this request, `signal` all requests of the session.
 */
export async function discover(
  egress: Egress,
  place: McpPlace,
  signal: AbortSignal,
  patience: AbortSignal,
): Promise<Session | null> {
  const session = createStatelessSession(egress, place, signal);
  const found = await session.ask('server/discover', {}, {}, AbortSignal.any([signal, patience]));
  const versions = found['supportedVersions'];
  return Array.isArray(versions) && versions.includes(STATELESS_VERSION) ? session : null;
}

/** A session with a server that is known to support the version. */
export function createStatelessSession(
  { egress, settings }: Egress,
  place: McpPlace,
  signal: AbortSignal,
): Session & {
  ask(
    method: string,
    params: Record<string, unknown>,
    headers: Record<string, string>,
    until: AbortSignal,
  ): Promise<Record<string, unknown>>;
} {
  let lastId = 0;
  let server: McpServer = serverOf(STATELESS_VERSION, undefined);

  async function ask(
    method: string,
    params: Record<string, unknown>,
    headers: Record<string, string>,
    until: AbortSignal,
  ): Promise<Record<string, unknown>> {
    const id = ++lastId;
    const given = isObject(params['_meta']) ? params['_meta'] : {};
    const _meta = {
      ...given,
      [`${KEYS}protocolVersion`]: STATELESS_VERSION,
      [`${KEYS}clientInfo`]: { name: 'sluice', version: settings.version },
      [`${KEYS}clientCapabilities`]: {},
    };
    const answer = await send(egress, settings.gateway, place, {
      method: 'POST',
      headers: {
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': STATELESS_VERSION,
        'mcp-method': method,
        ...(typeof params['name'] === 'string' ? { 'mcp-name': headerValue(params['name']) } : {}),
        ...headers,
      },
      message: { jsonrpc: '2.0', id, method, params: { ...params, _meta } },
      signal: until,
      readsErrors: true,
    });
    const result = resultOf(place, await responseIn(place, answer, id));
    const meta = isObject(result['_meta']) ? result['_meta'] : {};
    if (isObject(meta[`${KEYS}serverInfo`])) server = serverOf(STATELESS_VERSION, meta[`${KEYS}serverInfo`]);
    if (result['resultType'] === 'input_required')
      throw new McpTrouble('garbage', 'The server asks for more input from a person, which is not supported.');
    return result;
  }

  return {
    server: () => server,
    ask,
    request: (method, params, headers = {}) => ask(method, params, headers, signal),
    close: () => Promise.resolve(),
  };
}

/** The response to the request. An error status without an error response of MCP is a refusal. */
async function responseIn(place: McpPlace, answer: Dispatcher.ResponseData, id: number): Promise<Message> {
  const failed = answer.statusCode >= 400;
  const position: Position = { id: null, retryMs: 0 };
  try {
    for await (const message of messagesOf(answer, position)) {
      if (typeof message['method'] === 'string') continue;
      if (message['id'] !== id && (message['id'] ?? null) !== null) continue;
      if (failed && !isObject(message['error'])) break;
      return message;
    }
  } catch (error) {
    if (!(failed && error instanceof McpTrouble && error.kind === 'garbage')) throw error;
  }
  throw failed ? refusalOf(place, answer) : new McpTrouble('garbage', 'The server’s response ended early.');
}
