/** Lists and calls the tools of a connection's MCP server. */
import { JSON_MAX_DEPTH } from '../../../contract/limits.ts';
import type { Reply } from '../../../contract/operations.ts';
import { badRequest, Failure } from '../../lib/failure.ts';
import { isDeeperThan } from '../../lib/json-depth.ts';
import type { Services } from '../../platform/context.ts';
import type { Upstream } from '../upstream/upstream.ts';
import { HEADER_MISMATCH, parameterHeaders } from './header-parameters.ts';
import { openSession } from './session.ts';
import { INVALID_PARAMS, METHOD_NOT_FOUND, type Session } from './session-parts.ts';
import { isObject, McpError, McpTrouble } from './wire.ts';

export type ToolList = Reply<'connectionToolList'>;
export type ToolResult = Reply<'connectionToolCall'>['result'];

/** The server returned 401, after a token refresh if one is possible. */
export class RefusedCredentials extends Failure {
  constructor(message: string) {
    super(502, message);
  }
}

const TOOLS_MAX = 500;
const PAGES_MAX = 100;
const LIST_MS = 30_000;
/** For a tool that reports progress; a call without progress for a minute is abandoned. */
const CALL_MS = 300_000;
const SCHEMA_MAX = { bytes: 64 * 1024, depth: 32 };
const TEXT_MAX_CHARS = { name: 200, title: 500, description: 20_000 };

/** The server's tools in its order: all pages, up to 500 tools. */
export async function listTools(services: Services, upstream: Upstream): Promise<ToolList> {
  return inSession(services, upstream, AbortSignal.timeout(LIST_MS), async (session) => {
    const tools = (await allTools(session)).map(toolOf);
    return { server: session.server(), tools };
  });
}

/**
 * Calls one tool. The result of a failed tool has `is_error`. 400 for an unknown tool or rejected arguments, 502 if the
 * server can't be reached or does not respond with MCP, 504 on a timeout.
 */
export async function callTool(
  services: Services,
  upstream: Upstream,
  call: { tool: string; arguments?: Record<string, unknown> | undefined },
  leaving?: AbortSignal,
): Promise<ToolResult> {
  const late = AbortSignal.timeout(CALL_MS);
  return inSession(services, upstream, leaving ? AbortSignal.any([late, leaving]) : late, async (session) => {
    const startedMs = performance.now();
    const params = { name: call.tool, arguments: call.arguments ?? {}, _meta: { progressToken: 'call' } };
    const result = await sendCall(session, params).catch(async (error: unknown) => {
      if (error instanceof McpError) await refuse(session, call.tool, error);
      throw error;
    });
    const duration_ms = performance.now() - startedMs;
    const { content, structuredContent = null, isError } = result;
    // Some servers return this code for an unknown tool.
    if (isError === true) await refuseUnknown(session, call.tool);
    if (isDeeperThan(JSON.stringify(result), JSON_MAX_DEPTH))
      throw new McpTrouble('garbage', `The tool’s response is nested deeper than ${JSON_MAX_DEPTH}.`);
    return {
      is_error: isError === true,
      content: Array.isArray(content) ? content : [],
      structured_content: structuredContent,
      duration_ms,
    };
  });
}

/** Sends a call; once more with the headers for its parameters if the server requires them. */
async function sendCall(session: Session, params: { name: string; arguments: Record<string, unknown> }) {
  return session.request('tools/call', params).catch(async (error: unknown) => {
    if (!(error instanceof McpError && error.code === HEADER_MISMATCH)) throw error;
    const tool = (await allTools(session)).find(({ name }) => name === params.name);
    return session.request('tools/call', params, parameterHeaders(tool?.['inputSchema'], params.arguments));
  });
}

async function refuse(session: Session, tool: string, error: McpError): Promise<never> {
  await refuseUnknown(session, tool);
  if (error.code === INVALID_PARAMS) throw badRequest(`arguments: the server rejected them: ${error.message}`);
  throw new Failure(502, `The server returned an error: ${error.message} (${error.code})`);
}

