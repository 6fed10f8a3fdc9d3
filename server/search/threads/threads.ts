/**
 * The pool of search threads. Every thread knows all functions and reads all segments. A thread is unresponsive while it
 * has a late job and has taken no turn since the job's time: new searches use the others. After a while it is terminated
 * (search-thread.ts).
 * A thread that ended is replaced; until the replacement has loaded all functions, searches use the others too. One thread
 * indexes names; when it is lost or unresponsive, another one does so from the functions it has.
 */
import { availableParallelism } from 'node:os';
import type { Logger } from 'pino';
import type { Entry } from '../entry.ts';
import type { CodeChange, ToSearcher } from '../messages.ts';
import { SearchThread, type ThreadState } from './search-thread.ts';

export type Thread = Pick<SearchThread, 'jobCount' | 'ask'>;
export type Sources = {
  codes: () => CodeChange;
  /** Reads all functions, page by page. */
  entries: (take: (page: Entry[]) => void) => Promise<void>;
  /** A segment was found damaged. */
  onDamaged: (segment: number) => void;
};
export type Threads = {
  start(): void;
  /** Resolves when all of them listen. */
  started(): Promise<unknown>;
  /** Sends it to every thread; resolves when the segments dropped are read no more. */
  sendCodes(change: CodeChange): Promise<void>;
  sendEntries(change: Extract<ToSearcher, { entries: string }>): void;
  /** The threads that know all functions and are responsive; all that know them when none is. */
  serving(): Thread[];
  /** The one of these that indexes names; another one begins to when the one that did can't be used. */
  namesThread(): Thread | undefined;
  /** Resolves when a thread knows all functions, or after `ms`. */
  untilServing(ms: number): Promise<void>;
  jobCount(): number;
  close(): Promise<void>;
};

/** Before the next replacement, when one ended before it had loaded; and before functions are read again. */
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

  /** Starts another thread in the place of one that ended, and loads it. */
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

  /** Sends all functions, then what changed meanwhile. */
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
      // The one before keeps its names: it may be back soon, and building them again takes longer than a search may.
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
