import type { Agent, Dispatcher } from 'undici';
import { RESPONSE_KEPT_BYTES } from '../../../contract/limits.ts';
import type { DeliveryReason } from '../../../contract/states.ts';
import type { Outgoing } from './request.ts';

export type Response = { status: number; headers: Record<string, string>; body: string; truncated: boolean };
/** What came back. With `trouble` the answer isn't whole, or there is none. */
export type Answer = {
  response: Response | null;
  trouble: { reason: DeliveryReason; message: string } | null;
  run_id: string | null;
  function_id: string | null;
};

/** More than this of a body isn't read. */
const READ_MAX_BYTES = 64 * 1024;

/**
 * Sends one request. The deadline is for all of it: connecting, headers and body. (undici's own time-outs begin anew
 * with every byte.) Redirects are not followed; a compressed body is kept as it came.
 */
export async function sendOut(agent: Agent, outgoing: Outgoing, deadlineMs: number): Promise<Answer> {
  const { origin, path } = outgoing;
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), deadlineMs);
  let response: Response | null = null;
  try {
    const answer = await agent.request({
      origin,
      path,
      method: outgoing.method as Dispatcher.HttpMethod,
      headers: outgoing.headers,
      body: outgoing.body,
      signal: abort.signal,
    });
    response = { status: answer.statusCode, headers: flat(answer.headers), body: '', truncated: false };
    await readInto(response, answer.body);
    return { response, trouble: null, run_id: null, function_id: null };
  } catch (error) {
    const trouble = abort.signal.aborted ? timedOut(deadlineMs) : troubleOf(error);
    return { response, trouble, run_id: null, function_id: null };
  } finally {
    clearTimeout(timer);
  }
}

async function readInto(response: Response, body: Dispatcher.ResponseData['body']): Promise<void> {
  const kept = keeper(response);
  let read = 0;
  body.on('error', () => {});
  for await (const chunk of body as AsyncIterable<Buffer>) {
    kept(chunk);
    read += chunk.byteLength;
    // Leaving the loop closes the connection.
    if (read > READ_MAX_BYTES) return;
  }
}

/** Takes chunks of a body, and keeps the first 16 KiB as text without a character cut in two. */
export function keeper(response: Response): (chunk: Uint8Array) => void {
  const decoder = new TextDecoder();
  let room = RESPONSE_KEPT_BYTES;
  return (chunk) => {
    if (chunk.byteLength > room) response.truncated = true;
    // PostgreSQL's text holds every character but NUL.
    response.body += decoder.decode(chunk.subarray(0, room), { stream: true }).replaceAll('\u0000', '\ufffd');
    room -= Math.min(room, chunk.byteLength);
  };
}

function flat(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );
}

export const timedOut = (deadlineMs: number): Answer['trouble'] => ({
  reason: 'TIMEOUT',
  message: `No complete answer within ${deadlineMs / 1000} seconds.`,
});

/** Error codes of Node, undici and OpenSSL, by what they mean for the person who reads the delivery. */
const REASONS: [RegExp, DeliveryReason][] = [
  [/^BLOCKED_ADDRESS$/, 'BLOCKED_ADDRESS'],
  [/^(UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT|ETIMEDOUT)$/, 'TIMEOUT'],
  [/^(ENOTFOUND|EAI_|ENODATA|ESERVFAIL)/, 'DNS_ERROR'],
  [/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|EADDRNOTAVAIL|EACCES|EINVAL)$/, 'CONNECTION_REFUSED'],
  [
    /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|EPROTO|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_CA|PATH_LENGTH_|HOSTNAME_MISMATCH)/,
    'TLS_ERROR',
  ],
];

export function troubleOf(error: unknown): NonNullable<Answer['trouble']> {
  const [cause, code] = causeOf(error);
  const reason = REASONS.find(([pattern]) => pattern.test(code))?.[1] ?? 'CONNECTION_RESET';
  return { reason, message: (cause.message || code || 'The connection broke.').replaceAll('\u0000', '') };
}

/** The innermost error with a code: undici and Node wrap what a socket or several addresses said. */
function causeOf(error: unknown): [Error, string] {
  const given = error instanceof Error ? error : new Error(String(error));
  if (given instanceof AggregateError && given.errors.length > 0) return causeOf(given.errors[0]);
  const { code } = given as NodeJS.ErrnoException;
  if (typeof code === 'string' && code !== 'UND_ERR_SOCKET') return [given, code];
  return given.cause instanceof Error ? causeOf(given.cause) : [given, code ?? ''];
}
