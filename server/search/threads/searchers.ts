/**
 * Searches on the pool of threads: which threads a search uses, the parts they have of it, and how their finds become
 * one answer in the order of the functions.
 */
import type { Logger } from 'pino';
import type { Entry } from '../catalogue.ts';
import {
  ALL_ALONE,
  type CodeChange,
  createProgress,
  type FoundFunction,
  type FromSearcher,
  NONE_ALONE,
  type Order,
  type Progress,
  sharedClockMs,
} from '../messages.ts';
import { RegexError } from '../query/regex.ts';
import { createThreads, type SearchListener, type Sources, type Thread } from './search-threads.ts';

export type Searchers = {
  start(): void;
  /** Resolves when all of them listen. */
  started(): Promise<unknown>;
  /** Resolves when the segments dropped are read no more. */
  sendCodes(change: CodeChange): Promise<void>;
  sendEntries(entries: Entry[], removed: string[], isMoreToCome?: boolean): void;
  search(order: Order, ways?: SearchWays): Promise<Answer>;
  /** Searches that threads are at, or that wait for one. */
  going(): number;
  close(): Promise<void>;
};

export function createSearchers(log: Pick<Logger, 'warn' | 'error'>, sources: Sources): Searchers {
  const threads = createThreads(log, sources);
  let count = 0;
  /** Number of changes sent to threads. */
  let changes = 0;

  /** Of several the same one, as V8 compiles for each thread what it runs often. */
  const leastBusy = (serving: Thread[]) =>
    serving.reduce((best, { jobCount }, at) => (jobCount < (serving[best]?.jobCount ?? 0) ? at : best), 0);

  /** The threads to ask, the first one first. A search for words has one thread: names are indexed in one only. */
  function chooseThreads(order: Order): Thread[] {
    const serving = threads.serving();
    if (!('code' in order)) return [threads.namesThread()].filter((thread) => thread !== undefined);
    const first = leastBusy(serving);
    return [...serving.slice(first), ...serving.slice(0, first)];
  }

  return {
    start: threads.start,
    started: threads.started,
    sendCodes(change) {
      changes += 1;
      return threads.sendCodes(change);
    },
    sendEntries(entries, removed, isMoreToCome = false) {
      changes += 1;
      threads.sendEntries({ entries: JSON.stringify(entries), removed, isMoreToCome });
    },
    going: threads.jobCount,
    search: (order, ways = {}) => begin(order, ways, { alone: isLight(order) ? ALL_ALONE : NONE_ALONE }),
    close: threads.close,
  };

  async function begin(order: Order, ways: SearchWays, { alone, isRepeated = false }: Begin): Promise<Answer> {
    // Only while every thread is being replaced.
    if (threads.serving().length === 0) await threads.untilServing(order.untilMs - sharedClockMs());
    const asked = chooseThreads(order);
    if (ways.signal?.aborted || asked.length === 0) return { found: [], truncated: true, isWhole: false };
    const before = changes;
    const isOutdated = () => {
      const serving = threads.serving();
      return changes !== before || !asked.every((each) => serving.includes(each));
    };
    const run = new SearchRun({
      job: ++count,
      order,
      ways,
      asked,
      isOutdated,
      isRepeated,
      again: (repeated) => begin(order, ways, { alone: NONE_ALONE, isRepeated: repeated }),
      onFailure: (reason) => log.error({ reason }, 'search: a search failed'),
    });
    return run.begin(alone);
  }
}

/** `isRepeated`: a thread was lost the first time. */
type Begin = { alone: number; isRepeated?: boolean };

/** Whether it costs hardly anything to choose what to look at, and that is mostly little. */
const isLight = (order: Order) => 'code' in order && order.code.mode === 'literal' && !order.history;

/** What a caller of a search may want beside its answer. */
export type SearchWays = {
  /** No caller waits for the answer any more: the threads stop. */
  signal?: AbortSignal | undefined;
  /** Something was found; `look` shows the best so far, in their order. */
  onFound?: ((look: () => FoundFunction[]) => void) | undefined;
};

type Setting = {
  job: number;
  order: Order;
  ways: SearchWays;
  /** The threads that take part, the first one first. */
  asked: Thread[];
  /** Whether the threads got changes since, or one of those asked can't be used any more. */
  isOutdated: () => boolean;
  /** A thread was lost the first time. */
  isRepeated: boolean;
  again: (isRepeated: boolean) => Promise<Answer>;
  onFailure: (reason: string | undefined) => void;
};

/** How late the threads may be before a search ends with what there is. */
const LATE_MS = 30;

