/** Converts the result of a handler to a Response that can be sent. */
import { isValue } from '../../platform/http1/field.ts';
import { HEADERS_MAX_CHARS, SMALL_BODY, THREW_HEADER } from '../fleet/frames.ts';
import { type Scope, within } from './scope.ts';

type Body = ConstructorParameters<typeof Response>[0];
type Init = ConstructorParameters<typeof Response>[1];

// Saved before a function's code can replace them.
const GenuineResponse = Response;
const genuineJson = Response.json.bind(Response);
const { stringify } = JSON;
const streamed = new WeakSet<Response>();
/** By response: its body, if it is a short text that can be sent at once. */
const pieces = new WeakMap<Response, string>();
const untapped = new WeakSet<ReadableStream>();
const SWITCHING_PROTOCOLS = 101;
const NO_BODY = new Set([SWITCHING_PROTOCOLS, 204, 205, 304]);
/** Separators of a header line besides name and value. */
const LINE_CHARS = 4;
/** Reserved for headers that are not the function's. */
const HEAD_CHARS = 256;

/**
 * Remembers responses created from a stream, as only those can fail or log while they are sent; and those created from
 * a short text or nothing, which are sent in one piece.
 */
export function watchResponses(): void {
  globalThis.Response = new Proxy(GenuineResponse, {
    construct(target, values: [Body?, Init?], newTarget) {
      const made: Response = Reflect.construct(target, values, newTarget);
      const body = values[0];
      if (typeof body === 'string') noteText(made, body);
      else if (body === undefined || body === null) noteText(made, '');
      else if (body instanceof ReadableStream && !untapped.has(body)) streamed.add(made);
      return made;
    },
  });
  GenuineResponse.json = jsonResponse;
}

function noteText(made: Response, text: string): void {
  if (text.length <= SMALL_BODY) pieces.set(made, text);
}

/** Like Response.json, but remembers the text. */
function jsonResponse(value?: unknown, init?: Init): Response {
  const text = stringify(value);
  if (text === undefined) return genuineJson(value, init);
  const headers = new Headers(init?.headers);
  if (!headers.has('content-type')) headers.set('content-type', 'application/json');
  const made = new GenuineResponse(text, { ...init, headers });
  noteText(made, text);
  return made;
}

function withoutBody(init: Init): Response {
  const made = new GenuineResponse(null, init);
  noteText(made, '');
  return made;
}

/** Represents the response when the handler threw. */
export const threwResponse = (): Response => withoutBody({ status: 500, headers: { [THREW_HEADER]: '1' } });

/** The body, if it is sent in one piece: nothing can fail between its head and its end. */
export const pieceOf = (response: Response): string | undefined => pieces.get(response);

/**
 * A request's body may be returned unchanged. That runs no code of the function, and Deno up to 2.9.5 stalls when
 * JavaScript reads a connection's body while the response is being written (denoland/deno#36624).
 */
export function neverTap(body: ReadableStream | null): void {
  if (body) untapped.add(body);
}

/** The result of a fetch handler must be a Response whose body is unread. */
export function checkedResponse(value: unknown): Response {
  if (!(value instanceof GenuineResponse))
    throw new TypeError(`The fetch handler should return a Response, but returned ${kindOf(value)}`);
  if (value.type === 'error') throw new TypeError('The fetch handler returned Response.error()');
  if (value.bodyUsed) throw new TypeError('The fetch handler returned a Response whose body was read already');
  return value;
}

/**
 * The headers as alternating names and values. Throws for a response that cannot be sent: later the error could not be
 * reported, and some would crash Deno's server.
 */
export function sendableHeaders(response: Response, isUpgrade: boolean): string[] {
  if (response.status === SWITCHING_PROTOCOLS && !isUpgrade)
    throw new TypeError('A response of status 101 is what Deno.upgradeWebSocket(request) gives, and nothing else');
  const headers = [...response.headers].flat();
  let chars = HEAD_CHARS;
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? '';
    const value = headers[at + 1] ?? '';
    chars += name.length + value.length + LINE_CHARS;
    if (!isValue(value)) throw new TypeError(`The response's header "${name}" has a control character`);
    if (chars > HEADERS_MAX_CHARS)
      throw new RangeError(`The response's headers have more than ${HEADERS_MAX_CHARS - HEAD_CHARS} characters`);
  }
  return headers;
}

/**
 * The result of an event handler: a Response is returned unchanged; an object with an integer `status`, or with
 * `statusCode` as in AWS Lambda, describes one; any other value becomes JSON.
 */
