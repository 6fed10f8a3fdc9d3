/**
 * Search in code and names, over every account's public functions or over one's own.
 *
 * Parts. The *follower* (follower.ts) reads from the database which functions exist, who owns them and which documents
 * their versions have. They are written once into memory that all threads share (table/layout.ts). The *index manager* (index-manager.ts) reads each document once, however many versions share it:
 * into memory at first, then into *segments* (segment.ts), files that hold the documents and a posting list for each
 * gram (posting-lists.ts). *Builders* (builder.ts) are the threads that write segments; their hot loops (kernels/*.wat)
 * are WebAssembly. *Searchers* (searcher.ts) are the threads that run queries: the event loop of the service never runs
 * a pattern and never reads code.
 *
 * A search first catches up with the change log, so it covers each change committed before it, on any node. Meanwhile
 * it runs on the state already known; if that was current, its result is the answer and is cached, else it starts over.
 * A plain text is searched by one thread, which calls the others after a while; all other queries are split over the
 * threads at once (searchers.ts). The query yields what every matching line must contain and which characters in a row
 * (needs.ts); the grams of these leave few documents to read. Better functions come first, so the first ones with hits
 * are the answer; searchers publish where they found something, so each knows when there is enough (messages.ts).
 * Documents are excluded by their bytes (byte-finder.ts, WebAssembly too), or scanned for a plain text or such a row
 * before RE2 sees their lines (matcher.ts); nothing else ever runs a user's expression. Once the first segment is open,
 * each thread runs warm-up queries, so that V8 compiles what the first real search runs (warm-up.ts). Before a hit leaves
 * the service, its function is read again from the database (search.ts): whatever the index has, access is checked at
 * that moment.
 *
 * Every search has a budget of CPU time in each thread, so that other load does not shrink its result, and a deadline.
 * Searchers check both between documents and at each hit; when they are late, this side returns what it has and sets
 * `truncated`. The same search then continues where it ended, until something changes. A stuck thread is replaced (search-threads.ts); meanwhile the others
 * search the whole index.
 *
 * Segments outlive the process (index-folder.ts): the next one reuses what hasn't changed and reads the rest from the
 * blobs. Meanwhile searches return what is indexed so far, and say so. Segments are only a cache: what is missing,
 * unfinished, damaged or of another version is rebuilt from the blobs. Each posting list and each document has a
 * checksum: where the disk has lost one, the search sets `truncated`, and the segment is rebuilt before the next
 * search.
 */
import { mkdir, readdir } from 'node:fs/promises';
import type { Logger } from 'pino';
import { SEARCH_BUDGET_MS, SEARCH_LONGEST_MS } from '../../contract/limits.ts';
import type { FunctionSource } from '../functions/store/code-index.ts';
import { isDoneWithin } from '../lib/time-limit.ts';
import type { BlobsDescription } from '../platform/blobs/blobs.ts';
import { createFollower } from './follower.ts';
import { createIndexManager, type IndexManager, type IndexSize } from './index/index-manager.ts';
import {
  type FoundFunction,
  NOTHING_SEARCHED,
  NOWHERE,
  type SearchOrder,
  sharedClockMs,
  treeOf,
  type Window,
} from './messages.ts';
import type { TreeQuery } from './query/tree.ts';
import { type Answer, createSearchers, type SearchOptions } from './threads/searchers.ts';

export type CodeSearch = {
  /** Returns the functions found, the best first. Throws RegexError. */
  search(order: SearchOrder, searchOptions?: SearchOptions): Promise<Answer>;
  /**
   * Searches only these functions, until `untilMs` of the shared clock, in a state that includes all changes committed
   * before. Waits for the index to be complete. Throws RegexError.
   */
  searchWindow(order: SearchOrder, window: Window, untilMs: number, signal: AbortSignal): Promise<Required<Answer>>;
  /** The number of searches that run, or wait for a thread. */
  going(): number;
  /** Functions changed: reads the changes now, if this node searches at all. */
  nudge(): void;
  size(): IndexSize;
  close(): Promise<void>;
};
export type CodeSearchOptions = {
  /** The folder of the index files, which nodes may share. */
  folder: string;
  /** The store of bundles. */
  blobs: BlobsDescription;
  source: FunctionSource;
  log: Pick<Logger, 'warn' | 'error'>;
  /** CPU time of a search in each thread, and its time in any case. */
  budgetMs?: number;
  longestMs?: number;
  purgeMs?: number | undefined;
};

/** The least time to wait for changes, and the least time of the search itself after that. */
const LEAST_MS = 300;
/** With fewer documents than this, threads are probably just starting: the search waits longer for them. */
const FEW_CODES = 500;
const PATIENCE_MS = 8_000;

