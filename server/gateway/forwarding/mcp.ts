/**
 * An app that is an MCP server has a single native path. `/<app>/mcp` is the server itself: messages and streams are
 * forwarded like those of any other app. `/<app>/<tool>` calls one tool, for callers without an MCP client: the body is
 * a JSON object with the arguments, the response is the result.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { BODY_MAX_BYTES, JSON_MAX_DEPTH } from '../../../contract/limits.ts';
import { isJsonObject, parseExactly } from '../../../contract/text/exact-json.ts';
import { callTool, RefusedCredentials } from '../../connections/mcp/tools.ts';
import type { Upstream } from '../../connections/upstream/upstream.ts';
import { protocolPath } from '../../connections/upstream/upstream-request.ts';
import { wholeBody } from '../../lib/bodies/whole-body.ts';
import { badRequest, Failure } from '../../lib/failure.ts';
import { isDeeperThan } from '../../lib/json-depth.ts';
import type { Services } from '../../platform/context.ts';
import type { Call } from './call.ts';
import { refuse } from './refuse.ts';

/** Whether this request calls a tool by name. */
export const namesTool = (upstream: Upstream, rest: string): boolean =>
  upstream.mcp && protocolPath(rest) === undefined;

/** Calls the tool and sends the response. Never rejects: errors are sent as the response. */
export async function answerTool(
  services: Services,
  req: IncomingMessage,
  res: ServerResponse,
  call: Call,
  upstream: Upstream,
  rest: string,
): Promise<void> {
  const leaving = new AbortController();
  const { noted } = call;
  res.once('close', () => {
    if (!res.writableFinished) noted.error ??= 'The caller closed the connection early.';
    leaving.abort();
  });
  try {
    const tool = toolOf(req, rest);
    const body = await wholeBody(req, BODY_MAX_BYTES);
    noted.request_bytes = body.length;
    const result = await callTool(services, upstream, { tool, arguments: argumentsOf(req, body) }, leaving.signal);
    // Shutdown has already ended the response.
    if (res.writableEnded) return;
    const text = JSON.stringify(result);
    noted.status = 200;
    noted.response_bytes = Buffer.byteLength(text);
    noted.request_id = call.caller.request_id;
    res.writeHead(200, {
      'Content-Type': 'application/json',
      'X-Content-Type-Options': 'nosniff',
      'Content-Length': Buffer.byteLength(text),
      'X-Request-Id': call.caller.request_id,
      'Cache-Control': 'no-store',
    });
    res.end(text);
  } catch (error) {
    if (error instanceof RefusedCredentials) upstream.watch?.(401);
    if (!res.destroyed && !res.writableEnded) refuse(req, res, call, error);
  }
}

function toolOf(req: IncomingMessage, rest: string): string {
  const path = rest.split('?', 1)[0] ?? '';
  let tool = '';
  try {
    tool = decodeURIComponent(path.slice(1));
  } catch {
    throw badRequest('The path has an invalid percent-encoding.');
  }
  if (tool === '') throw new Failure(404, 'Expected /<app>/mcp for the server itself, or POST /<app>/<tool>.');
  if (req.method === 'POST') return tool;
  throw new Failure(405, 'Expected POST: a tool is called, with its arguments as a JSON object.', {
    headers: { Allow: 'POST' },
  });
}

function argumentsOf(req: IncomingMessage, body: Buffer): Record<string, unknown> {
  if (body.length === 0) return {};
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(req.headers['content-type'] ?? ''))
    throw new Failure(415, 'Content-Type: expected application/json');
  const text = body.toString();
  if (isDeeperThan(text, JSON_MAX_DEPTH)) throw badRequest(`body: expected JSON nested at most ${JSON_MAX_DEPTH} deep`);
  let value: unknown;
  try {
    value = parseExactly(text);
  } catch {
    throw badRequest('body: expected JSON');
  }
  if (isJsonObject(value)) return value;
  throw badRequest('body: expected a JSON object with the tool’s arguments');
}
