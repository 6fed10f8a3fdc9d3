/**
 * Records runs in the database. Records of all runs in progress on this node are buffered briefly and flushed together,
 * one statement at a time (store/run-batch.ts). A run that ends before its start was flushed is stored once,
 * completely. Calls do not wait for it. Readers on this node see runs that have begun (`settle`), and live readers are
 * notified once a run is stored. Failed flushes are retried for a while, and above a limit no new runs begin
 * (`isFull`).
 */

import { isDoneWithin } from '../../lib/time-limit.ts';
import type { Services } from '../../platform/context.ts';
import type { Measures } from '../../platform/measures.ts';
import type { LogLine } from '../../runtime/run-log.ts';
import type { RunEnd } from '../store/run-batch.ts';
import { newPendingRun, type PendingRun, type RunKey } from './pending-run.ts';
import { RunBatches } from './run-batches.ts';
import { RunBuffer } from './run-buffer.ts';

/** The recording of one run. */
export type RunRecording = {
  add(line: LogLine): void;
  /** The caller has the whole response: readers of the run wait briefly for its end from now on. */
  answered(): void;
  /**
   * Records the last lines and the end, earlier if it `isAwaited`. Resolves when they are stored, or were abandoned.
   */
  end(end: RunEnd, isAwaited: boolean): Promise<void>;
};

/** Maximum delay before a run in progress is stored, and before a line appears in the live tail. */
const BEGIN_MS = 20;
const LINE_MS = 50;
/** The end of a run waits this long to share a batch, or less when a caller waits for the record. */
const END_MS = 20;
const AWAITED_MS = 3;
/** The start and end of a run in the background: there are many, and their records are read through other ones. */
const BACKGROUND_MS = 100;
/**
 * After a response, a reader of one run waits this long for the end, which the process reports separately; a reader of
 * many runs waits less. A run that continues in waitUntil() ends later, and is read as running.
 */
export const RUN_PATIENCE = { oneMs: 1000, manyMs: 100 };
/** This many lines are flushed at once. */
const MANY_LINES = 2000;

export class RunRecorder {
  readonly #waiting = new RunBuffer();
  readonly #sending: RunBatches;
  #timer: NodeJS.Timeout | undefined;
  /** When the timer fires. */
  #dueMs = Number.POSITIVE_INFINITY;
  #isWriting = false;
  readonly #measures: Measures;

  constructor(services: Pick<Services, 'db' | 'log' | 'changed' | 'measures'>) {
    this.#measures = services.measures;
    this.#sending = new RunBatches(services, this.#waiting);
  }

  isFull(): boolean {
    return this.#waiting.isFull;
  }

  /** `isBackground`: the run is a step of a delivery, and its record may be stored later. */
  begin(key: RunKey, version: number, begun: PendingRun['begun'], isBackground = false): RunRecording {
    const entry = newPendingRun(key, version, begun);
    const waiting = this.#waiting;
    waiting.mark(entry, 'START', Date.now());
    waiting.open(entry);
    this.#touch(entry, isBackground ? BACKGROUND_MS : BEGIN_MS);
    const endMs = isBackground ? BACKGROUND_MS : END_MS;
    return {
      add: (line) => {
        waiting.say(entry, line);
        this.#touch(entry, waiting.lines >= MANY_LINES ? 0 : LINE_MS);
      },
      answered: () => {
        entry.answeredAtMs ??= performance.now();
      },
      end: (end, isAwaited) => {
        waiting.finish(entry, end);
        this.#count(end);
        this.#touch(entry, isAwaited || entry.isAwaited ? AWAITED_MS : endMs);
        return entry.ended;
      },
    };
  }

  /**
   * Waits until the selected runs of this node can be read: started ones are stored, and those with a complete response
   * are finished, unless their end takes longer than `patienceMs` from the response.
   */
  async settle(isMeant: (key: RunKey) => boolean, patienceMs: number): Promise<void> {
    const stored: Promise<void>[] = [];
    const ending: Promise<void>[] = [];
    let patientUntilMs = 0;
    for (const entry of this.#waiting.matching(isMeant)) {
      if (entry.end) stored.push(entry.ended);
      else {
        if (!entry.isStored) stored.push(new Promise((resolve) => entry.onStored.push(resolve)));
        const untilMs = (entry.answeredAtMs ?? Number.NEGATIVE_INFINITY) + patienceMs;
        if (untilMs > performance.now()) {
          ending.push(entry.ended);
          entry.isAwaited = true;
          patientUntilMs = Math.max(patientUntilMs, untilMs);
        }
      }
      if (entry.end || !entry.isStored) this.#touch(entry, 0);
    }
    await Promise.all(stored);
    if (ending.length > 0) await isDoneWithin(Promise.all(ending), patientUntilMs - performance.now());
  }

  #count({ status, start, duration_ms }: RunEnd): void {
    const labels = { start: start ?? 'NONE' };
    this.#measures.count('function_runs', { ...labels, outcome: status });
    if (duration_ms !== null) this.#measures.observe('function_run_seconds', labels, duration_ms / 1000);
  }

  #touch(entry: PendingRun, withinMs: number): void {
    const atMs = performance.now() + withinMs;
    this.#waiting.expect(entry, atMs);
    if (atMs >= this.#dueMs) return;
    this.#dueMs = atMs;
    clearTimeout(this.#timer);
    if (withinMs > 0) this.#timer = setTimeout(this.#flush, withinMs);
    else this.#flush();
  }

  /** Flushes one batch at a time: what arrives meanwhile is in the next one. */
  readonly #flush = (): void => {
    if (this.#isWriting) return;
    this.#isWriting = true;
    clearTimeout(this.#timer);
    void this.#sending.sendAll().finally(() => {
      this.#isWriting = false;
      clearTimeout(this.#timer);
      this.#dueMs = this.#waiting.dueMs();
      if (this.#waiting.size === 0) return;
      const leftMs = this.#dueMs - performance.now();
      if (leftMs > 0) this.#timer = setTimeout(this.#flush, leftMs);
      else this.#flush();
    });
  };
}
