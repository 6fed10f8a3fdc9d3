import { isAscii } from 'node:buffer';
import { type Dispatcher, errors } from 'undici';
import { RESPONSE_KEPT_BYTES } from '../../../contract/limits.ts';
import type { DeliveryReason } from '../../../contract/states.ts';
import { Wires } from '../../lib/wire/wires.ts';
import type { Services } from '../context.ts';
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
const HEADERS_MAX_CHARS = 16 * 1024;
const CONNECT_MS = 5_000;
/** A receiver that doesn't say how long it keeps a connection may close it just as the next request leaves. */
const KEEP_MS = 4_000;

/** The connections to receivers; each is checked, and used again while it is fresh. */
export function openWires({ egress, settings }: Pick<Services, 'egress'> & { settings: Timeout }): Wires {
  const { attemptTimeoutMs } = settings;
  // The deadline is a request's own, and comes first.
  const never = 2 * attemptTimeoutMs;
  // An attempt that is given up while it connects is held by its connection until that has been given up too.
  const connectMs = Math.min(CONNECT_MS, attemptTimeoutMs);
  return new Wires(egress, { connectMs, answerMs: never, idleMs: never, keepMs: KEEP_MS });
}

type Timeout = Pick<Services['settings'], 'attemptTimeoutMs'>;

/**
 * Sends one request. The deadline is for all of it: connecting, headers and body. Redirects are not followed; a
 * compressed body is kept as it came.
 */
export function sendOut(wires: Wires, outgoing: Outgoing, deadlineMs: number): Promise<Answer> {
  return new Promise((done) => {
    const sending = new Sending(done, deadlineMs);
    const { origin, host, path, method, body } = outgoing;
    const headers = ['host', host];
    for (const name in outgoing.headers) headers.push(name, outgoing.headers[name] ?? '');
    const bytes = body === null ? null : Buffer.from(body);
    try {
      wires.dispatch({ origin, path, method, headers, body: bytes, trailers: null, mayBeQuiet: true }, sending);
    } catch (error) {
      sending.fail(error);
    }
  });
}

/** What comes of a request, until it is settled. */
class Sending implements Dispatcher.DispatchHandler {
  readonly #done: (answer: Answer) => void;
  readonly #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #response: Response | null = null;
  #kept: ((chunk: Uint8Array) => void) | undefined;
  #read = 0;

  constructor(done: (answer: Answer) => void, deadlineMs: number) {
    this.#done = done;
    this.#timer = setTimeout(() => this.#stop(timedOut(deadlineMs)), deadlineMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
  }

  onResponseStart({ rawHeaders }: Dispatcher.DispatchController, status: number): void {
    // What only informs; the answer is still to come.
    if (status < 200) return;
    const headers = flat(rawHeaders as string[]);
    if (headers === undefined) return void this.#stop(troubleOf(new errors.HeadersOverflowError()));
    this.#response = { status, headers, body: '', truncated: false };
    this.#kept = keeper(this.#response);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#kept?.(chunk);
    this.#read += chunk.length;
    if (this.#read > READ_MAX_BYTES) this.#stop(null);
  }

  onResponseEnd(): void {
    this.#settle(null);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(error);
  }

  fail(error: unknown): void {
    this.#settle(troubleOf(error));
  }

  /** Closes the connection. */
  #stop(trouble: Answer['trouble']): void {
    this.#controller?.abort(new errors.RequestAbortedError());
    this.#settle(trouble);
  }

  #settle(trouble: Answer['trouble']): void {
    clearTimeout(this.#timer);
    this.#kept = undefined;
    this.#done({ response: this.#response, trouble, run_id: null, function_id: null });
  }
}

/** Takes chunks of a body, and keeps the first 16 KiB as text without a character cut in two. */
export function keeper(response: Response): (chunk: Uint8Array) => void {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let room = RESPONSE_KEPT_BYTES;
  return (chunk) => {
    if (chunk.byteLength > room) response.truncated = true;
    const kept = chunk.subarray(0, room);
    if (!decoder && !isAscii(kept)) decoder = new TextDecoder();
    const text = decoder ? decoder.decode(kept, { stream: true }) : asciiOf(kept);
    // PostgreSQL's text holds every character but NUL.
    response.body += text.replaceAll('\u0000', '\ufffd');
    room -= kept.byteLength;
  };
}

const asciiOf = ({ buffer, byteOffset, length }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, length).toString('latin1');

/** Of names and values in turn; undefined where they are too much to keep. */
function flat(raw: string[]): Record<string, string> | undefined {
  const headers = new Map<string, string>();
  let chars = 0;
  for (let i = 0; i < raw.length; i += 2) {
    const name = (raw[i] ?? '').toLowerCase();
    const value = readable(raw[i + 1] ?? '');
    const before = headers.get(name);
    chars += name.length + value.length;
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return chars > HEADERS_MAX_CHARS ? undefined : Object.fromEntries(headers);
}

/** Bytes beyond ASCII came one for each character; those that send any mean UTF-8. */
const readable = (value: string) => (/[^\x00-\x7f]/.test(value) ? Buffer.from(value, 'latin1').toString() : value);

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