/** Inactive until the first search, or until functions exist. */
export async function createCodeSearch(options: CodeSearchOptions): Promise<CodeSearch> {
  const { folder, blobs, source, log, budgetMs = SEARCH_BUDGET_MS, purgeMs } = options;
  const { longestMs = (budgetMs * SEARCH_LONGEST_MS) / SEARCH_BUDGET_MS } = options;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const searchers = createSearchers(log, {
    codes: () => manager.all(),
    onDamaged: (segment) => manager.renew(segment),
  });
  const manager: IndexManager = createIndexManager({
    folder,
    blobs,
    log,
    publish(change) {
      changed();
      return searchers.sendCodes(change);
    },
    ...(purgeMs ? { purgeMs } : {}),
  });
  const follower = createFollower(source, {
    manager,
    table: searchers.table,
    emit(...change) {
      changed();
      searchers.sendEntries(...change);
    },
  });
  const answers = createAnswerCache();
  /** Searches whose time was up: the same search continues where they ended. */
  const unfinished = createAnswerCache(UNFINISHED_CHARS, isResumable);
  /** Increases with every change sent to threads; a cached result is valid for one generation. */
  let generation = 0;
  function changed() {
    generation += 1;
    answers.clear();
    unfinished.clear();
  }

  const warn = (error: unknown) => log.warn({ err: error }, 'search: changes could not be read');
  const look = () => void follower.catchUp().catch(warn);
  const timers = createPollTimers({ look, weigh: () => void follower.weighRuns().catch(warn) });

  function wake() {
    if (timers.start()) searchers.start();
  }

  // Files of an earlier process may belong to functions that were deleted.
  if ((await readdir(folder)).length > 0 || (await source.page(undefined, 1)).length > 0) {
    wake();
    look();
  }

  /** Starts a search on the current state, continues one that was out of time, or uses the cached result. */
  function begin(order: SearchOrder, untilMs: number, { signal, onFound }: SearchOptions = {}) {
    const stop = new AbortController();
    const known = answers.get(order);
    const answer = known ?? searchRest(order, unfinished.get(order));
    // The result of a stopped search is ignored.
    Promise.resolve(answer).catch(() => {});
    return { generation, answer, isKnown: known !== undefined, stop: () => stop.abort() };

    async function searchRest(whole: SearchOrder, before: Answer | undefined): Promise<Answer> {
      const { reached: after } = before ?? {};
      const found = before?.found.filter(({ place }) => after !== undefined && place <= after) ?? [];
      const rest = await searchers.search(
        {
          ...numbered(whole, manager.numberOf),
          limit: whole.limit - found.length,
          untilMs,
          cpuMs: budgetMs,
          after,
        },
        {
          signal: signal ? AbortSignal.any([signal, stop.signal]) : stop.signal,
          onFound:
            onFound && ((look: () => FoundFunction[]) => stop.signal.aborted || onFound(() => [...found, ...look()])),
        },
      );
      if (!before) return rest;
      const hasSkipped = before.hasSkipped === true || rest.hasSkipped === true;
      const isWhole = rest.isWhole && !hasSkipped;
      return { ...rest, found: [...found, ...rest.found], isWhole, hasSkipped, truncated: rest.truncated || !isWhole };
    }
  }

  /** Resolves when everything committed before is in the index of all threads. */
  const untilReady = () => Promise.all([searchers.started(), follower.catchUp().then(() => manager.settled())]);

  return {
    async search(order, searchOptions) {
      const untilMs = sharedClockMs() + longestMs;
      wake();
      // Usually nothing has changed, so threads start before the change log confirms it.
      const early = follower.isLoaded() && manager.isSettled() ? begin(order, untilMs, searchOptions) : undefined;
      try {
        const ready = untilReady();
        let isReady = await isDoneWithin(ready, Math.max(LEAST_MS, longestMs - budgetMs));
        // Little is left to load, so the machine must be slow.
        if (!isReady && manager.size().codes < FEW_CODES) isReady = await isDoneWithin(ready, PATIENCE_MS);
        const isCurrent = early?.generation === generation;
        if (!isCurrent) early?.stop();
        const going = isCurrent ? early : begin(order, Math.max(untilMs, sharedClockMs() + LEAST_MS), searchOptions);
        const answer = await going.answer;
        if (isReady && !going.isKnown && going.generation === generation) {
          answers.put(order, answer);
          unfinished.put(order, answer);
        }
        return { ...answer, truncated: answer.truncated || !isReady };
      } catch (error) {
        early?.stop();
        throw error;
      }
    },
    async searchWindow(order, window, untilMs, signal) {
      wake();
      const nothing = { found: [], truncated: true, isWhole: false, reached: NOTHING_SEARCHED, hasSkipped: false };
      if (!(await isDoneWithin(untilReady(), untilMs - sharedClockMs()))) return nothing;
      return {
        ...nothing,
        ...(await searchers.search({ ...numbered(order, manager.numberOf), window, untilMs }, { signal })),
      };
    },
    nudge: timers.nudge,
    going: searchers.going,
    size: manager.size,
    async close() {
      timers.close();
      await follower.close();
      await manager.close();
      await searchers.close();
    },
  };
}

