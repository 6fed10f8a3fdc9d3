/**
 * A run, from the call to its record. The response is streamed to the caller while the run is being recorded. The
 * record ends when the function's work is over *and* the body has reached the caller, or either is interrupted.
 */
import { type Duplex, pipeline, Readable } from 'node:stream';
import { errors } from 'undici';
import { FUNCTION_BODY_MAX_BYTES, RUN_BODY_KEPT_BYTES } from '../../../contract/limits.ts';
import type { RunCaller } from '../../../contract/states.ts';
import { headerOf } from '../../../contract/text/header-of.ts';
import type { KeyRef, Services } from '../../platform/context.ts';
import { withTrace } from '../../platform/tracing/trace.ts';
import { AtCapacity, ShareUsed } from '../../runtime/at-capacity.ts';
import type { CancelSignal } from '../../runtime/cancellation.ts';
import type { RequestHead } from '../../runtime/event.ts';
import { AnswerBody } from '../../runtime/fleet/answer-body.ts';
import type { RunAnswer } from '../../runtime/run.ts';
import type { Finish } from '../../runtime/watch-run.ts';
import { keptOf } from '../runs/run-exchange.ts';
import { openRecord, type RunCause } from '../runs/run-record.ts';
import { type BodyCapture, captureStream, createBodyCapture } from './body-capture.ts';
import type { Callable } from './callables.ts';
import { busy, type Slot } from './function-concurrency.ts';
import { loadSpec } from './function-specs.ts';
import { endRunSpan, startRunSpan } from './run-span.ts';
import { checkSandbox } from './sandbox-rule.ts';

export type CallRequest = RequestHead & {
  headers: readonly (readonly [name: string, value: string])[];
  body: Buffer | Readable | null;
  /** Headers, in lower case, that are recorded (redacted) but not passed to the function. */
  hidden?: readonly string[];
  /** The caller requests a WebSocket. */
  upgrade?: boolean;
};
export type CallOptions = {
  /** What causes the run; recorded with it. */
  caller: RunCaller;
  /** The API key of the caller. */
  key?: KeyRef | null;
  /** The delivery that causes the run. */
  cause?: RunCause | null;
  /** A limit below that of the function. */
  timeoutMs?: number;
  /** The run takes a turn of the function's transformations. */
  isTransform?: boolean;
  /** The gateway rejects the requests of this run. */
  withoutGateway?: boolean;
  /** A caller waits until the run is recorded. */
  isAwaited?: boolean;
  /** Aborts when the caller disconnects. */
  signal?: CancelSignal;
};

export type Call = {
  run_id: string;
  status: number;
  headers: [name: string, value: string][];
  /** The complete body, if it has already arrived: `body` need not be read then. */
  whole: Buffer | undefined;
  /** The body, which must be read to its end or destroyed. */
  openBody(): Readable;
  /** With a 101: the function's end of a WebSocket, which must be connected to the caller or destroyed. */
  socket?: Duplex;
  /** Resolves when the run is over. Never rejects. */
  finished: Promise<Finish>;
  /** Resolves when the run is recorded completely. Never rejects. */
  recorded: Promise<Finish>;
  /** The request's body was longer than the limit, so the response is discarded. */
  isRequestTooLarge(): boolean;
  /** The response is complete: the function will not read the rest of the request. */
  dropRequest(): void;
};

/** Runs a function. Resolves when its response begins, which may report a throw or a time-out. */
export async function startCall(
  services: Services,
  callable: Callable,
  request: CallRequest,
  options: CallOptions,
): Promise<Call> {
  if (services.memory.runs.isFull()) throw busy(503, 'The database does not accept run records');
  // Only then, as a promise would delay each call.
  if (services.runtime.isFallback) await checkSandbox(services);
  const slot = services.memory.functionConcurrency.acquireSlot(callable.fn, options.isTransform);
  try {
    return await run(services, callable, request, options, slot);
  } catch (error) {
    slot.close();
    throw error;
  }
}

