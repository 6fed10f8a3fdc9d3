/**
 * The service as a client of an MCP server (Streamable HTTP, specification of 2025-11-25).
 *
 * A session is opened for one purpose (list tools, call one, check access) and closed after it: initialize,
 * notifications/initialized, the requests, DELETE. Nothing of it is stored, so a crash leaves at most a session that
 * expires at the server. The client declares no capabilities, so a server can only send a ping. A stream that ends
 * before the response is resumed from its last event ID (`Last-Event-ID`), if it has one.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { LATEST_PROTOCOL_VERSION, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import type { Services } from '../../platform/context.ts';
import {
  isObject,
  McpError,
  type McpPlace,
  McpTrouble,
  type Message,
  messagesOf,
  type Position,
  send,
  withoutCredentials,
} from './wire.ts';

export type McpServer = { name: string; version: string; protocol_version: string };
export type Session = {
  server: McpServer;
  /** The result of one request. Throws McpError for an error response, McpTrouble without a usable response. */
  request(method: string, params: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** Ends the session at the server; never throws. */
  close(): Promise<void>;
};

type Egress = Pick<Services, 'egress' | 'settings'>;

const RESUMES_MAX = 20;
const RETRY_MS = { usual: 1000, max: 10_000 };
const GOODBYE_MS = 5_000;
export const METHOD_NOT_FOUND = -32601;

/** Opens a session; `signal` aborts all its requests. */
export async function openSession(
  { egress, settings }: Egress,
  place: McpPlace,
  signal: AbortSignal,
): Promise<Session> {
  const state: Record<string, string> = {};
  let lastId = 0;

  const post = (message: Message, until = signal) =>
    send(egress, settings.gateway, place, {
      method: 'POST',
      headers: { accept: 'application/json, text/event-stream', ...state },
      message: { jsonrpc: '2.0', ...message },
      signal: until,
    });
  const notify = async (method: string, params?: object, until?: AbortSignal) => {
    const { body } = await post({ method, ...(params ? { params } : {}) }, until);
    await body.dump();
  };
  const cancel = (requestId: number) => {
    notify('notifications/cancelled', { requestId }, AbortSignal.timeout(GOODBYE_MS)).catch(() => undefined);
  };
  /** Responds to a ping; rejects all other requests. */
  const reply = ({ id, method }: Message) => {
    const answer =
      method === 'ping' ? { result: {} } : { error: { code: METHOD_NOT_FOUND, message: 'Method not found' } };
    post({ id, ...answer }).then(
      ({ body }) => body.dump(),
      () => undefined,
    );
  };

  async function request(method: string, params: Record<string, unknown>): Promise<Record<string, unknown>> {
    const id = ++lastId;
    try {
      return await answerTo(id, method, params);
    } catch (error) {
      // Closing the connection does not cancel the call at the server.
      if (signal.aborted) cancel(id);
      throw error;
    }
  }

  async function answerTo(id: number, method: string, params: object): Promise<Record<string, unknown>> {
    const position: Position = { id: null, retryMs: RETRY_MS.usual };
    let answer = await post({ id, method, params });
    // The first response contains the session ID.
    const session = answer.headers['mcp-session-id'];
    if (method === 'initialize' && typeof session === 'string') state['mcp-session-id'] = session;
    for (let resumes = 0; ; resumes++) {
      for await (const message of messagesOf(answer, position)) {
        if (typeof message['method'] === 'string') {
          if ('id' in message) reply(message);
        } else if (message['id'] === id || message['id'] === null) return resultOf(place, message);
      }
      if (position.id === null || resumes === RESUMES_MAX)
        throw new McpTrouble('garbage', 'The server’s response ended early.');
      await wait(Math.min(position.retryMs, RETRY_MS.max), undefined, { signal });
      const headers = { accept: 'text/event-stream', ...state, 'last-event-id': position.id };
      answer = await send(egress, settings.gateway, place, { method: 'GET', headers, signal });
    }
  }

  async function close(): Promise<void> {
    if (!state['mcp-session-id']) return;
    await send(egress, settings.gateway, place, {
      method: 'DELETE',
      headers: state,
      signal: AbortSignal.timeout(GOODBYE_MS),
    })
      .then(({ body }) => body.dump())
      .catch(() => undefined);
  }

  try {
    const hello = await request('initialize', {
      protocolVersion: LATEST_PROTOCOL_VERSION,
      capabilities: {},
      clientInfo: { name: 'sluice', version: settings.version },
    });
    const server = serverOf(hello);
    state['mcp-protocol-version'] = server.protocol_version;
    await notify('notifications/initialized');
    return { server, request, close };
  } catch (error) {
    void close();
    throw error;
  }
}

function resultOf(place: McpPlace, { error, result }: Message): Record<string, unknown> {
  if (isObject(error)) {
    const code = typeof error['code'] === 'number' ? error['code'] : 0;
    const said = String(error['message'] ?? 'no message').replace(/^MCP error -?\d+: /, '');
    throw new McpError(code, withoutCredentials(place, said));
  }
  if (isObject(result)) return result;
  throw new McpTrouble('garbage', 'The server’s response has neither a result nor an error.');
}

function serverOf({ protocolVersion, serverInfo }: Record<string, unknown>): McpServer {
  if (typeof protocolVersion !== 'string' || !SUPPORTED_PROTOCOL_VERSIONS.includes(protocolVersion))
    throw new McpTrouble('garbage', 'The server uses an unsupported version of MCP.');
  const { name, version } = isObject(serverInfo) ? serverInfo : {};
  return {
    name: String(name ?? '').slice(0, 200),
    version: String(version ?? '').slice(0, 100),
    protocol_version: protocolVersion,
  };
}
