/**
 * The life of one run in its process. It is over when the process reports the end (the answer is out, background work
 * done), when the process ends, or when its time is up and what it said until then has been read. The first fault is
 * its cause.
 *
 *   running ─ end ──────────────▶ OK
 *           ─ throw ────────────▶ ERROR, once the end comes     ─ process ends ▶ ERROR
 *           ─ caller goes away ─▶ ERROR, once the end comes     ─ time is up ──▶ TIMEOUT; the process is ended
 */
import type { RunStart } from '../../contract/states.ts';
import { Cut, type Leaving } from './cut.ts';
import type { OnPart } from './fleet/answer-body.ts';
import type { Isolate } from './fleet/isolate.ts';
import type { Mapper } from './fleet/stack.ts';
import { type LogLine, openRunLog } from './run-log.ts';

export type RunOptions = {
  /** Unique; without spaces. */
  runId: string;
  /** What the run may call the gateway with; without spaces. */
  gatewayToken?: string;
  /** From the moment the process is ready to the last byte of the answer and the end of waitUntil(). */
  timeoutMs: number;
  /** Aborts when the caller has gone away; the function sees it as request.signal. */
  signal?: Leaving;
  /** Called in order, also for lines that were said just before a kill; never after `finished`. */
  onLog(line: LogLine): void;
  /** Sees the answer's body as it comes; returns an error to stop the answer. */
  onPart?: OnPart;
};

export type Outcome = 'OK' | 'ERROR' | 'TIMEOUT';
/** What went wrong. `stack` names the version's own files: "src/index.ts:2:9". */
export type RunError = { name: string; message: string; stack: string | null };
export type Finish = { outcome: Outcome; error?: RunError };

/** What a run began with, and how many milliseconds after it was called it got how far. */
export type RunTimes = {
  start: RunStart;
  /** The process served. */
  ready_ms: number | null;
  /** The code was loaded; null where another run had loaded it. */
  loaded_ms: number | null;
  /** The answer's head was there. */
  answer_ms: number | null;
};

export type RunWatch = {
  /** As far as it is known. */
  result(): Finish;
  isOver(): boolean;
  /** Aborts when no caller waits for the answer any more. */
  cut: Leaving;
  /** Resolves when a throw was reported, or the run is over. */
  ended: Promise<void>;
  finished: Promise<Finish>;
  times: RunTimes;
  /** Starts the clock. */
  start(): void;
  /** The answer's head has arrived. */
  answered(): void;
  fail(name: string, message: string): void;
  /** The caller has gone away. */
  leave(): void;
  /** The answer broke off: an ERROR, unless the reports know better. */
  breakOff(): void;
  /** All of it is done: over, and well unless something spoke against it. */
  end(): void;
  finish(): void;
};

export const CALLER_GONE = 'CallerGone';
export const SERVICE_STOPPED = 'ServiceStopped';
const STUCK = { name: 'ProcessKilled', message: 'Another run of this function blocked its process, which was stopped' };
const STUCK_AFTER_MS = 250;

/** Listens to what the process of `slot` reports of a run. `giveUp` is called when it should take no more runs. */
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
  const cut = new Cut();
  let timer: NodeJS.Timeout | undefined;
  let result: Finish = { outcome: 'OK' };
  let isOver = false;
  let isBroken = false;
  /** The last line of the log, said when the run is over. */
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
    // An answer that broke off is cut at its caller, too: going then is no fault of theirs.
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

/** After a time-out: receives earlier output, and ends a process that doesn't answer or has no other run. */
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
