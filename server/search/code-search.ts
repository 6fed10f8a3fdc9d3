/**
 * Search in code and names, over what every account has made public or over one's own.
 *
 * The players. The *follower* (follower.ts) knows from the database which functions there are, whose they are and
 * which codes their versions have. The *keeper* (keeper.ts) has each code read once, however many versions share it:
 * into memory while there are few, then into *segments* (segment.ts), files that hold the code and, for each
 * trigram, and for each common one with what follows it (lists.ts), which codes have it. *Builders* (builder.ts) are
 * the threads that do so; their hot loops (noting.ts, ordering.ts) are WebAssembly. *Searchers* (searcher.ts) are the
 * threads that answer: the event loop of the service never runs a pattern and never reads code.
 *
 * A search catches up with the change log, so it knows each change that was committed before it, on this node or
 * another. Meanwhile it has begun with what was known; when that was all, what it found is the answer, and is kept
 * for who asks the same again (answers.ts); else it begins anew. One searcher is alone at a plain text, and calls for
 * the others when that takes long; of all else each takes its share of the functions at once (searchers.ts).
 * From the query follows what every matching line must hold (needs.ts), and which characters in a row (rows.ts); the
 * trigrams of that leave few codes to look at. Better functions come first, so the first that have hits are the
 * answer; searchers tell each other where they found something, so each knows when there are enough (progress.ts).
 * Code is ruled out by its bytes, where it was read to (byte-finder.ts, WebAssembly too), or looked over for a plain
 * text or such a row before RE2 sees its lines (finder.ts, matcher.ts); nothing else ever runs a user's expression.
 * Once the first segment is there, each searcher searches a little for nobody, for V8 to compile what the first real
 * search runs (warm-up.ts). Before a hit leaves the service, its function is read again from the database
 * (services/search.ts): whatever the index believes, nobody sees what isn't theirs to see at that moment.
 *
 * Every search has a time. Searchers look at the clock between codes and at each hit; this side answers with what it has
 * when they are late, says `truncated`, and replaces a thread that doesn't come back.
 *
 * Segments outlive the process (kept-files.ts): the next one finds in them what hasn't changed, and reads from the blobs
 * what has. While it does, searches answer with what is there, and say so. Nothing depends on them: what is missing,
 * unfinished, damaged or of another version is made anew from the blobs. Each list and each code has a checksum: where the
 * disk has lost one, the search says `truncated`, and the segment is made anew before the next one.
 */
import { mkdir, readdir } from 'node:fs/promises';
import type { Logger } from 'pino';
import { SEARCH_BUDGET_MS } from '../../contract/limits.ts';
import type { FunctionSource } from '../store/code-index.ts';
import { createAnswers } from './answers.ts';
import { clockMs } from './clock.ts';
import type { Answer } from './finds.ts';
import { createFollower } from './follower.ts';
import { createKeeper, type IndexSize, type Keeper } from './keeper.ts';
import type { Order } from './messages.ts';
import { createSearchers, type SearchWays } from './searchers.ts';

type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
export type SearchOrder = Without<Order, 'untilMs'>;

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
  /** Where the blobs of bundles are. */
  blobs: string;
  source: FunctionSource;
  log: Pick<Logger, 'warn' | 'error'>;
  budgetMs?: number;
  purgeMs?: number | undefined;
};

const NUDGE_MS = 20;
const LOOK_MS = 15_000;
const RUNS_MS = 600_000;
/** So much of the time is left for searching what is there, when there is more to come. */
const LEAST_MS = 300;
/** A search that finds hardly any code read yet, as its threads are just being started, waits longer for it. */
const FEW_CODES = 500;
const PATIENCE_MS = 8_000;

/** Sleeps until the first search, or until it is told that there are functions. */
export async function createCodeSearch(options: CodeSearchOptions): Promise<CodeSearch> {
  const { folder, blobs, source, log, budgetMs = SEARCH_BUDGET_MS, purgeMs } = options;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const searchers = createSearchers(log, {
    codes: () => keeper.all(),
    entries: () => follower.entries(),
    onDamaged: (segment) => keeper.renew(segment),
  });
  const keeper: Keeper = createKeeper({
    folder,
    blobs,
    log,
    publish(change) {
      changed();
      return searchers.tellCodes(change);
    },
    ...(purgeMs ? { purgeMs } : {}),
  });
  const follower = createFollower(source, {
    keeper,
    tell(...change) {
      changed();
      searchers.tellEntries(...change);
    },
    log,
  });
  const answers = createAnswers();
  /** Goes up with everything that threads are told: an answer stands for what was known then. */
  let generation = 0;
  let isAwake = false;
  let nudged: NodeJS.Timeout | undefined;
  const timers: NodeJS.Timeout[] = [];

  function changed() {
    generation += 1;
    answers.clear();
  }

  function wake() {
    if (isAwake) return;
    isAwake = true;
    searchers.start();
    timers.push(setInterval(look, LOOK_MS).unref());
    timers.push(setInterval(() => void follower.weighRuns().catch(tellOf), RUNS_MS).unref());
  }

  const tellOf = (error: unknown) => log.warn({ err: error }, 'search: what changed couldn’t be read');
  const look = () => void follower.catchUp().catch(tellOf);

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
      searchers.search({ ...order, untilMs } as Order, {
        signal: signal ? AbortSignal.any([signal, stop.signal]) : stop.signal,
        onFound: onFound && ((look) => stop.signal.aborted || onFound(look)),
      });
    // Whoever stops it doesn't ask how it ended.
    Promise.resolve(answer).catch(() => {});
    return { generation, answer, isKnown: known !== undefined, stop: () => stop.abort() };
  }

  return {
    async search(order, ways) {
      const untilMs = clockMs() + budgetMs;
      wake();
      // Mostly nothing has changed, and the threads needn't wait to hear so.
      const early = follower.isLoaded() && keeper.isSettled() ? begin(order, untilMs, ways) : undefined;
      try {
        const ready = Promise.all([searchers.started(), follower.catchUp().then(() => keeper.settled())]);
        let isReady = await before(ready, Math.max(0, budgetMs - LEAST_MS));
        // There is little to come, only this machine is slow.
        if (!isReady && keeper.size().codes < FEW_CODES) isReady = await before(ready, PATIENCE_MS);
        const isCurrent = early?.generation === generation;
        if (!isCurrent) early?.stop();
        const going = isCurrent ? early : begin(order, Math.max(untilMs, clockMs() + LEAST_MS), ways);
        const answer = await going.answer;
        if (isReady && !going.isKnown && going.generation === generation) answers.put(order, answer);
        return { ...answer, truncated: answer.truncated || !isReady };
      } catch (error) {
        early?.stop();
        throw error;
      }
    },
    nudge() {
      if (!isAwake) return;
      nudged ??= setTimeout(() => {
        nudged = undefined;
        look();
      }, NUDGE_MS).unref();
    },
    going: searchers.going,
    size: keeper.size,
    async close() {
      clearTimeout(nudged);
      for (const timer of timers) clearInterval(timer);
      await follower.close();
      await keeper.close();
      await searchers.close();
    },
  };
}

/** Whether it came to an end within so long; its failure is ours. */
async function before(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), ms);
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    clearTimeout(timer);
    promise.catch(() => {});
  }
}
