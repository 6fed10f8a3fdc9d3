/**
 * One request to a connected app and its complete response, for requests of the service itself (the request builder,
 * the test of a connection). It is sent like a gateway call, with the same dropped headers, credentials, egress rules,
 * one refresh after a 401, and an entry in the call log. Unlike a gateway call, it has one deadline for the whole
 * exchange, a limit on the response size, and a separate connection that is closed at the end.
 */
import { type Agent, type Dispatcher, errors } from 'undici';
import { headerOf } from '../../../contract/text/header-of.ts';
import { badRequest, Failure } from '../../lib/failure.ts';
import type { KeyRef, Services } from '../../platform/context.ts';
import { addressedPath } from './further-host.ts';
import type { Upstream } from './upstream.ts';
import { toUpstreamFailure } from './upstream-failure.ts';
import { nativePath, protocolPath, requestHeaders } from './upstream-request.ts';

export type HeaderPair = [name: string, value: string];
/** `path` is native, with the query; `headers` are those of the caller. */
export type AppRequest = { method: string; path: string; headers: HeaderPair[]; body: Buffer | null };
export type AppAnswer = {
  status: number;
  reason: string;
  /** As the app sent them: order, case, duplicates, bytes. */
  headers: HeaderPair[];
  /** As received, up to the limit. */
  body: Buffer;
  /** Whether the body is incomplete. */
  truncated: boolean;
};
/** Milliseconds since the start. */
export type Timing = { connected_ms: number | null; first_byte_ms: number | null; total_ms: number };
/** `failure` is the reason for a missing or incomplete response. */
export type Called = { answer: AppAnswer | null; failure: Failure | null; timing: Timing };
export type CallLimits = {
  deadlineMs: number;
  maxBytes: number;
  /** The API key that makes the call. */
  key?: KeyRef | null;
  /** Whether the log of calls has it. */
  isLogged?: boolean;
  /** The captured call that is sent again. */
  replay_of?: string | null;
  /** Watches the response while it arrives. After its first byte, `deadlineMs` gives way to `streamMs`. */
  watcher?: ResponseWatcher;
};
export type ResponseWatcher = {
  onResponse(answer: Pick<AppAnswer, 'status' | 'reason' | 'headers'>): void;
  onData(chunk: Buffer): void;
  streamMs: number;
  /** Aborts the request to the app. */
  signal: AbortSignal;
};

const CONNECT_MS = 10_000;
const LOGGED_PATH_MAX_CHARS = 2048;

/** Never throws for the app's behavior: the result contains it. */
export async function callApp(
  services: Services & { request_id?: string },
  account_id: string,
  app: string,
  upstream: Upstream,
  request: AppRequest,
  limits: CallLimits,
): Promise<Called> {
  if (upstream.mcp && protocolPath(request.path) === undefined)
    throw badRequest('path: expected /mcp, the only path of an MCP server');
  const at_ms = Date.now();
  const startedMs = performance.now();
  let called = await once(services, upstream, request, limits, startedMs);
  if (called.answer?.status === 401 && upstream.refresh) {
    const fresh = await upstream.refresh().catch(() => undefined);
    if (fresh) called = await once(services, fresh, request, limits, startedMs);
  }
  const { answer, failure, timing } = called;
  if (answer) upstream.watch?.(answer.status);
  if (limits.isLogged === false) return called;
  services.memory.calls.note({
    account_id,
    connection_id: upstream.connection_id,
    run_id: null,
    key_id: limits.key?.key_id ?? null,
    key_name: limits.key?.name ?? null,
    app,
    method: request.method,
    path: (request.path.split('?', 1)[0] ?? '/').slice(0, LOGGED_PATH_MAX_CHARS),
    status: answer?.status ?? null,
    duration_ms: timing.total_ms,
    request_bytes: request.body?.length ?? 0,
    response_bytes: answer?.body.length ?? 0,
    error: failure?.message ?? null,
    request_id: services.request_id ?? null,
    replay_of: limits.replay_of ?? null,
    at_ms,
  });
  return called;
}

