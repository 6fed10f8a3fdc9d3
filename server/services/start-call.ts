/**
 * A run, from the call to its record. The answer streams to the caller while it goes on being recorded: when the
 * function's work is over *and* the body has reached the caller, or either is cut, the record ends.
 */
import { type Duplex, pipeline, Readable } from 'node:stream';
import { errors } from 'undici';
import { FUNCTION_BODY_MAX_BYTES, RUN_BODY_KEPT_BYTES } from '../../contract/limits.ts';
import { AnswerBody } from '../runtime/answer-body.ts';
import type { Leaving } from '../runtime/cut.ts';
import type { RequestHead } from '../runtime/event.ts';
import { AtCapacity } from '../runtime/fleet.ts';
import type { RunAnswer } from '../runtime/run.ts';
import type { Finish } from '../runtime/watch-run.ts';
import { createKeeper, type Keeper, tapFor } from './body-tap.ts';
import type { Callable } from './callables.ts';
import type { Services } from './context.ts';
import { busy, enter, type Place } from './function-places.ts';
import { loadSpec } from './function-specs.ts';
import { keptOf } from './run-exchange.ts';
import { openRecord, type RunCause } from './run-record.ts';
import { runWriter } from './run-writer.ts';

export type CallRequest = RequestHead & {
  headers: readonly (readonly [name: string, value: string])[];
  body: Buffer | Readable | null;
  /** Headers, in lower case, that are recorded (redacted) but not handed to the function. */
  hidden?: readonly string[];
  /** The caller asks for a WebSocket. */
  upgrade?: boolean;
};
export type CallOptions = {
  /** The delivery that causes the run. */
  cause?: RunCause | null;
  /** Less than the function's own limit, if at all. */
  timeoutMs?: number;
  /** The gateway refuses what the run asks of it. */
  withoutGateway?: boolean;
  /** Somebody waits until the run is recorded. */
  isAwaited?: boolean;
  /** Aborts when the caller has gone away. */
  signal?: Leaving;
};

export type Call = {
  run_id: string;
  status: number;
  headers: [name: string, value: string][];
  /** The body, where all of it is there already: then nobody has to read it. */
  whole: Buffer | undefined;
  /** The body to be read to its end, or destroyed. */
  openBody(): Readable;
  /** With a 101: the function's end of a WebSocket. To be joined to the caller's, or destroyed. */
  socket?: Duplex;
  /** Resolves when the run's record is complete. Never rejects. */
  recorded: Promise<Finish>;
  /** The request's body was longer than a function takes; the answer is of no use then. */
  isRequestTooLarge(): boolean;
  /** The answer is complete: what the function hasn't read of the request by now, it never will. */
  dropRequest(): void;
};

/** Runs a function. Resolves when its answer begins; a throw or a time-out of the function is an answer too. */
export async function startCall(
  services: Services,
  callable: Callable,
  request: CallRequest,
  {
    cause = null,
    timeoutMs = Number.POSITIVE_INFINITY,
    withoutGateway = false,
    isAwaited = false,
    signal,
  }: CallOptions = {},
): Promise<Call> {
  if (runWriter(services).isFull()) throw busy(503, 'The database does not take the records of runs');
  const place = enter(services.db, callable.fn.function_id);
  try {
    return await run(services, callable, request, { cause, timeoutMs, withoutGateway, isAwaited, signal }, place);
  } catch (error) {
    place.close();
    throw error;
  }
}

type RunParts = {
  cause: RunCause | null;
  timeoutMs: number;
  withoutGateway: boolean;
  isAwaited: boolean;
  signal: Leaving | undefined;
};

