/**
 * Follows the functions in the database. At first it reads all of them, page by page; from then on what the change log
 * says. Before each search the log is looked at once more, so a search knows every change that was committed before it
 * was asked, on whichever node. Telling this node sooner only saves that search the work.
 */
import type { Logger } from 'pino';
import type { FunctionKey, FunctionSource, IndexedFunction } from '../store/code-index.ts';
import type { Entry } from './catalogue.ts';
import type { Keeper } from './keeper.ts';

export type Follower = {
  /** Resolves when all is known that was committed before the call. */
  catchUp(): Promise<void>;
  /** Whether the first reading is over. */
  isLoaded(): boolean;
  /** Looks again how often functions ran, and puts them in order by it. */
  weighRuns(): Promise<void>;
  /** All functions anew, for a thread that knows none. */
  entries(): Promise<Entry[]>;
  /** Asks nothing more; resolves when nothing is being asked. */
  close(): Promise<void>;
};

const PAGE = 400;
/** Of the first reading, when nobody waits for one function. */
const FIRST_PAGE = 1000;

type Known = { account_id: string; codes: number[]; runs: number };

export function createFollower(
  source: FunctionSource,
  {
    keeper,
    tell,
    log,
  }: {
    keeper: Keeper;
    tell: (entries: Entry[], removed: string[], isMoreToCome: boolean) => void;
    log: Pick<Logger, 'warn'>;
  },
): Follower {
  const known = new Map<string, Known>();
  let marks = new Map<string, string>();
  let runs = new Map<string, number>();
  let position: string | undefined;
  let isLoaded = false;
  let isClosed = false;
  let going: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  async function load() {
    const opened = keeper.opened();
    position = (await source.changes(undefined)).position;
    runs = await source.runs().catch(() => runs);
    let asked = source.page(undefined, FIRST_PAGE);
    keeper.rush(false);
    try {
      await opened;
      while (!isClosed) {
        const page = await asked;
        const isMoreToCome = page.length === FIRST_PAGE;
        // The database is at the next one while this one is taken in.
        if (isMoreToCome) asked = source.page(page.at(-1), FIRST_PAGE);
        take(page, [], isMoreToCome);
        if (!isMoreToCome) break;
      }
    } finally {
      keeper.rush(true);
      // Whoever closes this waits until nothing is asked.
      await asked.catch(() => {});
    }
    isLoaded = !isClosed;
    if (isLoaded) keeper.known();
  }

  async function follow() {
    const { position: now, changed } = await source.changes(position);
    const fresh = changed.filter(({ function_id, mark }) => marks.get(function_id) !== mark);
    await inPages(fresh, (found, asked) => {
      const there = new Set(found.map(({ function_id }) => function_id));
      take(
        found,
        asked.flatMap(({ function_id }) => (there.has(function_id) ? [] : [function_id])),
      );
    });
    if (isClosed) return;
    // Only when all of it was taken: what fails is asked for again.
    marks = new Map(changed.map(({ function_id, mark }) => [function_id, mark]));
    position = now;
  }

  function take(functions: IndexedFunction[], gone: string[], isMoreToCome = false) {
    const entries = functions.map(entryOf);
    const removed = gone.filter((id) => known.has(id));
    for (const id of removed) {
      for (const code of known.get(id)?.codes ?? []) keeper.release(code);
      known.delete(id);
    }
    if (entries.length + removed.length > 0) tell(entries, removed, isMoreToCome);
  }

  function entryOf({ versions, star_count, updated_at, ...fn }: IndexedFunction): Entry {
    const before = known.get(fn.function_id)?.codes ?? [];
    const numbered = versions.map(([version, sha256]): [number, number] => [version, keeper.use(sha256)]);
    for (const code of before) keeper.release(code);
    const ran = runs.get(fn.function_id) ?? 0;
    known.set(fn.function_id, {
      account_id: fn.account_id,
      codes: numbered.map(([, code]) => code),
      runs: ran,
    });
    const code = numbered.find(([version]) => version === fn.version)?.[1] ?? -1;
    return { ...fn, versions: numbered, code, score: scoreOf(star_count, ran, updated_at), slot: 0 };
  }

  function run(): Promise<void> {
    if (isClosed) return Promise.resolve();
    going = (isLoaded ? follow() : load().then(follow)).finally(() => {
      going = undefined;
    });
    return going;
  }

  return {
    isLoaded: () => isLoaded,
    catchUp() {
      if (!going) return run();
      // What is read now may have been asked for before the caller's change was there.
      next ??= going
        .catch(() => {})
        .then(() => {
          next = undefined;
          return run();
        });
      return next;
    },
    async weighRuns() {
      const counted = await source.runs();
      const moved = [...known].flatMap(([function_id, { account_id, runs }]) =>
        runs === (counted.get(function_id) ?? 0) ? [] : [{ account_id, function_id }],
      );
      runs = counted;
      await inPages(moved, (found) => take(found, []));
    },
    async entries() {
      const all: Entry[] = [];
      const keys = [...known].map(([function_id, { account_id }]) => ({ account_id, function_id }));
      await inPages(keys, (found) => all.push(...found.map(entryOf))).catch((error: unknown) => {
        log.warn({ err: error }, 'search: a thread knows not all functions yet');
      });
      return all;
    },
    async close() {
      isClosed = true;
      await going?.catch(() => {});
    },
  };

  async function inPages(
    keys: FunctionKey[],
    take: (found: IndexedFunction[], asked: FunctionKey[]) => unknown,
  ): Promise<void> {
    for (let from = 0; from < keys.length && !isClosed; from += PAGE) {
      const asked = keys.slice(from, from + PAGE);
      take(await source.withKeys(asked), asked);
    }
  }
}

/** Stars count most, then how often it ran lately and how recently it changed; each star and run less than the last. */
function scoreOf(stars: number, runs: number, updatedAt: string): number {
  return 4 * Math.log2(1 + stars) + 0.25 * Math.log2(1 + runs) + Date.parse(updatedAt) / 86_400_000 / 90;
}