async function once(
  services: Services,
  main: Upstream,
  { method, path: given, headers: own, body }: AppRequest,
  { deadlineMs, maxBytes, watcher }: CallLimits,
  startedMs: number,
): Promise<Called> {
  let addressed: ReturnType<typeof addressedPath>;
  try {
    addressed = addressedPath(main, given);
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    // The connection names a host that the app does not have.
    return { answer: null, failure, timing: { connected_ms: null, first_byte_ms: null, total_ms: 0 } };
  }
  const { upstream, rest } = addressed;
  const agent = services.egress.agent({
    connections: 1,
    pipelining: 0,
    headersTimeout: deadlineMs,
    bodyTimeout: watcher?.streamMs ?? deadlineMs,
    maxHeaderSize: 65_536,
    connect: { timeout: Math.min(CONNECT_MS, deadlineMs) },
  });
  const isLate = () => void agent.destroy(new errors.HeadersTimeoutError());
  let late = setTimeout(isLate, deadlineMs);
  const stop = () => void agent.destroy(new Error('The request was stopped.'));
  watcher?.signal.addEventListener('abort', stop);
  const watched = watcher && {
    ...watcher,
    onResponse(answer: Parameters<ResponseWatcher['onResponse']>[0]) {
      clearTimeout(late);
      late = setTimeout(isLate, watcher.streamMs);
      watcher.onResponse(answer);
    },
  };
  try {
    watcher?.signal.throwIfAborted();
    const path = nativePath(upstream, rest);
    // The client sets Content-Length from the body that it sends.
    const raw = own.filter(([name]) => name.toLowerCase() !== 'content-length').flat();
    const headers = requestHeaders(raw, headerOf(own, 'connection'), upstream, body !== null);
    if (upstream.sign) {
      const form = body && isForm(headerOf(own, 'content-type')) ? body.toString() : null;
      headers.push(...upstream.sign({ method, url: upstream.origin + path, form, headers, body }));
    }
    return await exchange(
      agent,
      { origin: upstream.origin, path, method: method as Dispatcher.HttpMethod, headers, body },
      { maxBytes, watcher: watched },
      startedMs,
    );
  } finally {
    clearTimeout(late);
    watcher?.signal.removeEventListener('abort', stop);
    void agent.destroy();
  }
}

/** Sends one request; resolves at the end of the response, at the size limit or on an error. */
function exchange(
  agent: Agent,
  options: Dispatcher.DispatchOptions,
  { maxBytes, watcher }: { maxBytes: number; watcher: ResponseWatcher | undefined },
  startedMs: number,
): Promise<Called> {
  const timing: Timing = { connected_ms: null, first_byte_ms: null, total_ms: 0 };
  const sinceStart = () => Math.round((performance.now() - startedMs) * 10) / 10;
  const chunks: Buffer[] = [];
  let answer: AppAnswer | null = null;
  let left = maxBytes;
  return new Promise((ok) => {
    const end = (failure: Failure | null) => {
      timing.total_ms = sinceStart();
      if (answer) answer.body = Buffer.concat(chunks);
      ok({ answer, failure, timing });
    };
    const fail = (error: unknown) => {
      if (answer) answer.truncated = true;
      end(toUpstreamFailure(error));
    };
    try {
      agent.dispatch(options, {
        onRequestStart() {
          timing.connected_ms = sinceStart();
        },
        onResponseStart(controller, status, _headers, reason = '') {
          if (status < 200) return;
          timing.first_byte_ms = sinceStart();
          answer = { status, reason, headers: pairsOf(controller.rawHeaders), body: Buffer.of(), truncated: false };
          watcher?.onResponse(answer);
        },
        onResponseData(controller, chunk) {
          const kept = chunk.subarray(0, left);
          chunks.push(kept);
          watcher?.onData(kept);
          left -= chunk.length;
          if (left >= 0 || !answer) return;
          answer.truncated = true;
          end(null);
          controller.abort(new Error('response size limit reached'));
        },
        onResponseEnd: () => end(null),
        onResponseError: (_controller, error) => fail(error),
      });
    } catch (error) {
      fail(error);
    }
  });
}

function pairsOf(raw: Dispatcher.DispatchController['rawHeaders']): HeaderPair[] {
  const flat = Array.isArray(raw) ? raw.map((part) => (typeof part === 'string' ? part : part.toString('latin1'))) : [];
  return flat.flatMap((name, i): HeaderPair[] => (i % 2 === 0 ? [[name, flat[i + 1] ?? '']] : []));
}

const isForm = (type = '') => /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type);
