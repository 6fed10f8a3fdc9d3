/**
 * A request without a body or with a short one, which goes by the connection that all such share. What HTTP would
 * refuse, or write in another way, is left to HTTP.
 */
import { isToken, isValue } from '../../platform/http1/field.ts';
import type { Leaving } from '../cut.ts';
import type { RunOptions } from '../watch-run.ts';
import type { SmallAnswer } from './calls-to.ts';
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

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const WITH_PAYLOAD = new Set(['POST', 'PUT', 'PATCH']);
const HOST = /^[a-z0-9.-]+(:\d+)?$/i;
const HEAD_MAX_CHARS = 16_384;
/** The length of these follows from their status. */
const WITHOUT_LENGTH = new Set([204, 304]);
const NOTHING = Buffer.alloc(0);

/** As it is sent; undefined for what goes by HTTP. */
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

/** Resolves when the answer begins. */
export function ask(isolate: Isolate, call: Call, options: RunOptions, signal: Leaving): Promise<Forwarded> {
  const [runId, , method] = call;
  return new Promise((resolve, reject) => {
    const cut = () => {
      isolate.calls.leave(runId);
      reject(new Error('The answer is awaited no more'));
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

/** The answer flows: it comes by HTTP, asked for once more. */
function fetched(isolate: Isolate, call: Call, options: RunOptions, signal: Leaving): Promise<Forwarded> {
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
  // Of HEAD without a body only the function knows how long it would be.
  const length =
    method === 'HEAD' && text === '' ? headers.find(([name]) => name === 'content-length')?.[1] : bytes.length;
  if (length !== undefined && !WITHOUT_LENGTH.has(status)) own.push(['content-length', String(length)]);
  const body = method === 'HEAD' ? NOTHING : bytes;
  // Whether it is the last of its run is sent with it.
  return { status, headers: own, body, threw, isLast: false };
}
