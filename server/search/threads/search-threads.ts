/**
 * The pool of search threads. Every thread reads the functions in shared memory, and all segments. A thread is
 * unresponsive while it has a late job and has taken no turn since the job's deadline: new searches use the other
 * threads, and after a while it is terminated. A thread that ended is replaced by one that has all functions at once.
 * One thread indexes names. When it is lost or unresponsive, another one indexes the functions.
 */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { type CodeChange, type FromSearcher, type SearcherData, sharedClockMs, type ToSearcher } from '../messages.ts';
import type { TableChange } from '../table/function-table.ts';

export type Thread = Pick<SearchThread, 'jobCount' | 'ask'>;
export type Sources = {
  codes: () => CodeChange;
  /** All functions. */
  functions: () => TableChange;
  /** Called when a thread found a segment damaged. */
  onDamaged: (segment: number) => void;
};
export type Threads = {
  start(): void;
  /** Resolves when all threads are ready. */
  started(): Promise<unknown>;
  /** Sends a change to every thread; resolves when no thread reads the dropped segments any more. */
  sendCodes(change: CodeChange): Promise<void>;
  sendFunctions(change: Extract<ToSearcher, { functions: unknown }>): void;
  /** The last change of the functions since which every thread has begun all searches that it runs. */
  released(): number;
  /** The threads that are ready and responsive; if none is, those that are ready, or all. */
  serving(): Thread[];
  /** The available thread that indexes names; if there is none, another one starts to. */
  namesThread(): Thread | undefined;
  /** Resolves when there is a thread, or after `ms`. */
  untilServing(ms: number): Promise<void>;
  jobCount(): number;
  close(): Promise<void>;
};

/** A thread that ended sooner than this is replaced after this time: the next one may end as well. */
const RETRY_MS = 1000;
const MOST_THREADS = 4;

export function createThreads(log: Pick<Logger, 'warn' | 'error'>, sources: Sources): Threads {
  const threads: SearchThread[] = [];
  const waiters = new Set<() => void>();
  let isClosed = false;

  function startThread(index: number, hasNames: boolean): SearchThread {
    const functions = sources.functions();
    const thread: SearchThread = new SearchThread(hasNames, functions.number, {
      damaged: sources.onDamaged,
      ended(lost, livedMs) {
        if (isClosed) return;
        log.warn(lost, 'search thread replaced');
        if (livedMs > RETRY_MS) replace(thread, index);
        else setTimeout(replace, RETRY_MS, thread, index).unref();
      },
    });
    thread.post(sources.codes());
    thread.post({ functions, isMoreToCome: false });
    return thread;
  }

  function replace(lost: SearchThread, index: number) {
    if (isClosed) return;
    const heir = lost.hasNames ? serving()[0] : undefined;
    heir?.giveNames();
    threads[index] = startThread(index, lost.hasNames && !heir);
    for (const resolve of waiters) resolve();
  }

  const open = () => threads.filter(({ hasEnded }) => !hasEnded);
  const serving = () => {
    // One that was just started has to read the order of all functions first.
    const started = open().filter(({ hasStarted }) => hasStarted);
    const known = started.length > 0 ? started : open();
    const responsive = known.filter(({ isResponsive }) => isResponsive);
    return responsive.length > 0 ? responsive : known;
  };

  return {
    start() {
      if (threads.length > 0) return;
      const most = Math.max(1, Math.min(MOST_THREADS, availableParallelism()));
      for (let index = 0; index < most; index++) threads.push(startThread(index, index === 0));
    },
    started: () => Promise.all(threads.map(({ started }) => started)),
    async sendCodes(change) {
      const asked = open();
      for (const thread of asked) thread.post(change);
      await Promise.all(asked.flatMap((thread) => change.dropped.map((segment) => thread.whenReleased(segment))));
    },
    sendFunctions(change) {
      for (const thread of open()) thread.post(change);
    },
    released: () => open().reduce((least, { released }) => Math.min(least, released), Number.POSITIVE_INFINITY),
    serving,
    namesThread() {
      const known = serving();
      const [first] = known;
      const found = known.find(({ hasNames }) => hasNames);
      // The unresponsive thread keeps its names: it may recover soon, and a rebuild takes longer than a search may.
      if (!found) first?.giveNames();
      return found ?? first;
    },
    async untilServing(ms) {
      if (isClosed || open().length > 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, Math.max(0, ms));
      waiters.add(resolve);
      await promise;
      clearTimeout(timer);
      waiters.delete(resolve);
    },
    jobCount: () => threads.reduce((sum, { jobCount }) => sum + jobCount, 0),
    async close() {
      isClosed = true;
      for (const resolve of waiters) resolve();
      await Promise.all(threads.map((thread) => thread.terminate()));
    },
  };
}

