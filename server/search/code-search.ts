/**
 * Search in code and names, over every account's public functions or over one's own.
 *
 * Parts. The *follower* (follower.ts) reads from the database which functions exist, who owns them and which documents
 * their versions have. The *index manager* (index-manager.ts) reads each document once, however many versions share it:
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
 * Documents are ruled out by their bytes (byte-finder.ts, WebAssembly too), or scanned for a plain text or such a row
 * before RE2 sees their lines (matcher.ts); nothing else ever runs a user's expression. Once the first segment is open,
 * each thread runs warm-up queries, so that V8 compiles what the first real search runs (job.ts). Before a hit leaves
 * the service, its function is read again from the database (search.ts): whatever the index has, access is checked at
 * that moment.
 *
 * Every search has a deadline. Searchers check the clock between documents and at each hit; when they are late, this
 * side returns what it has and sets `truncated`. A stuck thread is replaced (search-threads.ts); meanwhile the others
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
import { SEARCH_BUDGET_MS } from '../../contract/limits.ts';
import type { FunctionSource } from '../functions/store/code-index.ts';
import { isDoneWithin } from '../lib/time-limit.ts';
import type { BlobsDescription } from '../platform/blobs/blobs.ts';
import { createFollower } from './follower.ts';
import { createIndexManager, type IndexManager, type IndexSize } from './index/index-manager.ts';
import { type SearchOrder, sharedClockMs } from './messages.ts';
import { type Answer, createSearchers, type SearchWays } from './threads/searchers.ts';

export type CodeSearch = {
  /** The functions found, best first. Throws RegexError. */
  search(order: SearchOrder, ways?: SearchWays): Promise<Answer>;
  /** Searches that threads are at, or that wait for one. */
  going(): number;
  /** Functions changed: what has to be read is read now, if this node searches at all. */
  nudge(): void;
  size(): IndexSize;
  close(): Promise<void>;
};
export type CodeSearchOptions = {
  /** For the files of the index; other nodes may have it in common. */
  folder: string;
  /** The store of bundles. */
  blobs: BlobsDescription;
  source: FunctionSource;
  log: Pick<Logger, 'warn' | 'error'>;
  budgetMs?: number;
  purgeMs?: number | undefined;
};

/** Time reserved for searching what is indexed so far, when more is to come. */
const LEAST_MS = 300;
/** A search that finds hardly any code read yet, as its threads are just being started, waits longer for it. */
const FEW_CODES = 500;
const PATIENCE_MS = 8_000;

/** Sleeps until the first search, or until there are functions. */
export async function createCodeSearch(options: CodeSearchOptions): Promise<CodeSearch> {
  const { folder, blobs, source, log, budgetMs = SEARCH_BUDGET_MS, purgeMs } = options;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const searchers = createSearchers(log, {
    codes: () => manager.all(),
    entries: (take) => follower.entries(take),
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
    emit(...change) {
      changed();
      searchers.sendEntries(...change);
    },
  });
  const answers = createAnswers();
  /** Goes up with every change that threads get: an answer stands for what was known then. */
  let generation = 0;
  function changed() {
    generation += 1;
    answers.clear();
  }

  const warn = (error: unknown) => log.warn({ err: error }, 'search: changes could not be read');
  const look = () => void follower.catchUp().catch(warn);
  const timers = createLookTimers({ look, weigh: () => void follower.weighRuns().catch(warn) });

  function wake() {
    if (timers.start()) searchers.start();
  }

  // What was kept may be of functions that are gone.
  if ((await readdir(folder)).length > 0 || (await source.page(undefined, 1)).length > 0) {
    wake();
    look();
  }

  /** Searches what is known now. */
  function begin(order: SearchOrder, untilMs: number, { signal, onFound }: SearchWays = {}) {
    const stop = new AbortController();
    const known = answers.get(order);
    const answer =
      known ??
      searchers.search(
        { ...order, untilMs },
        {
          signal: signal ? AbortSignal.any([signal, stop.signal]) : stop.signal,
          onFound: onFound && ((look) => stop.signal.aborted || onFound(look)),
        },
      );
    // The result of a stopped one is ignored.
    Promise.resolve(answer).catch(() => {});
    return { generation, answer, isKnown: known !== undefined, stop: () => stop.abort() };
  }

  return {
    async search(order, ways) {
      const untilMs = sharedClockMs() + budgetMs;
      wake();
      // Mostly nothing has changed, and the threads needn't wait for the confirmation.
      const early = follower.isLoaded() && manager.isSettled() ? begin(order, untilMs, ways) : undefined;
      try {
        const ready = Promise.all([searchers.started(), follower.catchUp().then(() => manager.settled())]);
        let isReady = await isDoneWithin(ready, Math.max(0, budgetMs - LEAST_MS));
        // There is little to come, only this machine is slow.
        if (!isReady && manager.size().codes < FEW_CODES) isReady = await isDoneWithin(ready, PATIENCE_MS);
        const isCurrent = early?.generation === generation;
        if (!isCurrent) early?.stop();
        const going = isCurrent ? early : begin(order, Math.max(untilMs, sharedClockMs() + LEAST_MS), ways);
        const answer = await going.answer;
        if (isReady && !going.isKnown && going.generation === generation) answers.put(order, answer);
        return { ...answer, truncated: answer.truncated || !isReady };
      } catch (error) {
        early?.stop();
        throw error;
      }
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

/**
 * Recent answers. Who asks the same again, goes back to it, or opens it in another tab, gets it without a search, as
 * long as nothing was changed that could be found. The owners of the functions are looked up again each time.
 */
export type Answers = {
  get(order: SearchOrder): Answer | undefined;
  /** Keeps it, if nothing was left out for want of time. */
  put(order: SearchOrder, answer: Answer): void;
  /** Something changed. */
  clear(): void;
};

const MOST_CHARS = 8_000_000;
/** What a function costs beside its lines. */
const FUNCTION_CHARS = 300;

/** A cache of answers with up to this many characters; the least recently used one is evicted first. */
export function createAnswers(mostChars = MOST_CHARS): Answers {
  const known = new Map<string, { answer: Answer; chars: number }>();
  let chars = 0;

  return {
    get(order) {
      const key = JSON.stringify(order);
      const found = known.get(key);
      if (!found) return undefined;
      // Moves it to the end: the least recently used is evicted first.
      known.delete(key);
      known.set(key, found);
      return found.answer;
    },
    put(order, answer) {
      if (!answer.isWhole) return;
      const key = JSON.stringify(order);
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

/** When code search polls for changes: from the first search or function on, and soon after a nudge. */
type LookTimers = {
  /** Starts them; returns false when they were started before. */
  start(): boolean;
  /** Looks soon, if started. */
  nudge(): void;
  close(): void;
};

const NUDGE_MS = 20;
const LOOK_MS = 15_000;
const RUNS_MS = 600_000;

/** `weigh`: looks at how often functions ran. */
function createLookTimers({ look, weigh }: { look: () => void; weigh: () => void }): LookTimers {
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
