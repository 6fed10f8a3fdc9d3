/** The threads that search: what each of them is told, and how their finds become one answer in the right order. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { Entry } from './catalogue.ts';
import { clockMs } from './clock.ts';
import { ALL_ALONE, NOBODY_ALONE } from './codes.ts';
import { type Answer, createFinds } from './finds.ts';
import type { FoundFunction, FromSearcher, Order, ToSearcher } from './messages.ts';
import type { CodeChange } from './places.ts';
import { createProgress } from './progress.ts';
import { RegexError } from './regex-error.ts';

export type SearchWays = {
  /** Nobody waits for the answer any more: the threads stop. */
  signal?: AbortSignal | undefined;
  /** Something was found; `look` tells the best so far, in their order. */
  onFound?: ((look: () => FoundFunction[]) => void) | undefined;
};
export type Searchers = {
  start(): void;
  /** Resolves when all of them listen. */
  started(): Promise<unknown>;
  /** Resolves when the segments dropped are read no more. */
  tellCodes(change: CodeChange): Promise<void>;
  tellEntries(entries: Entry[], removed: string[], isMoreToCome?: boolean): void;
  search(order: Order, ways?: SearchWays): Promise<Answer>;
  /** Searches that threads are at, or that wait for one. */
  going(): number;
  close(): Promise<void>;
};

/** How late the threads may be before they are answered for, and before they are replaced. */
const LATE_MS = 30;
const STUCK_MS = 3000;
const MOST_SEARCHERS = 4;
const WORDS_SEARCHER = 0;

type Thread = {
  worker: Worker;
  started: PromiseWithResolvers<void>;
  /** False while one that stands for another is told what there is. */
  isWhole: boolean;
  jobs: Map<number, Waiting>;
  holds: Map<number, () => void>;
};
type Waiting = {
  found(found: FoundFunction[]): void;
  takesLong(aloneTo: number): void;
  end(end: Extract<FromSearcher, { end: unknown }>): void;
};
type Asked = Extract<ToSearcher, { job: number }>;
type Sources = {
  codes: () => CodeChange;
  entries: () => Promise<Entry[]> | Entry[];
  /** A segment was found damaged. */
  onDamaged: (segment: number) => void;
};

