/**
 * One run, from the request to the response, which is passed on as soon as it begins; `finished` is the final outcome.
 */
import { type Duplex, finished, Readable } from 'node:stream';
import type { CancelSignal } from './cancellation.ts';
import { AnswerBody } from './fleet/answer-body.ts';
import { byHttp, type Forwarded, type RunRequest } from './fleet/forward.ts';
import { forwardUpgrade } from './fleet/forward-upgrade.ts';
import type { Isolate } from './fleet/isolate.ts';
import { ask, smallCall } from './fleet/small-call.ts';
import {
  CALLER_GONE,
  type Finish,
  type RunError,
  type RunOptions,
  type RunTimes,
  type RunWatch,
  SERVICE_STOPPED,
} from './watch-run.ts';

export type RunAnswer = Finish & {
  status: number;
  headers: [name: string, value: string][];
  /** Must be read or destroyed. Fails when the run is interrupted. */
  body: Readable;
  /** The complete body, if it has already arrived: `body` need not be read then. */
  whole?: Buffer;
  /** With a 101: the function's end of a WebSocket. The run lasts until it is closed. */
  socket?: Duplex;
  /** May be ERROR or TIMEOUT even after a successful start of the response. Never rejects. */
  finished: Promise<Finish>;
  /** Complete when `finished` resolves. */
  times: RunTimes;
};

/** How long a reader may take for the rest of a response after the run has ended. */
const DELIVERY_MS = 300_000;
/** Responses of Deno's HTTP server to a head that it cannot parse: no run begins, so none would end. */
const REFUSED_BY_SERVER = new Set([400, 414, 431, 501, 505]);

/** Errors of the process's connection, not of the reader. */
const BROKEN_OFF = new Set(['UND_ERR_SOCKET', 'ECONNRESET']);

/** Performs a run in `isolate`, which has its function. `release` is called when the run needs the process no more. */
export async function performRun(
  isolate: Isolate,
  watch: RunWatch,
  request: RunRequest,
  options: RunOptions,
  release: () => void,
): Promise<RunAnswer> {
  const { runId } = options;
  const releaseAtEnd = () => void watch.finished.then(release);
  await isolate.ready;
  watch.start();
  if (request.body instanceof Readable) watchUpload(request.body, watch);
  let answer: Forwarded;
  try {
    answer = await send(isolate, request, options, watch.cut);
  } catch (error) {
    await giveUpAnswer(isolate, watch, runId, error);
    releaseAtEnd();
    return ownAnswer(watch);
  }
  watch.answered();
  if (answer.threw) {
    await watch.ended;
    if (answer.body instanceof Readable) answer.body.on('error', () => undefined).resume();
    releaseAtEnd();
    return ownAnswer(watch);
  }
  const { status, headers, body, socket } = answer;
  if (!(body instanceof Readable)) {
    releaseAtEnd();
    return new WholeAnswer(status, headers, body, watch);
  }
  if (answer.isLast) endWith(body, watch);
  else if (REFUSED_BY_SERVER.has(answer.status) && !watch.isOver() && !(await isolate.flushed(runId))) {
    watch.fail('BadRequest', `The sandbox rejected the request's headers with status ${answer.status}`);
    watch.finish();
  }
  body.on('error', (error) => {
    if (watch.isOver()) return;
    if (BROKEN_OFF.has(String(codeOf(error)))) watch.breakOff();
    else watch.leave();
  });
  void watch.finished.then(() => leftBehind(body)).then(release);
  const { finished, times } = watch;
  return { ...watch.result(), status, headers, body, finished, times, ...(socket ? { socket } : {}) };
}

/** Chooses the transport. */
function send(isolate: Isolate, request: RunRequest, options: RunOptions, signal: CancelSignal): Promise<Forwarded> {
  if (request.upgrade) return forwardUpgrade(isolate, request, options, signal);
  const call = smallCall(isolate, request, options);
  return call ? ask(isolate, call, options, signal) : byHttp(isolate, request, options, signal);
}

/** A response that is complete from the start. */
class WholeAnswer implements RunAnswer {
  readonly outcome: Finish['outcome'];
  readonly error?: RunError;
  readonly status: number;
  readonly headers: [name: string, value: string][];
  readonly whole: Buffer;
  readonly finished: Promise<Finish>;
  readonly times: RunTimes;
  #body: Readable | undefined;

  constructor(status: number, headers: [string, string][], whole: Buffer, watch: RunWatch) {
    const { outcome, error } = watch.result();
    this.outcome = outcome;
    if (error) this.error = error;
    this.status = status;
    this.headers = headers;
    this.whole = whole;
    this.finished = watch.finished;
    this.times = watch.times;
  }

  get body(): Readable {
    this.#body ??= Readable.from(this.whole.length > 0 ? [this.whole] : []);
    return this.#body;
  }
}

/**
 * Ends the run with its response. All earlier output was written to the process's pipes before the last byte of the
 * response, and is read in the same turn of the event loop: the next turn has all of it.
 */
function endWith(body: Readable, watch: RunWatch): void {
  const over = () => void setImmediate(watch.end);
  if (body instanceof AnswerBody) body.whenCome(over);
  else body.once('close', over);
}

/** An interrupted upload means that the caller disconnected, unless the sandbox closed its connection. */
function watchUpload(body: Readable, watch: RunWatch): void {
  finished(body, { writable: false }, (error) => {
    const isOurs = String(codeOf(error)).startsWith('UND_') || (error && 'syscall' in error);
    if (error && !isOurs) watch.leave();
  });
}

/** The end is reported when the response has left the function; a slow reader may still be reading it. */
function leftBehind(body: Readable): Promise<void> {
  if (body.closed) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  const late = setTimeout(() => body.destroy(), DELIVERY_MS).unref();
  body.once('close', () => {
    clearTimeout(late);
    resolve();
  });
  return promise;
}

/** No response will arrive: waits for the reason, unless it is known. */
async function giveUpAnswer(isolate: Isolate, watch: RunWatch, runId: string, error: unknown): Promise<void> {
  if (codeOf(error) === 'UND_ERR_INVALID_ARG') {
    watch.fail(
      'BadRequest',
      `The request can't be sent to the sandbox: ${error instanceof Error ? error.message : error}`,
    );
    watch.finish();
    return;
  }
  const settled = isolate.flushed(runId).then((isLive) => {
    if (isLive) return;
    // The run never began, or it has ended and was reported before this.
    watch.fail('BadRequest', 'The sandbox closed the connection before the request was read');
    watch.finish();
  });
  if (watch.result().outcome !== 'OK') return;
  await settled;
  if (watch.result().outcome === 'OK') await watch.finished;
}

/** The response when the function gave none. The error is logged, not sent to the caller. */
function ownAnswer(watch: RunWatch): RunAnswer {
  const result = watch.result();
  const [status, text] = refusalOf(result);
  const headers: [string, string][] = [['content-type', 'text/plain; charset=utf-8']];
  const body = Readable.from([Buffer.from(text)]);
  return { ...result, status, headers, body, finished: watch.finished, times: watch.times };
}

function refusalOf({ outcome, error }: Finish): [status: number, text: string] {
  if (outcome === 'TIMEOUT') return [504, 'Gateway Timeout'];
  if (error?.name === CALLER_GONE) return [499, 'Client Closed Request'];
  if (error?.name === SERVICE_STOPPED) return [503, 'Service Unavailable'];
  return [500, 'Internal Server Error'];
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);
