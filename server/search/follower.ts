/**
 * Follows the functions in the database. At first it reads all of them, page by page; from then on what the change log
 * says. Before each search the log is looked at once more, so a search knows every change that was committed before it
 * was asked, on whichever node. Notifying this node sooner only saves that search the work.
 */
import type { FunctionKey, FunctionSource, IndexedFunction } from '../functions/store/code-index.ts';
import type { Entry } from './catalogue.ts';
import type { IndexManager } from './index/index-manager.ts';

export type Follower = {
  /** Resolves when all is known that was committed before the call. */
  catchUp(): Promise<void>;
  /** Whether the first reading is over. */
  isLoaded(): boolean;
  /** Looks again how often functions ran, and puts them in order by it. */
  weighRuns(): Promise<void>;
  /** Reads all functions again, page by page, for a thread that knows none. Rejects when the database can't be read. */
  entries(take: (page: Entry[]) => void): Promise<void>;
  /** Asks nothing more; resolves when nothing is being asked. */
  close(): Promise<void>;
};

const PAGE = 400;
/** Of the first reading, when no caller waits for one function. */
const FIRST_PAGE = 1000;

export function createFollower(
  source: FunctionSource,
  {
    manager,
    emit,
  }: {
    manager: IndexManager;
    emit: (entries: Entry[], removed: string[], isMoreToCome: boolean) => void;
  },
): Follower {
  const known = new KnownFunctions(manager);
  let marks = new Map<string, string>();
  let position: string | undefined;
  let isLoaded = false;
  let isClosed = false;
  const turns = createSharedTurns(() => {
    if (isClosed) return Promise.resolve();
    return isLoaded ? follow() : load().then(follow);
  });

  async function load() {
    const opened = manager.opened();
    position = (await source.changes(undefined)).position;
    const runs = await source.runs().catch(() => undefined);
    if (runs) known.count(runs);
    let asked = source.page(undefined, FIRST_PAGE);
    manager.rush(false);
    try {
      await opened;
      while (!isClosed) {
        const page = await asked;
        const isMoreToCome = page.length === FIRST_PAGE;
        // The database is at the next one while this one is applied.
        if (isMoreToCome) asked = source.page(page.at(-1), FIRST_PAGE);
        take(page, [], isMoreToCome);
        if (!isMoreToCome) break;
      }
    } finally {
      manager.rush(true);
      // Closing waits until nothing is asked.
      await asked.catch(() => {});
    }
    isLoaded = !isClosed;
    if (isLoaded) manager.known();
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
    const entries = functions.map((fn) => known.entryOf(fn));
    const removed = known.remove(gone);
    if (entries.length + removed.length > 0) emit(entries, removed, isMoreToCome);
  }

  return {
    isLoaded: () => isLoaded,
    // What a turn in progress reads may have been asked for before the caller's change was there.
    catchUp: turns.take,
    async weighRuns() {
      await inPages(known.recount(await source.runs()), (found) => take(found, []));
    },
    async entries(take) {
      await inPages(known.keys(), (found) => take(found.map((fn) => known.entryOf(fn))));
    },
    async close() {
      isClosed = true;
      await turns.settled();
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

type Known = { account_id: string; codes: number[]; runs: number };

/** The functions that searches know. The manager holds each of their documents while one of them has it. */
class KnownFunctions {
  readonly #manager: Pick<IndexManager, 'use' | 'release'>;
  readonly #known = new Map<string, Known>();
  /** How often each of them ran. */
  #runs = new Map<string, number>();

  constructor(manager: Pick<IndexManager, 'use' | 'release'>) {
    this.#manager = manager;
  }

  keys(): FunctionKey[] {
    return [...this.#known].map(([function_id, { account_id }]) => ({ account_id, function_id }));
  }

  count(runs: Map<string, number>): void {
    this.#runs = runs;
  }

  /** The functions whose runs are another number than when they were indexed. */
  recount(runs: Map<string, number>): FunctionKey[] {
    this.#runs = runs;
    return [...this.#known].flatMap(([function_id, known]) =>
      known.runs === (runs.get(function_id) ?? 0) ? [] : [{ account_id: known.account_id, function_id }],
    );
  }

  /** Removes functions; returns those that were known. */
  remove(function_ids: string[]): string[] {
    const removed = function_ids.filter((id) => this.#known.has(id));
    for (const id of removed) {
      for (const code of this.#known.get(id)?.codes ?? []) this.#manager.release(code);
      this.#known.delete(id);
    }
    return removed;
  }

  /** Takes a function in as it is now. */
  entryOf({ versions, star_count, updated_at, ...fn }: IndexedFunction): Entry {
    const before = this.#known.get(fn.function_id)?.codes ?? [];
    const numbered = versions.map(([version, sha256]): [number, number] => [version, this.#manager.use(sha256)]);
    for (const code of before) this.#manager.release(code);
    const runs = this.#runs.get(fn.function_id) ?? 0;
    this.#known.set(fn.function_id, {
      account_id: fn.account_id,
      codes: numbered.map(([, code]) => code),
      runs,
    });
    const hidden =
      fn.visibility === 'PUBLIC'
        ? versions.flatMap(([version, , isPublic]) => (isPublic || version === fn.version ? [] : [version]))
        : [];
    const code = numbered.find(([version]) => version === fn.version)?.[1] ?? -1;
    return {
      ...fn,
      versions: numbered,
      ...(hidden.length > 0 ? { hidden } : {}),
      code,
      score: scoreOf(star_count, runs, updated_at),
      slot: 0,
    };
  }
}

/** Stars count most, then the recent runs and how recently it changed; each star and run less than the last. */
function scoreOf(stars: number, runs: number, updatedAt: string): number {
  return 4 * Math.log2(1 + stars) + 0.25 * Math.log2(1 + runs) + Date.parse(updatedAt) / 86_400_000 / 90;
}

/** Work that is done once at a time; callers who come during a turn share the next one. */
type SharedTurns = {
  /** Resolves, or rejects, with a turn that began after the call. */
  take(): Promise<void>;
  /** Resolves when no turn is in progress. */
  settled(): Promise<void>;
};

function createSharedTurns(work: () => Promise<void>): SharedTurns {
  let going: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  function begin(): Promise<void> {
    going = work().finally(() => {
      going = undefined;
    });
    return going;
  }

  return {
    take() {
      if (!going) return begin();
      next ??= going
        .catch(() => {})
        .then(() => {
          next = undefined;
          return begin();
        });
      return next;
    },
    async settled() {
      await going?.catch(() => {});
    },
  };
}