async function run(
  services: Services,
  callable: Callable,
  request: CallRequest,
  { cause, timeoutMs, withoutGateway, isAwaited, signal }: RunParts,
  place: Place,
): Promise<Call> {
  const { fn, version } = callable;
  const loaded = loadSpec(services, callable);
  const spec = loaded instanceof Promise ? await loaded : loaded;
  const record = openRecord(services, fn, version, request, cause, isAwaited);
  const gateway = services.runTokens.open({
    account_id: fn.account_id,
    function_id: fn.function_id,
    run_id: record.run_id,
  });
  if (withoutGateway) gateway.close();
  const incoming = tapRequest(request.body);
  let outgoing: Keeper | undefined;
  const keep = () => {
    outgoing ??= createKeeper(RUN_BODY_KEPT_BYTES, FUNCTION_BODY_MAX_BYTES);
    return outgoing;
  };
  const options = {
    runId: record.run_id,
    gatewayToken: gateway.token,
    timeoutMs: Math.min(timeoutMs, fn.timeout_seconds * 1000),
    onLog: record.onLog,
    onPart: (part: Buffer) => keep().see(part),
    ...(signal ? { signal } : {}),
  };
  let answer: RunAnswer;
  try {
    const asked = { ...request, headers: shownHeaders(request), body: incoming.body };
    answer = await services.runtime.invoke(spec, asked, options);
  } catch (error) {
    gateway.close();
    const message =
      error instanceof AtCapacity ? 'Every function process of this node is busy' : 'The run could not be started';
    const result: Finish = { outcome: 'ERROR', error: { name: 'NotStarted', message, stack: null } };
    await record.end(result, incoming.kept(), null);
    throw error instanceof AtCapacity ? busy(503, message) : error;
  }
  const { status, headers, whole } = answer;
  const end = async (finish: Finish): Promise<Finish> => {
    gateway.close();
    place.leave();
    // The caller is told by the door; what the function said to half a request is nobody's answer.
    const refused = incoming.isTooLarge();
    const result = refused ? tooLarge('Request') : outgoing?.isTooLarge() ? tooLarge('Response') : finish;
    const kept = whole ? keptOf(whole) : { bytes: keep().kept(), cut: keep().isCut() };
    try {
      await record.end(result, incoming.kept(), refused ? null : { status, headers, body: kept }, answer.times);
    } finally {
      place.close();
    }
    return result;
  };
  const { run_id } = record;
  const { isTooLarge: isRequestTooLarge, drop: dropRequest } = incoming;
  if (whole) {
    const recorded = answer.finished.then(end);
    return { run_id, status, headers, whole, openBody: () => answer.body, recorded, isRequestTooLarge, dropRequest };
  }
  const body = answer.body instanceof AnswerBody ? answer.body : throughTap(answer.body, keep());
  const recorded = whenClosed(body)
    .then(() => answer.finished)
    .then(end);
  const call: Call = {
    run_id,
    status,
    headers,
    whole: undefined,
    openBody: () => body,
    recorded,
    isRequestTooLarge,
    dropRequest,
  };
  if (body instanceof AnswerBody) call.whole = body.takeWhole();
  if (call.whole) body.destroy();
  if (answer.socket) call.socket = answer.socket;
  return call;
}

const shownHeaders = ({ headers, hidden }: CallRequest) =>
  hidden ? headers.filter(([name]) => !hidden.includes(name.toLowerCase())) : headers;
/** However it ends; who reads it hears of errors by himself. */
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
  const keeper = createKeeper(RUN_BODY_KEPT_BYTES, FUNCTION_BODY_MAX_BYTES);
  const tap = tapFor(keeper).on('error', () => undefined);
  // No pipeline(): it would end the caller's connection with a function that leaves some of the body unread.
  body
    .on('error', (error) => tap.destroy(error))
    .once('close', () => body.readableEnded || tap.destroy(new Error('The request broke off')))
    .pipe(tap);
  return {
    body: tap,
    kept: () => ({ bytes: keeper.kept(), cut: keeper.isCut() }),
    isTooLarge: keeper.isTooLarge,
    drop: () => void (tap.readableEnded || tap.destroy(new errors.RequestAbortedError('The answer is complete'))),
  };
}

function throughTap(body: Readable, keeper: Keeper): Readable {
  const tap = tapFor(keeper);
  pipeline(body, tap, () => undefined);
  return tap;
}
