/**
 * Runs searches on the pool of threads: chooses the threads, splits the work, and merges the results in ranking order.
 */
import type { Logger } from 'pino';
import {
  ALL_ALONE,
  type CodeChange,
  createProgress,
  type FoundFunction,
  type FromSearcher,
  NONE_ALONE,
  NOTHING_SEARCHED,
  type Order,
  type Progress,
  sharedClockMs,
  type ThreadOrder,
} from '../messages.ts';
import { RegexError } from '../query/regex.ts';
import type { Entry } from '../table/entry.ts';
import { FunctionTable } from '../table/function-table.ts';
import { createThreads, type SearchListener, type Sources, type Thread } from './search-threads.ts';

export type Searchers = {
  /** The functions in the memory that the threads share. */
  readonly table: FunctionTable;
  start(): void;
  /** Resolves when all threads are ready. */
  started(): Promise<unknown>;
  /** Resolves when no thread reads the dropped segments any more. */
  sendCodes(change: CodeChange): Promise<void>;
  sendEntries(entries: Entry[], removed: string[], isMoreToCome?: boolean): void;
  search(order: Order, options?: SearchOptions): Promise<Answer>;
  /** The number of searches that run, or wait for a thread. */
  going(): number;
  close(): Promise<void>;
};

export function createSearchers(log: Pick<Logger, 'warn' | 'error'>, sources: Omit<Sources, 'functions'>): Searchers {
  const table = new FunctionTable(() => threads.released());
  const threads = createThreads(log, { ...sources, functions: () => table.all() });
  let count = 0;
  /** The number of changes sent to threads. */
  let changes = 0;

  /** On a tie always the same thread, as V8 compiles hot code for each thread separately. */
  const leastBusy = (serving: Thread[]) =>
    serving.reduce((best, { jobCount }, at) => (jobCount < (serving[best]?.jobCount ?? 0) ? at : best), 0);

  /** The threads of a search, the first one first. A search by words has one, as only one thread indexes names. */
  function chooseThreads(order: Order): Thread[] {
    const serving = threads.serving();
    if (!('code' in order)) return [threads.namesThread()].filter((thread) => thread !== undefined);
    const first = leastBusy(serving);
    return [...serving.slice(first), ...serving.slice(0, first)];
  }

  return {
    table,
    start: threads.start,
    started: threads.started,
    sendCodes(change) {
      changes += 1;
      return threads.sendCodes(change);
    },
    sendEntries(entries, removed, isMoreToCome = false) {
      changes += 1;
      threads.sendFunctions({ functions: table.change(entries, removed), isMoreToCome });
    },
    going: threads.jobCount,
    search: (order, options = {}) => begin(order, options, { alone: isLight(order) ? ALL_ALONE : NONE_ALONE }),
    close: threads.close,
  };

  /** The query with its functions and accounts as the threads know them now. */
  function inTable({ window, ...order }: Order): ThreadOrder {
    const within = table.within(order.scope);
    if (!window) return { ...order, within };
    return { ...order, within, window: { slots: table.slotsOf(window.ids), hits: window.hits } };
  }

  async function begin(order: Order, options: SearchOptions, { alone, isRepeated = false }: Begin): Promise<Answer> {
    // Only while every thread is being replaced.
    if (threads.serving().length === 0) await threads.untilServing(order.untilMs - sharedClockMs());
    const asked = chooseThreads(order);
    if (options.signal?.aborted || asked.length === 0)
      return { found: [], truncated: true, isWhole: false, reached: NOTHING_SEARCHED };
    const before = changes;
    const isOutdated = () => {
      const serving = threads.serving();
      return changes !== before || !asked.every((each) => serving.includes(each));
    };
    const run = new SearchRun({
      job: ++count,
      order: inTable(order),
      options,
      asked,
      isOutdated,
      isRepeated,
      again: (repeated) => begin(order, options, { alone: NONE_ALONE, isRepeated: repeated }),
      onFailure: (reason) => log.error({ reason }, 'search: query failed'),
    });
    return run.begin(alone);
  }
}

/** `isRepeated`: a thread was lost in the first attempt. */
type Begin = { alone: number; isRepeated?: boolean };

/** Whether candidates are cheap to determine, and usually few. */
const isLight = (order: Order) =>
  'code' in order && order.code.mode === 'literal' && !order.history && order.window === undefined;

