/**
 * The pool of search threads. Every thread has all functions and reads all segments. A thread is unresponsive while it
 * has a late job and has taken no turn since the job's deadline: new searches use the other threads, and after a while
 * it is terminated. A thread that ended is replaced; searches use the others until the replacement has loaded all
 * functions. One thread indexes names. When it is lost or unresponsive, another one indexes the functions that it has.
 */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { Entry } from '../catalogue.ts';
import { type CodeChange, type FromSearcher, type SearcherData, sharedClockMs, type ToSearcher } from '../messages.ts';

export type Thread = Pick<SearchThread, 'jobCount' | 'ask'>;
export type Sources = {
  codes: () => CodeChange;
  /** Reads all functions, page by page. */
  entries: (take: (page: Entry[]) => void) => Promise<void>;
  /** Called when a thread found a segment damaged. */
  onDamaged: (segment: number) => void;
};
export type Threads = {
  start(): void;
  /** Resolves when all threads are ready. */
  started(): Promise<unknown>;
  /** Sends a change to every thread; resolves when no thread reads the dropped segments any more. */
  sendCodes(change: CodeChange): Promise<void>;
  sendEntries(change: Extract<ToSearcher, { entries: string }>): void;
  /** The threads that have all functions and are responsive; if none is responsive, all that have all functions. */
  serving(): Thread[];
  /** The available thread that indexes names; if there is none, another one starts to. */
  namesThread(): Thread | undefined;
  /** Resolves when a thread has all functions, or after `ms`. */
  untilServing(ms: number): Promise<void>;
  jobCount(): number;
  close(): Promise<void>;
};

/** Delay before a thread that ended while loading is replaced, and before functions are read again. */
const RETRY_MS = 1000;
const MOST_THREADS = 4;

export function createThreads(log: Pick<Logger, 'warn' | 'error'>, sources: Sources): Threads {
  const threads: SearchThread[] = [];
  const waiters = new Set<() => void>();
  let isClosed = false;

  function startThread(index: number, state: ThreadState, hasNames: boolean): SearchThread {
    const thread: SearchThread = new SearchThread(state, hasNames, {
      whole() {
        for (const resolve of waiters) resolve();
      },
      damaged: sources.onDamaged,
      ended(lost, before) {
        if (isClosed) return;
        log.warn(lost, 'search thread replaced');
        replace(thread, index, before === 'WHOLE' ? 0 : RETRY_MS);
      },
    });
    return thread;
  }

  /** Starts a thread in place of one that ended, and loads it. */
  function replace(lost: SearchThread, index: number, delayMs: number) {
    const heir = lost.hasNames ? threads.find(({ state }) => state === 'WHOLE') : undefined;
    heir?.giveNames();
    const start = () => {
      if (isClosed) return;
      const thread = startThread(index, 'LOADING', lost.hasNames && !heir);
      threads[index] = thread;
      thread.post(sources.codes());
      void load(thread);
    };
    if (delayMs === 0) start();
    else setTimeout(start, delayMs).unref();
  }

  /** Sends all functions, then the changes made meanwhile. */
  async function load(thread: SearchThread): Promise<void> {
    const page = (entries: Entry[], more: { isMoreToCome: boolean; isLast?: true }) =>
      thread.post({ entries: JSON.stringify(entries), removed: [], ...more });
    try {
      await thread.whileSending(() => sources.entries((entries) => page(entries, { isMoreToCome: true })));
      page([], { isMoreToCome: false, isLast: true });
    } catch (error) {
      log.warn({ err: error }, 'functions could not be read for a search thread, retrying');
      setTimeout(() => {
        if (!isClosed && thread.state === 'LOADING') void load(thread);
      }, RETRY_MS).unref();
    }
  }

  const whole = () => threads.filter(({ state }) => state === 'WHOLE');
  const serving = () => {
    const known = whole();
    const responsive = known.filter(({ isResponsive }) => isResponsive);
    return responsive.length > 0 ? responsive : known;
  };

  return {
    start() {
      if (threads.length > 0) return;
      const most = Math.max(1, Math.min(MOST_THREADS, availableParallelism()));
      for (let index = 0; index < most; index++) threads.push(startThread(index, 'WHOLE', index === 0));
    },
    started: () => Promise.all(threads.map(({ started }) => started)),
    async sendCodes(change) {
      const open = threads.filter(({ state }) => state !== 'ENDED');
      for (const thread of open) thread.post(change);
      await Promise.all(open.flatMap((thread) => change.dropped.map((segment) => thread.whenReleased(segment))));
    },
    sendEntries(change) {
      for (const thread of threads) thread.sendChange(change);
    },
    serving,
    namesThread() {
      const open = serving();
      const [first] = open;
      const found = open.find(({ hasNames }) => hasNames);
      // The unresponsive thread keeps its names: it may recover soon, and a rebuild takes longer than a search may.
      if (!found) first?.giveNames();
      return found ?? first;
    },
    async untilServing(ms) {
      if (isClosed || whole().length > 0) return;
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
/** LOADING: it does not have all functions yet. */
type ThreadState = 'LOADING' | 'WHOLE' | 'ENDED';
type Lost = {
  cause: 'stuck' | 'crashed' | 'exited';
  thread: number;
  jobs_lost: number;
  exit_code: number;
  err?: Error;
};
type Events = {
  /** It has all functions now. */
  whole(): void;
  /** It found a segment damaged. */
  damaged(segment: number): void;
  /** It ended; `state` is the last one. Its jobs are notified afterwards. */
  ended(lost: Lost, state: ThreadState): void;
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
  readonly #jobs = new Map<number, Part>();
  /** By dropped segment: resolves when this thread reads it no more. */
  readonly #releases = new Map<number, () => void>();
  readonly #started = Promise.withResolvers<void>();
  readonly #events: Events;
  /** Changes that arrive while all functions are being sent; they are sent afterwards. */
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

  /** Sends a change of the functions, after all functions if those are being sent. */
  sendChange(change: ToSearcher): void {
    if (this.#later) this.#later.push(change);
    else this.post(change);
  }

  /** Delays changes while `send` sends all functions, as a page may be older than a change. */
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
