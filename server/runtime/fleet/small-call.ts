/**
 * Sends a request with no body or a short one on the shared connection. Requests that HTTP would reject or encode
 * differently are sent by HTTP.
 */
import { isToken, isValue } from '../../platform/http1/field.ts';
import type { CancelSignal } from '../cancellation.ts';
import type { RunOptions } from '../watch-run.ts';
import {
  byHttp,
  escaped,
  type Forwarded,
  NO_BODY,
  NOT_FORWARDED,
  RESET_CONTENT,
  type RunRequest,
  returned,
} from './forward.ts';
import { ANSWER_HEADER, type Call, SMALL_BODY } from './frames.ts';
import type { Isolate } from './isolate.ts';
import type { SmallAnswer } from './small-call-connection.ts';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const WITH_PAYLOAD = new Set(['POST', 'PUT', 'PATCH']);
const HOST = /^[a-z0-9.-]+(:\d+)?$/i;
const HEAD_MAX_CHARS = 16_384;
/** The status implies the length of these. */
const WITHOUT_LENGTH = new Set([204, 304]);
const NOTHING = Buffer.alloc(0);

/** The message for a request; undefined if it has to be sent by HTTP. */
export function smallCall(
  { language }: Isolate,
  request: RunRequest,
  { runId, gatewayToken = '' }: RunOptions,
): Call | undefined {
  const { method, host, scheme, protocol, source_ip, body, upgrade } = request;
  if (!language.takesSmallCalls || upgrade || !METHODS.has(method) || !HOST.test(host)) return undefined;
  const sent = NO_BODY.has(method) ? null : body;
  if (sent !== null && !(sent instanceof Buffer && sent.length <= SMALL_BODY)) return undefined;
  const path = escaped(request.path);
  let chars = path.length;
  const headers = ['host', host];
  for (const [name, value] of request.headers) {
    const lower = name.toLowerCase();
    if (lower === 'content-length' || NOT_FORWARDED.has(lower)) continue;
    if (!isToken(name) || !isValue(value)) return undefined;
    chars += name.length + value.length;
    headers.push(name, value);
  }
  if (chars > HEAD_MAX_CHARS) return undefined;
  if (sent || WITH_PAYLOAD.has(method)) headers.push('content-length', String(sent?.length ?? 0));
  return [
    runId,
    gatewayToken,
    method,
    scheme,
    host,
    path,
    protocol,
    source_ip,
    headers,
    sent?.toString('base64') ?? null,
  ];
}

/** Resolves when the response begins. */
export function ask(isolate: Isolate, call: Call, options: RunOptions, signal: CancelSignal): Promise<Forwarded> {
  const [runId, , method] = call;
  return new Promise((resolve, reject) => {
    const cut = () => {
      isolate.calls.leave(runId);
      reject(new Error('The caller no longer waits for the response'));
    };
    if (signal.aborted) return cut();
    signal.addEventListener('abort', cut, { once: true });
    isolate.calls.ask(call, {
      onAnswer: (answer) => resolve(wholeAnswer(answer, method, options)),
      onStream: () => resolve(fetched(isolate, call, options, signal)),
      onFailure: reject,
    });
  });
}

/** The response is a stream: a second request fetches it by HTTP. */
function fetched(isolate: Isolate, call: Call, options: RunOptions, signal: CancelSignal): Promise<Forwarded> {
  const [runId, , method, scheme, host, , protocol, source_ip] = call;
  const request: RunRequest = {
    method: method === 'HEAD' ? method : 'GET',
    scheme,
    host,
    path: '/',
    protocol,
    source_ip,
    headers: [],
    body: null,
  };
  return byHttp(isolate, request, options, signal, ['host', host, ANSWER_HEADER, runId]);
}

function wholeAnswer([, , status, raw, text]: SmallAnswer, method: string, options: RunOptions): Forwarded {
  const bytes = status === RESET_CONTENT ? NOTHING : Buffer.from(text);
  const { headers, threw } = returned(raw, options);
  const own = headers.filter(([name]) => name !== 'content-length');
  // For HEAD without a body, only the function knows the length.
  const length =
    method === 'HEAD' && text === '' ? headers.find(([name]) => name === 'content-length')?.[1] : bytes.length;
  if (length !== undefined && !WITHOUT_LENGTH.has(status)) own.push(['content-length', String(length)]);
  const body = method === 'HEAD' ? NOTHING : bytes;
  // The message itself says whether it is the last of its run.
  return { status, headers: own, body, threw, isLast: false };
}
