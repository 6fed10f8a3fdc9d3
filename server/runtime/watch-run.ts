/**
 * The life of one run in its process. It is over when the process reports the end (the response was sent, background
 * work is done), when the process ends, or at the time limit, once earlier output has been read. The first fault
 * determines the outcome.
 *
 *   running ─ end ──────────────▶ OK
 *           ─ throw ────────────▶ ERROR, when the end comes     ─ process ends ▶ ERROR
 *           ─ caller leaves ────▶ ERROR, when the end comes     ─ time limit ──▶ TIMEOUT; the process is killed
 */
import type { RunStart } from '../../contract/states.ts';
import { Cancellation, type CancelSignal } from './cancellation.ts';
import type { OnPart } from './fleet/answer-body.ts';
import type { Isolate } from './fleet/isolate.ts';
import type { Mapper } from './fleet/stack.ts';
import { type LogLine, openRunLog } from './run-log.ts';

export type RunOptions = {
  /** Unique; without spaces. */
  runId: string;
  /** The run's token for the gateway; without spaces. */
  gatewayToken?: string;
  /**
   * The time limit from the moment the process is ready to the last byte of the response and the end of waitUntil().
   */
  timeoutMs: number;
  /** Aborts when the caller disconnects; the function sees it as request.signal. */
  signal?: CancelSignal;
  /** Called in order, including lines written just before a kill; never after `finished`. */
  onLog(line: LogLine): void;
  /** Receives every chunk of the response body; returns an error to stop the response. */
  onPart?: OnPart;
};

export type Outcome = 'OK' | 'ERROR' | 'TIMEOUT';
/** The error of a run. `stack` refers to the version's files: "src/index.ts:2:9". */
export type RunError = { name: string; message: string; stack: string | null };
export type Finish = { outcome: Outcome; error?: RunError };

/** How the run started, and milliseconds from the call to each stage. */
export type RunTimes = {
  start: RunStart;
  /** The process was ready. */
  ready_ms: number | null;
  /** The code was loaded; null when an earlier run had loaded it. */
  loaded_ms: number | null;
  /** The head of the response arrived. */
  answer_ms: number | null;
};

export type RunWatch = {
  /** The current result. */
  result(): Finish;
  isOver(): boolean;
  /** Aborts when no caller waits for the response any more. */
  cut: CancelSignal;
  /** Resolves when a throw was reported, or the run is over. */
  ended: Promise<void>;
  finished: Promise<Finish>;
  times: RunTimes;
  /** Starts the time limit. */
  start(): void;
  /** The head of the response has arrived. */
  answered(): void;
  fail(name: string, message: string): void;
  /** The caller has disconnected. */
  leave(): void;
  /** The response was interrupted: an ERROR, unless a report gives another reason. */
  breakOff(): void;
  /** The run has ended, successfully unless a fault was recorded. */
  end(): void;
  finish(): void;
};

export const CALLER_GONE = 'CallerGone';
export const SERVICE_STOPPED = 'ServiceStopped';
const STUCK = { name: 'ProcessKilled', message: 'Another run of this function blocked its process, which was stopped' };
const STUCK_AFTER_MS = 250;

/**
 * Records what the process of `slot` reports about a run. `giveUp` is called when the process should accept no more
 * runs.
 */
export function watchRun(
  { isolate, mapper, start }: { isolate: Isolate; mapper: Mapper; start: RunStart },
  options: RunOptions,
  giveUp: () => void,
): RunWatch {
  const { runId, timeoutMs, signal, onLog } = options;
  const calledAt = performance.now();
  const sinceCall = () => Math.round((performance.now() - calledAt) * 1000) / 1000;
  const times: RunTimes = { start, ready_ms: null, loaded_ms: null, answer_ms: null };
  const log = openRunLog(onLog, mapper);
  const finished = Promise.withResolvers<Finish>();
  const ended = Promise.withResolvers<void>();
  const cut = new Cancellation();
  let timer: NodeJS.Timeout | undefined;
  let result: Finish = { outcome: 'OK' };
  let isOver = false;
  let isBroken = false;
  /** The last line of the log, written when the run is over. */
  let verdict: string | undefined;

  const fail = (name: string, message: string) => {
    if (result.outcome !== 'OK' || isOver) return;
    result = { outcome: 'ERROR', error: { name, message, stack: null } };
    verdict = message;
  };
  const finish = () => {
    if (isOver) return;
    if (verdict) log.verdict(verdict);
    isOver = true;
    clearTimeout(timer);
    signal?.removeEventListener('abort', leave);
    isolate.runs.delete(runId);
    ended.resolve();
    finished.resolve(result);
  };
  const end = () => {
    if (isBroken) fail('BodyBroken', 'The response was interrupted before its body was complete');
    finish();
  };
  const leave = () => {
    // The service closes the caller's connection after an interrupted response, which is not the caller's fault.
    if (!isBroken) fail(CALLER_GONE, 'The caller closed the connection before the response was complete');
    cut.abort();
  };
  const timeUp = () => {
    verdict = `The run took longer than ${timeoutMs / 1000} s and was stopped`;
    if (result.outcome === 'OK' || result.error?.name === CALLER_GONE)
      result = { outcome: 'TIMEOUT', error: { name: 'Timeout', message: verdict, stack: null } };
    giveUp();
    cut.abort();
    void letGo(isolate).then(finish);
  };

  isolate.runs.set(runId, {
    onLog: log.line,
    onLoaded: () => {
      times.loaded_ms ??= sinceCall();
    },
    onThrow: (thrown) => {
      if (result.outcome === 'OK') {
        const error = { ...thrown, stack: thrown.stack && mapper(thrown.stack) };
        result = { outcome: 'ERROR', error };
        log.verdict(error.stack ?? `${error.name}: ${error.message}`);
      }
      ended.resolve();
    },
    onEnd: end,
    onClosed: ({ name, message }) => {
      fail(name, message);
      finish();
    },
  });

  return {
    result: () => result,
    isOver: () => isOver,
    cut,
    ended: ended.promise,
    finished: finished.promise,
    times,
    start() {
      if (isOver) return;
      times.ready_ms = sinceCall();
      timer = setTimeout(timeUp, timeoutMs);
      if (signal?.aborted) leave();
      else signal?.addEventListener('abort', leave, { once: true });
    },
    answered() {
      times.answer_ms ??= sinceCall();
    },
    fail,
    leave,
    breakOff: () => {
      isBroken = true;
    },
    end,
    finish,
  };
}

/** After a time-out: waits for earlier output, and kills a process that is stuck or has no other run. */
async function letGo(isolate: Isolate): Promise<void> {
  if (isolate.runs.size <= 1) {
    isolate.kill();
    await isolate.closed;
    return;
  }
  const stuck = setTimeout(() => isolate.kill(STUCK), STUCK_AFTER_MS);
  await isolate.flushed();
  clearTimeout(stuck);
}
