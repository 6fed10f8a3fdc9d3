/** The threads that search: what each of them is told, and how their finds become one answer in the right order. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { Entry } from './catalogue.ts';
import { clockMs } from './clock.ts';
import { ALL_ALONE, NOBODY_ALONE } from './codes.ts';
import type { FoundFunction, FromSearcher, Order, ToSearcher } from './messages.ts';
import type { CodeChange } from './places.ts';
import { createProgress } from './progress.ts';
import { RegexError } from './regex-error.ts';

/** `isWhole`: nothing was left out for want of time, memory or a thread. */
export type Answer = { found: FoundFunction[]; truncated: boolean; isWhole: boolean };
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
    search(order, { signal, onFound } = {}) {
      return isLight(order) ? begin(order, { signal, onFound }, ALL_ALONE) : begin(order, { signal, onFound });
    },
    async close() {
      isClosed = true;
      await Promise.all(threads.map(({ worker }) => worker.terminate()));
    },
  };

  function begin(order: Order, { signal, onFound }: SearchWays, alone = NOBODY_ALONE): Promise<Answer> {
    const job = ++count;
    const isOfWords = !('code' in order);
    // Whoever is alone at one is another one for the next.
    const first = isOfWords ? WORDS_SEARCHER : job % threads.length;
    const asked = isOfWords ? threads.slice(first, first + 1) : [...threads.slice(first), ...threads.slice(0, first)];
    const progress = createProgress(asked.length, order.limit);
    const found: FoundFunction[] = [];
    const before = changes;
    let truncated = asked.some(({ isWhole }) => !isWhole);
    return new Promise<Answer>((resolve, reject) => {
      let open = 0;
      let begun = 0;
      let isOver = false;
      if (signal?.aborted) return resolve({ found: [], truncated: true, isWhole: false });
      const best = () => {
        const last = progress.lastPlace();
        return found.filter(({ place }) => place <= last).sort((a, b) => a.place - b.place);
      };
      const look = () => best().slice(0, order.limit);
      const answer = () => {
        isOver = true;
        clearTimeout(late);
        signal?.removeEventListener('abort', stop);
        const whole = best();
        const isMore = whole.length > order.limit;
        resolve({ found: whole.slice(0, order.limit), truncated: truncated || isMore, isWhole: !truncated });
      };
      const stop = () => {
        progress.stop();
        truncated = true;
        answer();
      };
      const startAnew = () => {
        isOver = true;
        progress.stop();
        clearTimeout(late);
        signal?.removeEventListener('abort', stop);
        resolve(begin(order, { signal, onFound }));
      };
      signal?.addEventListener('abort', stop);
      const late = setTimeout(stop, order.untilMs - clockMs() + LATE_MS);
      const ask = (share: number, thread: Thread, alone: number) => {
        open += 1;
        begun += 1;
        // One that is still taking in what changed hasn't begun, and isn't stuck.
        const replaceStuck = () => {
          if (progress.begun() < begun) stuck.refresh();
          else void thread.worker.terminate();
        };
        const stuck = setTimeout(replaceStuck, order.untilMs - clockMs() + STUCK_MS).unref();
        thread.jobs.set(job, {
          found(more) {
            found.push(...more);
            if (found.length > order.limit) {
              found.sort((a, b) => a.place - b.place);
              found.length = order.limit + 1;
              // Nobody needs to look behind the last one of these.
              progress.endAt(found[order.limit]?.place ?? 0);
            }
            onFound?.(look);
          },
          takesLong(aloneTo) {
            if (isOver) return;
            // All of them choose from what they were told, and the others were told more; or one isn't there any more.
            if (changes !== before || !asked.every((each) => threads.includes(each))) return startAnew();
            for (const [share, thread] of asked.entries()) if (share > 0) ask(share, thread, aloneTo);
          },
          end({ end, rest = [], reason, position }) {
            clearTimeout(stuck);
            thread.jobs.delete(job);
            if (isOver) return;
            if (rest.length > 0) this.found(rest);
            if (end === 'INVALID') reject(new RegexError(reason ?? '', position ?? 0));
            if (end === 'FAILED') log.error({ reason }, 'search: a search failed');
            if (end !== 'ALL') truncated = true;
            if (--open === 0) answer();
          },
        });
        const part = { share, shares: asked.length, alone };
        send(thread, { job, order, progress: progress.memory, share: part });
      };
      for (const [share, thread] of asked.entries())
        if (share === 0 || alone === NOBODY_ALONE) ask(share, thread, alone);
    });
  }
}

/** Whether it costs hardly anything to choose what to look at, and that is mostly little. */
const isLight = (order: Order) => 'code' in order && order.code.mode === 'literal' && !order.history;