/** Receives the results of one thread. */
export type SearchListener = {
  found(message: Extract<FromSearcher, { found: unknown }>['found']): void;
  takesLong(aloneTo: number): void;
  end(end: Extract<FromSearcher, { end: unknown }>): void;
  /** The thread was lost. */
  lost(): void;
};
type JobMessage = Extract<ToSearcher, { job: number }>;
type Lost = {
  cause: 'stuck' | 'crashed' | 'exited';
  thread: number;
  jobs_lost: number;
  exit_code: number;
  err?: Error;
};
type Events = {
  /** It found a segment damaged. */
  damaged(segment: number): void;
  /** It ended, this long after it was started. Its jobs are notified afterwards. */
  ended(lost: Lost, livedMs: number): void;
};

/** An unresponsive thread is terminated after this time. */
const STUCK_MS = 3000;
/** Factor for a thread that has not begun the late job: it may be applying changes. */
const LOADING_LOOKS = 10;

/** `turnsThen`: the thread's turns at the job's deadline, or at the last check. */
type Part = SearchListener & { turnsThen?: number };

/** One search thread: its jobs, and whether it is responsive. */
class SearchThread {
  readonly #worker: Worker;
  readonly #turns = new Int32Array(new SharedArrayBuffer(4));
  readonly #released = new Int32Array(new SharedArrayBuffer(4));
  readonly #jobs = new Map<number, Part>();
  /** By dropped segment: resolves when this thread reads it no more. */
  readonly #releases = new Map<number, () => void>();
  readonly #started = Promise.withResolvers<void>();
  readonly #events: Events;
  readonly #startMs = performance.now();
  #hasStarted = false;
  #hasEnded = false;
  #hasNames: boolean;
  #end: Pick<Lost, 'cause' | 'err'> = { cause: 'exited' };

  /** `number`: the change of the functions with which it begins. */
  constructor(hasNames: boolean, number: number, events: Events) {
    this.#released[0] = number;
    this.#hasNames = hasNames;
    this.#events = events;
    this.#worker = new Worker(new URL('searcher.ts', import.meta.url), {
      name: 'searcher',
      workerData: { hasNames, turns: this.#turns, released: this.#released } satisfies SearcherData,
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

  /** Whether it has all functions. */
  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** The last change of the functions since which it has begun all searches that it runs. */
  get released(): number {
    return Atomics.load(this.#released, 0);
  }

  /** Resolves when the thread is ready, or has ended. */
  get started(): Promise<void> {
    return this.#started.promise;
  }

  get hasNames(): boolean {
    return this.#hasNames;
  }

  get jobCount(): number {
    return this.#jobs.size;
  }

  /** Whether it has taken a turn since the deadline of each late job. */
  get isResponsive(): boolean {
    const now = Atomics.load(this.#turns, 0);
    for (const { turnsThen } of this.#jobs.values()) if (turnsThen === now) return false;
    return true;
  }

  /** Makes this thread index names. */
  giveNames(): void {
    this.#hasNames = true;
    this.post({ names: true });
  }

  /** `hasBegun`: whether the thread has begun this job. */
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

  async terminate(): Promise<void> {
    await this.#worker.terminate();
  }

  #take(message: FromSearcher): void {
    if ('started' in message) this.#start();
    else if ('released' in message) for (const id of message.released) this.#release(id);
    else if ('damaged' in message) this.#events.damaged(message.damaged);
    else if ('aloneTo' in message) this.#jobs.get(message.job)?.takesLong(message.aloneTo);
    else if ('found' in message) this.#jobs.get(message.job)?.found(message.found);
    else this.#jobs.get(message.job)?.end(message);
  }

  #start(): void {
    this.#hasStarted = true;
    this.#started.resolve();
  }

  #onExit(thread: number, exit_code: number): void {
    this.#hasEnded = true;
    this.#started.resolve();
    for (const segment of [...this.#releases.keys()]) this.#release(segment);
    this.#events.ended(
      { ...this.#end, thread, jobs_lost: this.#jobs.size, exit_code },
      performance.now() - this.#startMs,
    );
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