/** Options of a search. */
export type SearchOptions = {
  /** Stops the threads: no caller waits for the result any more. */
  signal?: AbortSignal | undefined;
  /** Called when functions were found; `look` returns the best so far, in order. */
  onFound?: ((look: () => FoundFunction[]) => void) | undefined;
};

type Setting = {
  job: number;
  order: ThreadOrder;
  options: SearchOptions;
  /** The threads of this search, the first one first. */
  asked: Thread[];
  /** Whether threads received changes since, or one of these threads is unavailable. */
  isOutdated: () => boolean;
  /** A thread was lost in the first attempt. */
  isRepeated: boolean;
  again: (isRepeated: boolean) => Promise<Answer>;
  onFailure: (reason: string | undefined) => void;
};

/** A search returns what it has when threads are this late. */
const LATE_MS = 30;
/** A window needs the ends of all threads to know how far it was searched; one that is later counts as stuck. */
const WINDOW_LATE_MS = 2000;

/** A search in progress: distributes parts to threads, and collects their results. */
class SearchRun implements SearchListener {
  readonly #setting: Setting;
  readonly #progress: Progress;
  readonly #finds: ResultCollector;
  readonly #answer = Promise.withResolvers<Answer>();
  #late: NodeJS.Timeout | undefined;
  #isWhole = true;
  /** Whether finds may be missing that a thread has recorded as searched. */
  #isCut = false;
  /** The parts in progress, and all parts ever started. */
  #open = 0;
  #begun = 0;
  #isOver = false;

  constructor(setting: Setting) {
    const { asked, order } = setting;
    this.#setting = setting;
    this.#progress = createProgress(asked.length, order.limit);
    this.#finds = createResultCollector(order.limit, this.#progress);
  }

  /** The first thread searches alone up to the place `alone`. Rejects with RegexError. */
  begin(alone: number): Promise<Answer> {
    const { order, options, asked } = this.#setting;
    this.#late = setTimeout(this.#stop, order.untilMs - sharedClockMs() + (order.window ? WINDOW_LATE_MS : LATE_MS));
    options.signal?.addEventListener('abort', this.#stop);
    for (const share of asked.keys()) if (share === 0 || alone === NONE_ALONE) this.#take(share, alone);
    return this.#answer.promise;
  }

  found(more: FoundFunction[]): void {
    this.#finds.add(more);
    this.#setting.options.onFound?.(this.#finds.best);
  }

  takesLong(aloneTo: number): void {
    if (this.#isOver) return;
    const { asked, isOutdated, isRepeated } = this.#setting;
    // All threads must search the same state, but others have newer changes, or a thread was lost.
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
    // The other threads have the whole index. Repeated once only, as this search may be what crashes threads.
    if (this.#setting.isRepeated) {
      this.#isWhole = false;
      this.#isCut = true;
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
    this.#answer.resolve(this.#finds.answer(this.#isWhole, this.#isCut ? NOTHING_SEARCHED : this.#progress.reached()));
  }

  /** Ends the search: time is up, or no caller waits any more. */
  readonly #stop = (): void => {
    this.#progress.stop();
    this.#isWhole = false;
    this.#isCut = true;
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
    this.#setting.options.signal?.removeEventListener('abort', this.#stop);
  }
}

/**
 * `isWhole`: nothing was omitted for lack of time, memory or a thread. `reached`: `found` has everything up to this
 * place, including it, except for what `hasSkipped`.
 */
export type Answer = {
  found: FoundFunction[];
  truncated: boolean;
  isWhole: boolean;
  reached?: number;
  hasSkipped?: boolean;
};
type ResultCollector = {
  add(more: FoundFunction[]): void;
  best(): FoundFunction[];
  answer(isWhole: boolean, reached: number): Answer;
};

/** Collects the results of all threads, and keeps the best in ranking order. */
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
      // Later places are not needed.
      progress.endAt(found[limit]?.place ?? 0);
    },
    best: () => all().slice(0, limit),
    answer(isWhole, reached) {
      const known = all();
      const best = known.slice(0, limit);
      const last = best.at(-1)?.place ?? reached;
      return {
        found: best,
        truncated: !isWhole || known.length > limit,
        isWhole,
        reached: known.length > limit ? Math.min(last, reached) : reached,
        hasSkipped: progress.hasSkipped(),
      };
    },
  };
}

const byPlace = (a: FoundFunction, b: FoundFunction) => a.place - b.place;