/** One search in progress: the parts that threads have of it, and the answer that they become. */
class SearchRun implements SearchListener {
  readonly #setting: Setting;
  readonly #progress: Progress;
  readonly #finds: ResultCollector;
  readonly #answer = Promise.withResolvers<Answer>();
  #late: NodeJS.Timeout | undefined;
  #isWhole = true;
  /** Parts that threads are at, and parts that were ever given out. */
  #open = 0;
  #begun = 0;
  #isOver = false;

  constructor(setting: Setting) {
    const { asked, order } = setting;
    this.#setting = setting;
    this.#progress = createProgress(asked.length, order.limit);
    this.#finds = createResultCollector(order.limit, this.#progress);
  }

  /** Up to the place `alone` the first thread searches alone. Rejects with RegexError. */
  begin(alone: number): Promise<Answer> {
    const { order, ways, asked } = this.#setting;
    this.#late = setTimeout(this.#stop, order.untilMs - sharedClockMs() + LATE_MS);
    ways.signal?.addEventListener('abort', this.#stop);
    for (const share of asked.keys()) if (share === 0 || alone === NONE_ALONE) this.#take(share, alone);
    return this.#answer.promise;
  }

  found(more: FoundFunction[]): void {
    this.#finds.add(more);
    this.#setting.ways.onFound?.(this.#finds.best);
  }

  takesLong(aloneTo: number): void {
    if (this.#isOver) return;
    const { asked, isOutdated, isRepeated } = this.#setting;
    // All of them choose from the changes they got, and the others got more; or one was lost.
    if (isOutdated()) this.#beginAgain(isRepeated);
    else for (const share of asked.keys()) if (share > 0) this.#take(share, aloneTo);
  }

  end({ end: how, rest = [], reason, position }: Extract<FromSearcher, { end: unknown }>): void {
    if (this.#isOver) return;
    if (rest.length > 0) this.found(rest);
    if (how === 'FAILED') this.#setting.onFailure(reason);
    if (how !== 'ALL') this.#isWhole = false;
    if (how === 'INVALID') {
      this.#close();
      this.#answer.reject(new RegexError(reason ?? '', position ?? 0));
    } else this.#endPart();
  }

  lost(): void {
    if (this.#isOver) return;
    // The other threads have the whole index. Once only: it may be this search that ends threads.
    if (this.#setting.isRepeated) {
      this.#isWhole = false;
      this.#endPart();
    } else this.#beginAgain(true);
  }

  #take(share: number, alone: number): void {
    const { job, order, asked } = this.#setting;
    this.#open += 1;
    this.#begun += 1;
    const part = { share, shares: asked.length, alone };
    const message = { job, order, progress: this.#progress.memory, share: part };
    asked[share]?.ask(message, () => this.#progress.begun() >= this.#begun, this);
  }

  #endPart(): void {
    this.#open -= 1;
    if (this.#open === 0) this.#end();
  }

  #end(): void {
    this.#close();
    this.#answer.resolve(this.#finds.answer(this.#isWhole));
  }

  /** Time is up, or no caller waits any more. */
  readonly #stop = (): void => {
    this.#progress.stop();
    this.#isWhole = false;
    this.#end();
  };

  #beginAgain(isRepeated: boolean): void {
    this.#close();
    this.#progress.stop();
    this.#answer.resolve(this.#setting.again(isRepeated));
  }

  #close(): void {
    this.#isOver = true;
    clearTimeout(this.#late);
    this.#setting.ways.signal?.removeEventListener('abort', this.#stop);
  }
}

/** `isWhole`: nothing was left out for want of time, memory or a thread. */
export type Answer = { found: FoundFunction[]; truncated: boolean; isWhole: boolean };
type ResultCollector = {
  add(more: FoundFunction[]): void;
  best(): FoundFunction[];
  answer(isWhole: boolean): Answer;
};

/** Collects the finds of all threads; keeps the best of them, in the order of the functions. */
function createResultCollector(limit: number, progress: Progress): ResultCollector {
  const found: FoundFunction[] = [];

  function all() {
    const last = progress.lastPlace();
    return found.filter(({ place }) => place <= last).sort(byPlace);
  }

  return {
    add(more) {
      found.push(...more);
      if (found.length <= limit) return;
      found.sort(byPlace);
      found.length = limit + 1;
      // Nothing after the last one of these has to be searched.
      progress.endAt(found[limit]?.place ?? 0);
    },
    best: () => all().slice(0, limit),
    answer(isWhole) {
      const known = all();
      return { found: known.slice(0, limit), truncated: !isWhole || known.length > limit, isWhole };
    },
  };
}

const byPlace = (a: FoundFunction, b: FoundFunction) => a.place - b.place;
