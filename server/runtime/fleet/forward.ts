/** Forwards a run's request into the sandbox, and returns the head of the response. */
import { type Duplex, Readable } from 'node:stream';
import type { CancelSignal } from '../cancellation.ts';
import type { RequestHead } from '../event.ts';
import type { RunOptions } from '../watch-run.ts';
import { AnswerBody } from './answer-body.ts';
import { ANSWER_HEADER, LAST_HEADER, RUN_HEADER, THREW_HEADER } from './frames.ts';
import type { Isolate } from './isolate.ts';

export type RunRequest = RequestHead & {
  body: Buffer | Readable | null;
  /** The caller asks for a WebSocket. */
  upgrade?: boolean;
};

export type Forwarded = {
  status: number;
  headers: [name: string, value: string][];
  /** A Buffer is the complete body. */
  body: Readable | Buffer;
  /** The handler threw; a report of the error follows. */
  threw: boolean;
  /** The run is over when this response ends, successful or not. */
  isLast: boolean;
  /** With a 101: the sandbox's end of the WebSocket. */
  socket?: Duplex;
};

export const NOT_FORWARDED = new Set(
  `connection keep-alive proxy-connection proxy-authorization te trailer transfer-encoding upgrade expect host ${RUN_HEADER} ${ANSWER_HEADER}`.split(
    ' ',
  ),
);
const NOT_RETURNED = new Set(
  `connection keep-alive proxy-connection te trailer transfer-encoding upgrade ${THREW_HEADER} ${LAST_HEADER}`.split(
    ' ',
  ),
);
/** A status without a body, whatever the headers say. */
export const RESET_CONTENT = 205;
export const NO_BODY = new Set(['GET', 'HEAD']);

/**
 * Sends a request by HTTP, as for most streamed bodies. Resolves when the response begins; rejects if it cannot be
 * sent.
 */
export function byHttp(
  isolate: Isolate,
  request: RunRequest,
  options: RunOptions,
  signal: CancelSignal,
  headers = sentHeaders(request, options),
): Promise<Forwarded> {
  const { method, body } = request;
  const sends = !NO_BODY.has(method);
  if (!sends && body instanceof Readable) body.resume();
  return new Promise((resolve, reject) => {
    const answer = new AnswerBody(
      {
        onFailure: reject,
        onHead: (status, rawHeaders) =>
          resolve({
            status,
            ...returned(rawHeaders, options),
            body: status === RESET_CONTENT ? withoutBody(answer) : answer,
          }),
      },
      options.onPart,
    );
    const cut = () => {
      const error = new Error('The caller no longer waits for the response');
      reject(error);
      // Before the head, no reader handles errors.
      if (answer.listenerCount('error') === 0) answer.on('error', () => undefined);
      answer.destroy(error);
    };
    if (signal.aborted) return cut();
    signal.addEventListener('abort', cut, { once: true });
    isolate.wires.dispatch(
      {
        origin: '',
        method,
        path: escaped(request.path),
        headers,
        body: sends ? body : null,
        trailers: null,
        mayBeQuiet: true,
      },
      answer,
    );
  });
}

/** Alternating names and values, without hop-by-hop headers. */
export function sentHeaders(request: RunRequest, { runId, gatewayToken = '' }: RunOptions): string[] {
  const { method, body, scheme, source_ip, protocol } = request;
  const streams = !NO_BODY.has(method) && body instanceof Readable;
  const sent = ['host', request.host, RUN_HEADER, `${runId} ${scheme} ${source_ip} ${protocol} ${gatewayToken}`];
  for (const [name, value] of request.headers) {
    const lower = name.toLowerCase();
    const isKnown = lower === 'content-length' && !streams;
    if (!isKnown && !NOT_FORWARDED.has(lower)) sent.push(name, value);
  }
  return sent;
}

/** Separates the function's headers from those of the sandbox. `raw` has alternating names and values. */
export function returned(
  raw: readonly string[],
  { runId }: Pick<RunOptions, 'runId'>,
): Pick<Forwarded, 'headers' | 'threw' | 'isLast'> {
  const headers: [string, string][] = [];
  let threw = false;
  let isLast = false;
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] ?? '';
    const value = raw[at + 1] ?? '';
    if (!NOT_RETURNED.has(name.toLowerCase())) headers.push([name, value]);
    else if (name === THREW_HEADER) threw = true;
    else if (name === LAST_HEADER) isLast = value === runId;
  }
  return { headers, threw, isLast };
}

/** Deno sends a 205 without an empty body or a length, so a reader would wait forever. */
function withoutBody(body: Readable): Readable {
  body.on('error', () => undefined).destroy();
  return Readable.from([]);
}

/** Node passes the raw bytes of a request target as Latin-1; Deno accepts ASCII only. */
export const escaped = (path: string) =>
  path.replace(/[^\x21-\x7e]/g, (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`);

/** Pairs of alternating names and values. */
export const pairsOf = (raw: readonly string[]): [string, string][] =>
  Array.from({ length: raw.length / 2 }, (_, index) => [raw[index * 2] ?? '', raw[index * 2 + 1] ?? '']);