async function run(
  services: Services,
  callable: Callable,
  request: CallRequest,
  {
    caller,
    key = null,
    cause = null,
    timeoutMs = Number.POSITIVE_INFINITY,
    withoutGateway = false,
    isAwaited = false,
    signal,
  }: CallOptions,
  slot: Slot,
): Promise<Call> {
  const { fn, version } = callable;
  const loaded = loadSpec(services, callable);
  const spec = loaded instanceof Promise ? await loaded : loaded;
  const record = openRecord(services, fn, version, request, cause, caller, key, isAwaited);
  const span = services.tracing && startRunSpan(services.tracing, fn, version.version, record.run_id, request.headers);
  const gateway = services.runTokens.open({
    account_id: fn.account_id,
    function_id: fn.function_id,
    run_id: record.run_id,
    fn,
    trace: span?.trace,
  });
  if (withoutGateway) gateway.close();
  const incoming = tapRequest(request.body);
  let outgoing: BodyCapture | undefined;
  const keep = () => {
    outgoing ??= createBodyCapture(RUN_BODY_KEPT_BYTES, FUNCTION_BODY_MAX_BYTES);
    return outgoing;
  };
  /** The declared length of the response: a caller that has all of it does not wait for its end. */
  let wholeBytes = Number.POSITIVE_INFINITY;
  const options = {
    runId: record.run_id,
    gatewayToken: gateway.token,
    timeoutMs: Math.min(timeoutMs, fn.timeout_seconds * 1000),
    onLog: record.onLog,
    onPart: (part: Buffer) => {
      const refusal = keep().see(part);
      if (keep().size() >= wholeBytes) record.answered();
      return refusal;
    },
    ...(signal ? { signal } : {}),
  };
  let answer: RunAnswer;
  try {
    const shown = shownHeaders(request);
    const headers = span ? withTrace(shown, span.trace) : shown;
    const asked = { ...request, headers, body: incoming.body };
    answer = await services.runtime.invoke(spec, asked, options);
  } catch (error) {
    gateway.close();
    const message =
      error instanceof ShareUsed
        ? error.message
        : error instanceof AtCapacity
          ? 'Every function process of this node is busy'
          : 'The run could not be started';
    const result: Finish = { outcome: 'ERROR', error: { name: 'NotStarted', message, stack: null } };
    if (span) endRunSpan(span, result);
    await record.end(result, incoming.kept(), null);
    throw error instanceof AtCapacity ? busy(error instanceof ShareUsed ? 429 : 503, message) : error;
  }
  const { status, headers, whole } = answer;
  wholeBytes = declaredBytes(request.method, headers);
  if (whole || (outgoing?.size() ?? 0) >= wholeBytes) record.answered();
  const end = async (finish: Finish): Promise<Finish> => {
    gateway.close();
    slot.release();
    // The entry point responds to the caller; the function's response to an incomplete request is discarded.
    const refused = incoming.isTooLarge();
    const result = refused ? tooLarge('Request') : outgoing?.isTooLarge() ? tooLarge('Response') : finish;
    if (span) endRunSpan(span, result, status);
    const kept = whole ? keptOf(whole) : { bytes: keep().kept(), cut: keep().isCut() };
    try {
      await record.end(result, incoming.kept(), refused ? null : { status, headers, body: kept }, answer.times);
    } finally {
      slot.close();
    }
    return result;
  };
  const { run_id } = record;
  const { isTooLarge: isRequestTooLarge, drop: dropRequest } = incoming;
  if (whole) {
    const recorded = answer.finished.then(end);
    return {
      run_id,
      status,
      headers,
      whole,
      openBody: () => answer.body,
      finished: answer.finished,
      recorded,
      isRequestTooLarge,
      dropRequest,
    };
  }
  const body = answer.body instanceof AnswerBody ? answer.body : throughCapture(answer.body, keep());
  const recorded = whenClosed(body)
    .then(record.answered)
    .then(() => answer.finished)
    .then(end);
  const call: Call = {
    run_id,
    status,
    headers,
    whole: undefined,
    openBody: () => body,
    finished: answer.finished,
    recorded,
    isRequestTooLarge,
    dropRequest,
  };
  if (body instanceof AnswerBody) call.whole = body.takeWhole();
  if (call.whole) {
    record.answered();
    body.destroy();
  }
  if (answer.socket) call.socket = answer.socket;
  return call;
}

const shownHeaders = ({ headers, hidden }: CallRequest) =>
  hidden ? headers.filter(([name]) => !hidden.includes(name.toLowerCase())) : headers;
/** Infinity when the head does not declare a length. */
function declaredBytes(method: string, headers: readonly (readonly [string, string])[]): number {
  if (method === 'HEAD') return 0;
  const length = headerOf(headers, 'content-length');
  return length !== undefined && /^\d+$/.test(length) ? Number(length) : Number.POSITIVE_INFINITY;
}

/** Resolves when the stream has closed, successful or not; its reader handles errors. */
const whenClosed = (stream: Readable): Promise<void> =>
  new Promise((closed) => {
    stream.on('error', () => undefined);
    if (stream.closed) closed();
    else stream.once('close', closed);
  });

const tooLarge = (which: 'Request' | 'Response'): Finish => ({
  outcome: 'ERROR',
  error: {
    name: `${which}TooLarge`,
    message: `The ${which.toLowerCase()} was longer than ${FUNCTION_BODY_MAX_BYTES} bytes`,
    stack: null,
  },
});

function tapRequest(body: Buffer | Readable | null) {
  if (!(body instanceof Readable)) {
    const kept = keptOf(body ?? Buffer.alloc(0));
    return { body, kept: () => kept, isTooLarge: () => false, drop: () => undefined };
  }
  const capture = createBodyCapture(RUN_BODY_KEPT_BYTES, FUNCTION_BODY_MAX_BYTES);
  const tap = captureStream(capture).on('error', () => undefined);
  // Not pipeline(): it would destroy the caller's connection when the function does not read the whole body.
  body
    .on('error', (error) => tap.destroy(error))
    .once('close', () => body.readableEnded || tap.destroy(new Error('The request was interrupted')))
    .pipe(tap);
  return {
    body: tap,
    kept: () => ({ bytes: capture.kept(), cut: capture.isCut() }),
    isTooLarge: capture.isTooLarge,
    drop: () => void (tap.readableEnded || tap.destroy(new errors.RequestAbortedError('The response is complete'))),
  };
}

function throughCapture(body: Readable, capture: BodyCapture): Readable {
  const tap = captureStream(capture);
  pipeline(body, tap, () => undefined);
  return tap;
}