/** The order with the numbers of documents that have what its filters of definitions and uses ask for. */
function numbered(order: SearchOrder, numberOf: IndexManager['numberOf']): SearchOrder {
  const query = treeOf(order);
  if (!query || query.facts.length === 0) return order;
  const facts = query.facts.map(([filter, documents]): TreeQuery['facts'][number] => [
    filter,
    documents.flatMap(([document, places]): typeof documents => {
      const number = typeof document === 'number' ? document : numberOf(document);
      return number === undefined ? [] : [[number, places]];
    }),
  ]);
  const tree = { ...query, facts };
  return 'words' in order ? { ...order, where: tree } : { ...order, code: tree };
}

/**
 * A cache of recent results: repeating a query, going back to it or opening it in another tab costs no search, until
 * something changes. Access to the functions found is checked again each time.
 */
export type AnswerCache = {
  get(order: SearchOrder): Answer | undefined;
  /** Stores a result, unless it is incomplete; a cache of unfinished searches: if it can be continued. */
  put(order: SearchOrder, answer: Answer): void;
  /** Removes all results: something changed. */
  clear(): void;
};

const MOST_CHARS = 8_000_000;
const UNFINISHED_CHARS = 1_000_000;
/** The size of a function without its hits. */
const FUNCTION_CHARS = 300;

/** A cache of up to this many characters; the least recently used result is evicted first. */
export function createAnswerCache(
  mostChars = MOST_CHARS,
  isWorth: (answer: Answer, order: SearchOrder) => boolean = ({ isWhole }) => isWhole,
): AnswerCache {
  const known = new Map<string, { answer: Answer; chars: number }>();
  let chars = 0;

  function remove(key: string): void {
    chars -= known.get(key)?.chars ?? 0;
    known.delete(key);
  }

  return {
    get(order) {
      const key = JSON.stringify(order);
      const found = known.get(key);
      if (!found) return undefined;
      // Moves it to the end, as the first is evicted first.
      known.delete(key);
      known.set(key, found);
      return found.answer;
    },
    put(order, answer) {
      const key = JSON.stringify(order);
      if (!isWorth(answer, order)) return remove(key);
      const size = answer.found.reduce((sum, { hits }) => sum + FUNCTION_CHARS + hits.length, key.length);
      if (size > mostChars) return;
      chars += size - (known.get(key)?.chars ?? 0);
      known.delete(key);
      known.set(key, { answer, chars: size });
      for (const [oldest, { chars: freed }] of known) {
        if (chars <= mostChars) break;
        known.delete(oldest);
        chars -= freed;
      }
    },
    clear() {
      known.clear();
      chars = 0;
    },
  };
}

/** Whether a search ended for lack of time, at a place after which it can continue. */
function isResumable({ found, isWhole, reached = NOTHING_SEARCHED }: Answer, order: SearchOrder): boolean {
  const isWithin = reached > NOTHING_SEARCHED && reached < NOWHERE;
  return !isWhole && 'code' in order && isWithin && found.length <= order.limit;
}

/** Timers that poll for changes: at intervals after `start`, and soon after a nudge. */
type PollTimers = {
  /** Starts the timers; returns false when they are running. */
  start(): boolean;
  /** Polls soon, if the timers are running. */
  nudge(): void;
  close(): void;
};

const NUDGE_MS = 20;
const LOOK_MS = 15_000;
const RUNS_MS = 600_000;

/** `look` polls for changes, `weigh` updates the run counts. */
function createPollTimers({ look, weigh }: { look: () => void; weigh: () => void }): PollTimers {
  const timers: NodeJS.Timeout[] = [];
  let nudged: NodeJS.Timeout | undefined;
  return {
    start() {
      if (timers.length > 0) return false;
      timers.push(setInterval(look, LOOK_MS).unref(), setInterval(weigh, RUNS_MS).unref());
      return true;
    },
    nudge() {
      if (timers.length === 0) return;
      nudged ??= setTimeout(() => {
        nudged = undefined;
        look();
      }, NUDGE_MS).unref();
    },
    close() {
      clearTimeout(nudged);
      for (const timer of timers) clearInterval(timer);
    },
  };
}