export function responseOf(value: unknown): Response {
  if (value instanceof GenuineResponse) return checkedResponse(value);
  const answer = answerIn(value);
  if (!answer) return GenuineResponse.json(value ?? null);
  const { status } = answer;
  const headers = new Headers();
  for (const [name, each] of Object.entries(answer.headers ?? {}))
    for (const one of Array.isArray(each) ? each : [each]) headers.append(name, String(one));
  if (NO_BODY.has(status)) return withoutBody({ status, headers });
  return new Response(bodyOf(answer, headers), { status, headers });
}

type Answer = { status: number; headers?: Record<string, unknown>; body?: unknown; is_base64_encoded?: boolean };
type LambdaAnswer = Pick<Answer, 'headers' | 'body'> & {
  statusCode: number;
  isBase64Encoded?: boolean;
  cookies?: unknown;
  multiValueHeaders?: Record<string, unknown>;
};

function answerIn(value: unknown): Answer | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if ('status' in value && Number.isInteger(value.status)) return value as Answer;
  if (!('statusCode' in value && Number.isInteger(value.statusCode))) return undefined;
  const { statusCode, headers, multiValueHeaders, cookies, body, isBase64Encoded } = value as LambdaAnswer;
  return {
    status: statusCode,
    headers: { ...headers, ...multiValueHeaders, ...(Array.isArray(cookies) ? { 'set-cookie': cookies } : {}) },
    body,
    is_base64_encoded: isBase64Encoded === true,
  };
}

function bodyOf({ body, is_base64_encoded }: Answer, headers: Headers): Exclude<Body, undefined> {
  if (body === undefined || body === null) return null;
  if (typeof body === 'string')
    return is_base64_encoded ? Uint8Array.from(atob(body), (char) => char.charCodeAt(0)) : body;
  if (isOwnKind(body)) return body;
  if (isInPieces(body)) return ReadableStream.from(body);
  if (!headers.has('content-type')) headers.set('content-type', 'application/json');
  return JSON.stringify(body);
}

/** Types that a Response accepts directly. */
const isOwnKind = (body: unknown): body is ReadableStream | Blob | ArrayBuffer | FormData | URLSearchParams =>
  [ReadableStream, Blob, ArrayBuffer, FormData, URLSearchParams].some((kind) => body instanceof kind) ||
  ArrayBuffer.isView(body);

/** A generator or another async iterable; an array becomes JSON. */
const isInPieces = (body: unknown): body is AsyncIterable<Uint8Array> =>
  typeof body === 'object' &&
  body !== null &&
  (Symbol.asyncIterator in body || (Symbol.iterator in body && 'next' in body));

/**
 * Wraps a streamed response: its chunks are produced within the run, so that their output is logged to the run, and a
 * failure is reported. When the reader disconnects, what closes the body is added to the `background` of the run.
 */
export function tapped(
  response: Response,
  { scope, background }: { scope: Scope; background: Promise<unknown>[] },
  onFailure: (error: unknown) => void,
): Response {
  // A fetched response has a URL; its body may fail too.
  if (!(streamed.has(response) || response.url) || !response.body) return response;
  const reader = response.body.getReader();
  const declared = /^\d+$/.exec(response.headers.get('content-length') ?? '')?.[0];
  let sent = 0;
  const held = (isWhole: boolean) => {
    if (declared === undefined || (isWhole ? sent === Number(declared) : sent <= Number(declared))) return;
    throw new TypeError(
      `The body has ${isWhole ? sent : `at least ${sent}`} bytes, but Content-Length says ${declared}`,
    );
  };
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await within(scope, () => reader.read());
        if (done) {
          held(true);
          return controller.close();
        }
        const bytes = bytesOf(value);
        sent += bytes.length;
        held(false);
        controller.enqueue(bytes);
      } catch (error) {
        onFailure(error);
        controller.error(error);
      }
    },
    cancel(reason) {
      const canceled = within(scope, () => reader.cancel(reason));
      background.push(canceled.catch(() => undefined));
      return canceled;
    },
  });
  return new GenuineResponse(body, response);
}

function bytesOf(chunk: unknown): Uint8Array {
  if (typeof chunk === 'string') return new TextEncoder().encode(chunk);
  if (chunk instanceof Uint8Array) return chunk;
  if (chunk instanceof ArrayBuffer) return new Uint8Array(chunk);
  if (ArrayBuffer.isView(chunk)) return new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  throw new TypeError(`A piece of a body should be text or bytes, but is ${kindOf(chunk)}`);
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
