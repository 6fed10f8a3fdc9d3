/** The result of sending a request, for every kind of destination. */
import { isAscii } from 'node:buffer';
import { RESPONSE_KEPT_BYTES } from '../../../contract/limits.ts';
import type { DeliveryReason } from '../../../contract/states.ts';

export type Response = { status: number; headers: Record<string, string>; body: string; truncated: boolean };
export type Trouble = { reason: DeliveryReason; message: string };
/** With `trouble` the response is incomplete, missing, or explained by its message. */
export type SendResult = {
  response: Response | null;
  trouble: Trouble | null;
  /** The run of a function that the request caused. */
  run_id: string | null;
  function_id: string | null;
};

/** The result of a request that caused no run. */
export const resultOf = (response: Response | null, trouble: Trouble | null): SendResult => ({
  response,
  trouble,
  run_id: null,
  function_id: null,
});

export const timedOut = (deadlineMs: number): Trouble => ({
  reason: 'TIMEOUT',
  message: `No complete response within ${deadlineMs / 1000} seconds.`,
});

/** Captures the first 16 KiB of a body as text, without splitting a character. */
export function captureBody(response: Response): (chunk: Uint8Array) => void {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let room = RESPONSE_KEPT_BYTES;
  return (chunk) => {
    if (chunk.byteLength > room) response.truncated = true;
    const kept = chunk.subarray(0, room);
    if (!decoder && !isAscii(kept)) decoder = new TextDecoder();
    const text = decoder ? decoder.decode(kept, { stream: true }) : asciiOf(kept);
    // PostgreSQL text cannot contain NUL.
    response.body += text.replaceAll('\u0000', '\ufffd');
    room -= kept.byteLength;
  };
}

const asciiOf = ({ buffer, byteOffset, length }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, length).toString('latin1');

/** Error codes of Node, undici and OpenSSL, mapped to the reason shown for a delivery. */
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

export function troubleOf(error: unknown): Trouble {
  const [cause, code] = causeOf(error);
  const reason = REASONS.find(([pattern]) => pattern.test(code))?.[1] ?? 'CONNECTION_RESET';
  return { reason, message: (cause.message || code || 'The connection was closed.').replaceAll('\u0000', '') };
}

/** The innermost error with a code: undici and Node wrap the errors of sockets and of several addresses. */
function causeOf(error: unknown): [Error, string] {
  const given = error instanceof Error ? error : new Error(String(error));
  if (given instanceof AggregateError && given.errors.length > 0) return causeOf(given.errors[0]);
  const { code } = given as NodeJS.ErrnoException;
  if (typeof code === 'string' && code !== 'UND_ERR_SOCKET') return [given, code];
  return given.cause instanceof Error ? causeOf(given.cause) : [given, code ?? ''];
}
