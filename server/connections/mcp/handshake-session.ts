/**
 * A session of the versions of MCP up to 2025-11-25: initialize, notifications/initialized, the requests, DELETE.
 *
 * A session is opened for one purpose and closed after it. Nothing of it is stored, so a crash leaves at most a session
 * that expires at the server. The client declares no capabilities, so a server can only send a ping. A stream that ends
 * before the response is resumed from its last event ID (`Last-Event-ID`), if it has one.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { LATEST_PROTOCOL_VERSION, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { type Egress, METHOD_NOT_FOUND, resultOf, type Session, serverOf } from './session-parts.ts';
import { type McpPlace, McpTrouble, type Message, messagesOf, type Position, send } from './wire.ts';

const RESUMES_MAX = 20;
const RETRY_MS = { usual: 1000, max: 10_000 };
const GOODBYE_MS = 5_000;

/** Opens a session; `signal` aborts all its requests. */
export async function openHandshakeSession(
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
    const version = versionOf(hello);
    const server = serverOf(version, hello['serverInfo']);
    state['mcp-protocol-version'] = version;
    await notify('notifications/initialized');
    return { server: () => server, request, close };
  } catch (error) {
    void close();
    throw error;
  }
}

function versionOf({ protocolVersion }: Record<string, unknown>): string {
  if (typeof protocolVersion === 'string' && SUPPORTED_PROTOCOL_VERSIONS.includes(protocolVersion))
    return protocolVersion;
  throw new McpTrouble('garbage', 'The server uses an unsupported version of MCP.');
}