async function refuseUnknown(session: Session, tool: string): Promise<void> {
  const names = (await allTools(session)).map(({ name }) => name);
  if (names.includes(tool)) return;
  const shown = names.length > 50 ? [...names.slice(0, 50), '…'] : names;
  throw badRequest(`tool: expected one of the server’s (${shown.join(', ')}), got ${tool.slice(0, 200)}`);
}

type ServerTool = Record<string, unknown> & { name: string };

async function allTools(session: Session): Promise<ServerTool[]> {
  const tools: ServerTool[] = [];
  let cursor: unknown;
  for (let page = 0; page < PAGES_MAX && tools.length < TOOLS_MAX; page++) {
    const result = await session
      .request('tools/list', cursor === undefined ? {} : { cursor })
      .catch((error: unknown): Record<string, unknown> => {
        // A server without tools may not implement the method.
        if (error instanceof McpError && error.code === METHOD_NOT_FOUND) return { tools: [] };
        throw error;
      });
    if (!Array.isArray(result['tools'])) throw new McpTrouble('garbage', 'The server’s list of tools is not valid.');
    tools.push(...result['tools'].filter(isTool));
    const next = result['nextCursor'];
    if (typeof next !== 'string' || next === cursor) break;
    cursor = next;
  }
  return tools.slice(0, TOOLS_MAX);
}

const isTool = (value: unknown): value is ServerTool =>
  isObject(value) &&
  typeof value['name'] === 'string' &&
  value['name'] !== '' &&
  value['name'].length <= TEXT_MAX_CHARS.name;

function toolOf(tool: ServerTool): ToolList['tools'][number] {
  const hints = isObject(tool['annotations']) ? tool['annotations'] : {};
  return {
    name: tool.name,
    title: text(tool['title'] ?? hints['title'], TEXT_MAX_CHARS.title),
    description: text(tool['description'], TEXT_MAX_CHARS.description),
    input_schema: schemaOf(tool['inputSchema']),
    read_only: flag(hints['readOnlyHint']),
    destructive: flag(hints['destructiveHint']),
  };
}

/** The server's schema, or one for any object if it is too large. */
function schemaOf(given: unknown): Record<string, unknown> {
  if (!isObject(given)) return { type: 'object' };
  const json = JSON.stringify(given);
  if (Buffer.byteLength(json) <= SCHEMA_MAX.bytes && !isDeeperThan(json, SCHEMA_MAX.depth)) return given;
  return { type: 'object', description: 'The server’s schema is too large to be shown.' };
}

const text = (value: unknown, max: number) => (typeof value === 'string' && value !== '' ? value.slice(0, max) : null);
const flag = (value: unknown) => (typeof value === 'boolean' ? value : null);

/** Opens a session for one purpose. If the token is rejected, it is refreshed once. */
async function inSession<T>(
  services: Services,
  upstream: Upstream,
  signal: AbortSignal,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  try {
    const session = await open(services, upstream, signal);
    try {
      return await work(session);
    } finally {
      void session.close();
    }
  } catch (error) {
    throw toFailure(error);
  }
}

async function open(services: Services, upstream: Upstream, signal: AbortSignal): Promise<Session> {
  const at = ({ origin, base_path, headers, defaults }: Upstream) => ({
    origin,
    path: base_path,
    headers: [...defaults.flatMap(([, name, value]) => [name, value]), ...headers],
  });
  try {
    return await openSession(services, at(upstream), signal);
  } catch (error) {
    if (!(error instanceof McpTrouble && error.status === 401 && upstream.refresh)) throw error;
    return openSession(services, at(await upstream.refresh()), signal);
  }
}

/** Converts an error of the server to an error response of the service. */
function toFailure(error: unknown): unknown {
  if (error instanceof McpError)
    return new Failure(502, `The server returned an error: ${error.message} (${error.code})`);
  if (!(error instanceof McpTrouble)) return error;
  if (error.status === 401)
    return new RefusedCredentials('The server rejected the credentials of the connection (401): reconnect it.');
  return new Failure(error.kind === 'slow' ? 504 : 502, error.message);
}