export function createSearchers(log: Pick<Logger, 'warn' | 'error'>, whole: Sources): Searchers {
  const threads: Thread[] = [];
  let count = 0;
  /** How often threads were told what changed. */
  let changes = 0;
  let isClosed = false;

  function start(index: number, isWhole = true): Thread {
    const worker = new Worker(new URL('searcher.ts', import.meta.url), {
      name: 'searcher',
      workerData: { names: index === WORDS_SEARCHER },
      trackUnmanagedFds: false,
    });
    worker.unref();
    const started = Promise.withResolvers<void>();
    const thread: Thread = { worker, started, isWhole, jobs: new Map(), holds: new Map() };
    worker.on('message', (message: FromSearcher) => {
      if ('started' in message) started.resolve();
      else if ('released' in message) for (const id of message.released) letGo(thread, id);
      else if ('damaged' in message) whole.onDamaged(message.damaged);
      else if ('aloneTo' in message) thread.jobs.get(message.job)?.takesLong(message.aloneTo);
      else if ('found' in message) thread.jobs.get(message.job)?.found(message.found);
      else thread.jobs.get(message.job)?.end(message);
    });
    worker.on('error', (error) => log.error({ err: error }, 'search: a thread failed'));
    worker.on('exit', () => {
      started.resolve();
      for (const id of [...thread.holds.keys()]) letGo(thread, id);
      for (const [job, waiting] of thread.jobs) waiting.end({ job, end: 'STOPPED' });
      if (!isClosed && threads[index] === thread) void replace(index);
    });
    return thread;
  }

  async function replace(index: number) {
    const thread = start(index, false);
    threads[index] = thread;
    send(thread, whole.codes());
    send(thread, { entries: JSON.stringify(await whole.entries()), removed: [], isMoreToCome: false });
    thread.isWhole = true;
  }

  const send = (thread: Thread, message: ToSearcher) => thread.worker.postMessage(message);

  /** Of several the same one, as V8 compiles for each thread what it runs often. */
  const leastBusy = () =>
    threads.reduce((best, { jobs }, at) => (jobs.size < (threads[best]?.jobs.size ?? 0) ? at : best), 0);

  function letGo(thread: Thread, id: number) {
    thread.holds.get(id)?.();
    thread.holds.delete(id);
  }

  return {
    start() {
      if (threads.length > 0) return;
      const most = Math.max(1, Math.min(MOST_SEARCHERS, availableParallelism()));
      for (let index = 0; index < most; index++) threads.push(start(index));
    },
    started: () => Promise.all(threads.map(({ started }) => started.promise)),
    async tellCodes(change) {
      changes += 1;
      for (const thread of threads) send(thread, change);
      const all = threads.flatMap((thread) =>
        change.dropped.map((id) => new Promise<void>((resolve) => thread.holds.set(id, resolve))),
      );
      await Promise.all(all);
    },
    tellEntries(entries, removed, isMoreToCome = false) {
      changes += 1;
      const message = { entries: JSON.stringify(entries), removed, isMoreToCome };
      for (const thread of threads) send(thread, message);
    },
    going: () => threads.reduce((sum, { jobs }) => sum + jobs.size, 0),
    search: (order, ways = {}) => begin(order, ways, isLight(order) ? ALL_ALONE : NOBODY_ALONE),
    async close() {
      isClosed = true;
      await Promise.all(threads.map(({ worker }) => worker.terminate()));
    },
  };

  async function begin(order: Order, ways: SearchWays, alone = NOBODY_ALONE): Promise<Answer> {
    const { signal, onFound } = ways;
    if (signal?.aborted) return { found: [], truncated: true, isWhole: false };
    const job = ++count;
    const isOfWords = !('code' in order);
    const first = isOfWords ? WORDS_SEARCHER : leastBusy();
    const asked = isOfWords ? threads.slice(first, first + 1) : [...threads.slice(first), ...threads.slice(0, first)];
    const progress = createProgress(asked.length, order.limit);
    const finds = createFinds(order.limit, progress);
    const before = changes;
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    let isWhole = asked.every((thread) => thread.isWhole);
    let open = 0;
    let begun = 0;
    let isOver = false;

    const end = () => {
      isOver = true;
      clearTimeout(late);
      signal?.removeEventListener('abort', stop);
    };
    const answer = () => {
      end();
      resolve(finds.answer(isWhole));
    };
    const stop = () => {
      progress.stop();
      isWhole = false;
      answer();
    };
    const startAnew = () => {
      end();
      progress.stop();
      resolve(begin(order, ways));
    };
    const waiting: Waiting = {
      found(more) {
        finds.add(more);
        onFound?.(finds.best);
      },
      takesLong(aloneTo) {
        if (isOver) return;
        // All of them choose from what they were told, and the others were told more; or one isn't there any more.
        if (changes !== before || !asked.every((each) => threads.includes(each))) return startAnew();
        for (const share of asked.keys()) if (share > 0) take(share, aloneTo);
      },
      end({ end: how, rest = [], reason, position }) {
        if (isOver) return;
        if (rest.length > 0) this.found(rest);
        if (how === 'FAILED') log.error({ reason }, 'search: a search failed');
        if (how !== 'ALL') isWhole = false;
        open -= 1;
        if (how === 'INVALID') {
          end();
          reject(new RegexError(reason ?? '', position ?? 0));
        } else if (open === 0) answer();
      },
    };
    const take = (share: number, aloneTo: number) => {
      open += 1;
      begun += 1;
      const part = { share, shares: asked.length, alone: aloneTo };
      const message = { job, order, progress: progress.memory, share: part };
      ask(asked[share] as Thread, message, () => progress.begun() >= begun, waiting);
    };

    const late = setTimeout(stop, order.untilMs - clockMs() + LATE_MS);
    signal?.addEventListener('abort', stop);
    for (const share of asked.keys()) if (share === 0 || alone === NOBODY_ALONE) take(share, alone);
    return promise;
  }

  /** Gives a thread its part of a search; one that has begun and doesn't come back is replaced. */
  function ask(thread: Thread, message: Asked, hasBegun: () => boolean, waiting: Waiting) {
    const { job, order } = message;
    // One that is still taking in what changed hasn't begun, and isn't stuck.
    const replaceStuck = () => void (hasBegun() ? thread.worker.terminate() : stuck.refresh());
    const stuck = setTimeout(replaceStuck, order.untilMs - clockMs() + STUCK_MS).unref();
    thread.jobs.set(job, {
      ...waiting,
      end(end) {
        clearTimeout(stuck);
        thread.jobs.delete(job);
        waiting.end(end);
      },
    });
    send(thread, message);
  }
}

/** Whether it costs hardly anything to choose what to look at, and that is mostly little. */
const isLight = (order: Order) => 'code' in order && order.code.mode === 'literal' && !order.history;
