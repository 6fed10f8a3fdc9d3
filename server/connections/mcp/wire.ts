/** One HTTP exchange with an MCP server: the request, its possible responses, and its errors. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { createParser } from 'eventsource-parser';
import type { Agent, Dispatcher } from 'undici';
import { MASK } from '../../../contract/limits.ts';
import { parseExactly } from '../../../contract/text/exact-json.ts';
import { isDeeperThan } from '../../lib/json-depth.ts';
import { BlockedAddress, type EgressPolicy } from '../../platform/egress/egress.ts';

/** A server's URL, and the headers (alternating names and values) that authorize a request to it. */
export type McpPlace = { origin: string; path: string; headers: string[] };

/**
 * Why a server returned no usable response. `refused`: an error status. The message is shown to users and contains no
 * part of the request.
 */
export class McpTrouble extends Error {
  override name = 'McpTrouble';
  readonly kind: 'blocked' | 'unreachable' | 'slow' | 'refused' | 'garbage';
  readonly status: number | null;
  readonly headers: IncomingHttpHeaders;

  constructor(
    kind: McpTrouble['kind'],
    message: string,
    more: { status?: number; headers?: IncomingHttpHeaders; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause });
    this.kind = kind;
    this.status = more.status ?? null;
    this.headers = more.headers ?? {};
  }
}

/** The server understood the request and answered with an error response (JSON-RPC). */
export class McpError extends Error {
  override name = 'McpError';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message.slice(0, 1000));
    this.code = code;
  }
}

export type Message = Record<string, unknown>;
/** Timeout for the response headers, and between two parts of the body. */
export type Patience = { answerSeconds: number; idleSeconds: number };
export type Sent = {
  method: 'POST' | 'GET' | 'DELETE';
  headers: Record<string, string>;
  message?: Message;
  signal: AbortSignal;
  /** Whether JSON with an error status is returned like a response: it may be an error response of MCP. */
  readsErrors?: boolean;
};

const CONNECT_MS = 10_000;
const ANSWER_MAX_BYTES = 8 * 1024 * 1024;
const DEPTH_MAX = 1000;
/** Limits for draining the rest of a response, so that its connection can be reused. */
const REST = { limit: 64 * 1024, timeoutMs: 1000 };

const agents = new WeakMap<EgressPolicy, Agent>();

function agentOf(egress: EgressPolicy): Agent {
  const known = agents.get(egress);
  if (known) return known;
  const agent = egress.agent({
    connections: 64,
    pipelining: 1,
    maxHeaderSize: 65_536,
    maxResponseSize: ANSWER_MAX_BYTES,
    connect: { timeout: CONNECT_MS },
  });
  agents.set(egress, agent);
  return agent;
}

/** Sends the request; resolves with the headers. Throws for a status but 2xx. Redirects are not followed. */
export async function send(
  egress: EgressPolicy,
  { answerSeconds, idleSeconds }: Patience,
  place: McpPlace,
  sent: Sent,
): Promise<Dispatcher.ResponseData> {
  const headers = { ...sent.headers, ...(sent.message ? { 'content-type': 'application/json' } : {}) };
  const answer = await agentOf(egress)
    .request({
      origin: place.origin,
      path: place.path === '' ? '/' : place.path,
      method: sent.method,
      headers: [...place.headers, ...Object.entries(headers).flat()],
      body: sent.message ? JSON.stringify(sent.message) : null,
      signal: sent.signal,
      headersTimeout: answerSeconds * 1000,
      bodyTimeout: idleSeconds * 1000,
    })
    .catch(toTrouble);
  if (answer.statusCode >= 200 && answer.statusCode < 300) return answer;
  if (sent.readsErrors && answer.statusCode >= 400 && answer.statusCode !== 401 && typeOf(answer) === JSON_TYPE)
    return answer;
  drop(answer.body);
  throw refusalOf(place, answer);
}

/** The error for a response with an error status or a redirect. */
export function refusalOf(place: McpPlace, { statusCode, headers }: Dispatcher.ResponseData): McpTrouble {
  const to = headers.location;
  const where = statusCode < 400 && typeof to === 'string' ? ` and points to ${pointedTo(place, to)}` : '';
  return new McpTrouble('refused', `The server returned ${statusCode}${where}.`, { status: statusCode, headers });
}

