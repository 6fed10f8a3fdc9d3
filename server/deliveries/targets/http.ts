import { type Dispatcher, errors } from 'undici';
import { ATTEMPT_SECONDS } from '../../../contract/limits.ts';
import { plainUrl } from '../../../contract/text/url-template.ts';
import type { Services } from '../../platform/context.ts';
import { ConnectionPool } from '../../platform/http1/connection-pool.ts';
import { examine } from './http-diagnosis.ts';
import { captureBody, type Response, resultOf, type SendResult, type Trouble, timedOut, troubleOf } from './result.ts';
import { requestsOf, type SignedRequest } from './signed-request.ts';
import { type TargetKind, timeoutOf } from './target.ts';

type Route = { origin: string; host: string; path: string };

/** Maximum number of bytes read of a body. */
const READ_MAX_BYTES = 64 * 1024;
const HEADERS_MAX_CHARS = 16 * 1024;
const CONNECT_MS = 5_000;
/** A receiver that does not announce its keep-alive timeout may close the connection as the next request leaves. */
const KEEP_MS = 4_000;

/** Any HTTP endpoint. Its IP addresses are checked when it is stored, and again for every connection. */
export const http: TargetKind<SignedRequest<Route>> = {
  takesHeaders: true,
  takesTransform: true,
  matches: ({ protocol }) => protocol === 'https:' || protocol === 'http:',
  async check(ctx, url) {
    try {
      await ctx.egress.check(url.href);
      return null;
    } catch (error) {
      return error instanceof Error ? error.message : 'the URL is not allowed';
    }
  },
  nameOf: ({ host }) => host,
  prepare(parts, target) {
    return requestsOf(parts, target, ({ origin, pathname, search, host }) => ({
      origin,
      host,
      path: pathname + search,
    }));
  },
  open(services) {
    const pool = openPool(services);
    return { send: (request) => sendOut(pool, request), close: () => pool.close() };
  },
  async examine(ctx, target) {
    const agent = ctx.egress.agent({ connections: 1, pipelining: 1 });
    try {
      return await examine({ egress: ctx.egress, agent }, plainUrl(target.url), timeoutOf(ctx.settings, target));
    } finally {
      await agent.destroy();
    }
  },
};

/** The pool of connections to receivers; each connection is checked, and reused while it is fresh. */
function openPool({ egress, settings }: Pick<Services, 'egress' | 'settings'>): ConnectionPool {
  const { attemptTimeoutMs } = settings;
  // Each request has its own, shorter deadline.
  const never = 2 * Math.max(attemptTimeoutMs, ATTEMPT_SECONDS.max * 1000);
  // An attempt that times out while connecting keeps its slot until the connection times out, too.
  const connectMs = Math.min(CONNECT_MS, attemptTimeoutMs);
  return new ConnectionPool(egress, { connectMs, answerMs: never, idleMs: never, keepMs: KEEP_MS });
}

/**
 * Sends one request. The deadline covers connecting, headers and body. Redirects are not followed; a compressed body is
 * captured as received.
 */
function sendOut(pool: ConnectionPool, request: SignedRequest<Route>): Promise<SendResult> {
  return new Promise((done) => {
    const sending = new Sending(done, request.timeoutMs);
    const { method } = request.shown;
    const { body } = request;
    const { origin, host, path } = request.route;
    const headers = ['host', host];
    for (const name in request.headers) headers.push(name, request.headers[name] ?? '');
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    try {
      pool.dispatch({ origin, path, method, headers, body: bytes, trailers: null, mayBeQuiet: true }, sending);
    } catch (error) {
      sending.fail(error);
    }
  });
}

/** The state of a request until its result is settled. */
class Sending implements Dispatcher.DispatchHandler {
  readonly #done: (result: SendResult) => void;
  readonly #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #response: Response | null = null;
  #capture: ((chunk: Uint8Array) => void) | undefined;
  #read = 0;

  constructor(done: (result: SendResult) => void, deadlineMs: number) {
    this.#done = done;
    this.#timer = setTimeout(() => this.#stop(timedOut(deadlineMs)), deadlineMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
  }

  onResponseStart({ rawHeaders }: Dispatcher.DispatchController, status: number): void {
    // An informational response; the final one follows.
    if (status < 200) return;
    const headers = flat(rawHeaders as string[]);
    if (headers === undefined) return void this.#stop(troubleOf(new errors.HeadersOverflowError()));
    this.#response = { status, headers, body: '', truncated: false };
    this.#capture = captureBody(this.#response);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#capture?.(chunk);
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
  #stop(trouble: Trouble | null): void {
    this.#controller?.abort(new errors.RequestAbortedError());
    this.#settle(trouble);
  }

  #settle(trouble: Trouble | null): void {
    clearTimeout(this.#timer);
    this.#capture = undefined;
    this.#done(resultOf(this.#response, trouble));
  }
}

/** Headers from alternating names and values; undefined if they exceed the limit. */
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

/** Non-ASCII bytes arrive as Latin-1 characters; senders mean UTF-8. */
const readable = (value: string) => (/[^\x00-\x7f]/.test(value) ? Buffer.from(value, 'latin1').toString() : value);
