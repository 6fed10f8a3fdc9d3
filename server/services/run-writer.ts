/**
 * Runs on their way to the database: what all that go on here have to say gathers for a moment and leaves together, in
 * one statement at a time (store/run-batch.ts). A run that is over before its beginning has left is stored once, as a
 * whole. Calls don't wait for it; whoever reads runs on this node sees what has begun (`settle`), and a run that is over
 * is told to live readers once it is stored. What the database doesn't take is tried again for a while, and while very
 * much waits no new runs begin (`isFull`).
 */
import type { LogLine } from '../runtime/run-log.ts';
import type { RunEnd } from '../store/run-batch.ts';
import type { Db } from '../store/schema.ts';
import type { Services } from './context.ts';
import { newEntry, type RunEntry, type RunKey } from './run-entry.ts';
import { RunSending } from './run-sending.ts';
import { WaitingRuns } from './waiting-runs.ts';

/** A run as it is written. */
export type RunPen = {
  add(line: LogLine): void;
  /** Writes the last lines and the end, soon when it `isAwaited`. Resolves when they are stored, or were given up. */
  end(end: RunEnd, isAwaited: boolean): Promise<void>;
};

/** A run that goes on is there this much later at most; whoever follows the log sees a line so late. */
const BEGIN_MS = 20;
const LINE_MS = 50;
/** The end of a run waits so long for company, and less where somebody waits for the record. */
const END_MS = 20;
const AWAITED_MS = 3;
/** So many lines don't wait for the clock. */
const MANY_LINES = 2000;

/** By database, as each service of a process has its own. */
const writers = new WeakMap<Db, Writer>();

export function runWriter(services: Pick<Services, 'db' | 'log' | 'live'>): Writer {
  const writer = writers.get(services.db) ?? new Writer(services);
  writers.set(services.db, writer);
  return writer;
}

/** Until the runs of this node that are meant, and have begun, can be read. */
export async function settleRuns(db: Db, isMeant: (key: RunKey) => boolean): Promise<void> {
  await writers.get(db)?.settle(isMeant);
}

class Writer {
  readonly #waiting = new WaitingRuns();
  readonly #sending: RunSending;
  #timer: NodeJS.Timeout | undefined;
  /** When the timer goes off. */
  #dueMs = Number.POSITIVE_INFINITY;
  #isWriting = false;

  constructor(services: Pick<Services, 'db' | 'log' | 'live'>) {
    this.#sending = new RunSending(services, this.#waiting);
  }

  isFull(): boolean {
    return this.#waiting.isFull;
  }

  begin(key: RunKey, version: number, begun: RunEntry['begun']): RunPen {
    const ended = Promise.withResolvers<void>();
    const entry = newEntry(key, version, begun, ended.resolve);
    const waiting = this.#waiting;
    waiting.mark(entry, 'START', Date.now());
    waiting.open(entry);
    this.#touch(entry, BEGIN_MS);
    return {
      add: (line) => {
        waiting.say(entry, line);
        this.#touch(entry, waiting.lines >= MANY_LINES ? 0 : LINE_MS);
      },
      end: (end, isAwaited) => {
        waiting.finish(entry, end);
        this.#touch(entry, isAwaited ? AWAITED_MS : END_MS);
        return ended.promise;
      },
    };
  }

  async settle(isMeant: (key: RunKey) => boolean): Promise<void> {
    const waits: Promise<void>[] = [];
    for (const entry of this.#waiting.unknown(isMeant)) {
      waits.push(new Promise((told) => entry.onStored.push(told)));
      this.#touch(entry, 0);
    }
    await Promise.all(waits);
  }

  #touch(entry: RunEntry, withinMs: number): void {
    const atMs = performance.now() + withinMs;
    this.#waiting.expect(entry, atMs);
    if (atMs >= this.#dueMs) return;
    this.#dueMs = atMs;
    clearTimeout(this.#timer);
    if (withinMs > 0) this.#timer = setTimeout(this.#flush, withinMs);
    else this.#flush();
  }

  /** One batch at a time: what comes meanwhile gathers for the next. */
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