const JSON_TYPE = 'application/json';

const typeOf = ({ headers }: Dispatcher.ResponseData): string =>
  String(headers['content-type'] ?? '')
    .split(';', 1)[0]
    ?.trim()
    .toLowerCase() ?? '';

/** The position in an event stream, to resume it after an interruption. */
export type Position = { id: string | null; retryMs: number };

/** The messages of a response as they arrive: a single JSON message, or those of an event stream. */
export async function* messagesOf(answer: Dispatcher.ResponseData, position: Position): AsyncGenerator<Message> {
  const { body } = answer;
  const type = typeOf(answer);
  try {
    if (type === 'text/event-stream') yield* eventsOf(body, position);
    else if (type === JSON_TYPE) yield* read(await body.text());
    else throw new McpTrouble('garbage', `The server returned ${type || 'a response'}, which is not MCP.`);
  } catch (error) {
    toTrouble(error);
  } finally {
    drop(body);
  }
}

async function* eventsOf(body: Readable, position: Position): AsyncGenerator<Message> {
  let ready: Message[] = [];
  const parser = createParser({
    maxBufferSize: ANSWER_MAX_BYTES,
    onEvent({ id, data }) {
      if (id) position.id = id;
      // An event without data only sets the position.
      if (data !== '') ready.push(...read(data));
    },
    onRetry: (ms) => {
      position.retryMs = ms;
    },
  });
  const decoder = new TextDecoder();
  for await (const chunk of body.iterator({ destroyOnReturn: false })) {
    parser.feed(decoder.decode(chunk as Buffer, { stream: true }));
    yield* ready;
    ready = [];
  }
}

/** Parses one message or, in an older version of the protocol, a batch. */
function read(text: string): Message[] {
  if (isDeeperThan(text, DEPTH_MAX)) throw new McpTrouble('garbage', 'The server’s response is nested too deeply.');
  let value: unknown;
  try {
    value = parseExactly(text);
  } catch {
    throw new McpTrouble('garbage', 'The server’s response is not JSON.');
  }
  const all = Array.isArray(value) ? value : [value];
  return all.map((each: unknown) => {
    if (isObject(each) && each['jsonrpc'] === '2.0') return each;
    throw new McpTrouble('garbage', 'The server’s response is JSON, but not an MCP message.');
  });
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function drop(body: Dispatcher.ResponseData['body']): void {
  body.dump({ limit: REST.limit, signal: AbortSignal.timeout(REST.timeoutMs) }).catch(() => undefined);
}

const SLOW = ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT'];

function toTrouble(error: unknown): never {
  if (error instanceof McpTrouble) throw error;
  if (error instanceof BlockedAddress)
    throw new McpTrouble(
      'blocked',
      error.isForbidden
        ? `The server was not called: ${error.message}.`
        : 'The server’s URL does not resolve to a public address.',
      { cause: error },
    );
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError'))
    throw new McpTrouble('slow', 'The server did not respond in time.', { cause: error });
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  if (SLOW.includes(code))
    throw new McpTrouble('slow', `The server did not respond in time (${code}).`, { cause: error });
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE')
    throw new McpTrouble('garbage', `The server’s response is larger than ${ANSWER_MAX_BYTES} bytes.`, {
      cause: error,
    });
  throw new McpTrouble('unreachable', `The server can’t be reached (${code}).`, { cause: error });
}

/** The URL without user info and query, which may be private. */
function pointedTo(place: McpPlace, location: string): string {
  const base = `${place.origin}${place.path}`;
  if (!URL.canParse(location, base)) return 'nowhere';
  const url = new URL(location, base);
  return withoutCredentials(place, `${url.origin}${url.pathname}`).slice(0, 300);
}

/** A server may echo what it was sent. */
export function withoutCredentials({ headers }: McpPlace, text: string): string {
  const sent = headers.filter((_, i) => i % 2 === 1).flatMap((value) => value.split(' '));
  return sent.filter((part) => part.length >= 8).reduce((rest, part) => rest.replaceAll(part, MASK), text);
}
