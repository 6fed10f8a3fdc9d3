/** Searches on the pool of threads: which threads a search uses, and how their finds become one answer in the right order. */
import type { Logger } from 'pino';
import { ALL_ALONE, NONE_ALONE } from '../documents.ts';
import type { Entry } from '../entry.ts';
import type { CodeChange, Order } from '../messages.ts';
import type { Answer } from '../result-collector.ts';
import { sharedClockMs } from '../shared-clock.ts';
import { SearchRun, type SearchWays } from './search-run.ts';
import { createThreads, type Sources, type Thread } from './threads.ts';

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
