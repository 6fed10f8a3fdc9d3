/** One search thread: its jobs, and whether it still takes turns. */
import { Worker } from 'node:worker_threads';
import type { FromSearcher, SearcherData, ToSearcher } from '../messages.ts';
import { sharedClockMs } from '../shared-clock.ts';

/** What a search waits for from one thread. */
export type SearchListener = {
  found(message: Extract<FromSearcher, { found: unknown }>['found']): void;
  takesLong(aloneTo: number): void;
  end(end: Extract<FromSearcher, { end: unknown }>): void;
  /** The thread was lost. */
  lost(): void;
};
export type JobMessage = Extract<ToSearcher, { job: number }>;
/** LOADING: it does not know all functions yet. */
export type ThreadState = 'LOADING' | 'WHOLE' | 'ENDED';
export type Lost = {
  cause: 'stuck' | 'crashed' | 'exited';
  thread: number;
  jobs_lost: number;
  exit_code: number;
  err?: Error;
};
type Events = {
  /** It knows all functions now. */
  whole(): void;
  /** A segment was found damaged. */
  damaged(segment: number): void;
  /** `state` is what it was in. Its jobs are notified afterwards. */
  ended(lost: Lost, state: ThreadState): void;
};

/** An unresponsive thread is terminated after so long. */
const STUCK_MS = 3000;
/** As many times longer when it has not begun with the late job: it may be loading what changed. */
const LOADING_LOOKS = 10;

/** `turnsThen`: how many turns the thread had taken when the job's time was up, or when that was last looked at. */
type Part = SearchListener & { turnsThen?: number };

export class SearchThread {
  readonly #worker: Worker;
  readonly #turns = new Int32Array(new SharedArrayBuffer(4));
  readonly #jobs = new Map<number, Part>();
  /** By dropped segment: who waits until this thread reads it no more. */
  readonly #releases = new Map<number, () => void>();
  readonly #started = Promise.withResolvers<void>();
  readonly #events: Events;
  /** Changes that came while all functions are being sent; they follow after them. */
  #later: ToSearcher[] | undefined;
  #state: ThreadState;
  #hasNames: boolean;
  #end: Pick<Lost, 'cause' | 'err'> = { cause: 'exited' };

  constructor(state: ThreadState, hasNames: boolean, events: Events) {
    this.#state = state;
    this.#hasNames = hasNames;
    this.#events = events;
    this.#worker = new Worker(new URL('searcher.ts', import.meta.url), {
      name: 'searcher',
      workerData: { hasNames, turns: this.#turns } satisfies SearcherData,
      trackUnmanagedFds: false,
    });
    this.#worker.unref();
    const id = this.#worker.threadId;
    this.#worker.on('message', (message: FromSearcher) => this.#take(message));
    this.#worker.on('error', (err: Error) => {
      this.#end = { cause: 'crashed', err };
    });
    this.#worker.on('exit', (exitCode) => this.#onExit(id, exitCode));
  }

  get state(): ThreadState {
    return this.#state;
  }

  /** Resolves when it listens, or has ended. */
  get started(): Promise<void> {
    return this.#started.promise;
  }

  get hasNames(): boolean {
    return this.#hasNames;
  }

  get jobCount(): number {
    return this.#jobs.size;
  }

  /** Whether it has taken a turn since the time of each of its late jobs. */
  get isResponsive(): boolean {
    const now = Atomics.load(this.#turns, 0);
    for (const { turnsThen } of this.#jobs.values()) if (turnsThen === now) return false;
    return true;
  }

  /** Makes it the thread that indexes names. */
  giveNames(): void {
    this.#hasNames = true;
    this.post({ names: true });
  }

  /** `hasBegun`: whether the thread has begun with this job. */
  ask(message: JobMessage, hasBegun: () => boolean, waiting: SearchListener): void {
    const settle = () => {
      unwatch();
      this.#jobs.delete(message.job);
    };
    const part: Part = {
      found: (more) => waiting.found(more),
      takesLong: (aloneTo) => waiting.takesLong(aloneTo),
      end(end) {
        settle();
        waiting.end(end);
      },
      lost() {
        settle();
        waiting.lost();
      },
    };
    const unwatch = this.#watch(part, message.order.untilMs, hasBegun);
    this.#jobs.set(message.job, part);
    this.post(message);
  }

  post(message: ToSearcher): void {
    this.#worker.postMessage(message);
  }

  /** Resolves when the thread reads the segment no more. */
  whenReleased(segment: number): Promise<void> {
    return new Promise((resolve) => this.#releases.set(segment, resolve));
  }

  /** A change of the functions; behind all of them while they are being sent. */
  sendChange(change: ToSearcher): void {
    if (this.#later) this.#later.push(change);
    else this.post(change);
  }

  /** Holds changes back while `send` sends all functions, as a page may be older than a change. */
  async whileSending(send: () => Promise<void>): Promise<void> {
    this.#later = [];
    try {
      await send();
    } finally {
      for (const message of this.#later) this.post(message);
      this.#later = undefined;
    }
  }

  async terminate(): Promise<void> {
    await this.#worker.terminate();
  }

  #take(message: FromSearcher): void {
    if ('started' in message) this.#started.resolve();
    else if ('loaded' in message) this.#becomeWhole();
    else if ('released' in message) for (const id of message.released) this.#release(id);
    else if ('damaged' in message) this.#events.damaged(message.damaged);
    else if ('aloneTo' in message) this.#jobs.get(message.job)?.takesLong(message.aloneTo);
    else if ('found' in message) this.#jobs.get(message.job)?.found(message.found);
    else this.#jobs.get(message.job)?.end(message);
  }

  #becomeWhole(): void {
    if (this.#state !== 'LOADING') return;
    this.#state = 'WHOLE';
    this.#events.whole();
  }

  #onExit(thread: number, exit_code: number): void {
    const before = this.#state;
    this.#state = 'ENDED';
    this.#started.resolve();
    for (const segment of [...this.#releases.keys()]) this.#release(segment);
    this.#events.ended({ ...this.#end, thread, jobs_lost: this.#jobs.size, exit_code }, before);
    for (const job of [...this.#jobs.values()]) job.lost();
  }

  #release(segment: number): void {
    this.#releases.get(segment)?.();
    this.#releases.delete(segment);
  }

  /** Terminates the thread when it takes no turn for STUCK_MS after the time of a job; returns how to stop watching. */
  #watch(part: Part, untilMs: number, hasBegun: () => boolean): () => void {
    let looks = 0;
    const look = () => {
      const now = Atomics.load(this.#turns, 0);
      looks = part.turnsThen === now ? looks + 1 : 0;
      if (looks >= (hasBegun() ? 1 : LOADING_LOOKS)) {
        if (this.#end.cause === 'exited') this.#end = { cause: 'stuck' };
        void this.#worker.terminate();
        return;
      }
      part.turnsThen = now;
      timer = setTimeout(look, STUCK_MS).unref();
    };
    let timer = setTimeout(look, Math.max(0, untilMs - sharedClockMs())).unref();
    return () => clearTimeout(timer);
  }
}
