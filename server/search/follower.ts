/**
 * Follows the functions in the database: reads all of them at first, page by page, then the change log. Each search
 * reads the log first, so it covers every change committed before the request, on any node. A notification only makes
 * that read earlier.
 */
import type { FunctionKey, FunctionSource, IndexedFunction } from '../functions/store/code-index.ts';
import type { IndexManager } from './index/index-manager.ts';
import type { Entry } from './table/entry.ts';
import type { FunctionTable } from './table/function-table.ts';

export type Follower = {
  /** Resolves when every change committed before the call has been applied. */
  catchUp(): Promise<void>;
  /** Whether all functions have been read once. */
  isLoaded(): boolean;
  /** Reads the run counts again, and updates the ranking. */
  weighRuns(): Promise<void>;
  /** Starts no more queries; resolves when none is in progress. */
  close(): Promise<void>;
};

const PAGE = 400;
/** Page size of the first read, when no caller waits for a single function. */
const FIRST_PAGE = 1000;

export function createFollower(
  source: FunctionSource,
  {
    manager,
    table,
    emit,
  }: {
    manager: IndexManager;
    table: FunctionTable;
    emit: (entries: Entry[], removed: string[], isMoreToCome: boolean) => void;
  },
): Follower {
  const known = new KnownFunctions(manager, table);
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
        // The database reads the next page while this one is applied.
        if (isMoreToCome) asked = source.page(page.at(-1), FIRST_PAGE);
        take(page, [], isMoreToCome);
        if (!isMoreToCome) break;
      }
    } finally {
      manager.rush(true);
      // Closing waits for this query.
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
    // Only after all pages were applied: a failed page is read again.
    marks = new Map(changed.map(({ function_id, mark }) => [function_id, mark]));
    position = now;
  }

  function take(functions: IndexedFunction[], gone: string[], isMoreToCome = false) {
    // Each once: the documents of a function are counted.
    const entries = [...new Map(functions.map((fn) => [fn.function_id, fn])).values()].map((fn) => known.entryOf(fn));
    const removed = known.remove([...new Set(gone)]);
    if (entries.length + removed.length > 0) emit(entries, removed, isMoreToCome);
  }

  return {
    isLoaded: () => isLoaded,
    // The turn in progress may have read the log before the caller's change was committed.
    catchUp: turns.take,
    async weighRuns() {
      await inPages(known.recount(await source.runs()), (found) => take(found, []));
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

/** The functions sent to searchers. Each references its documents in the manager. */
class KnownFunctions {
  readonly #manager: Pick<IndexManager, 'use' | 'release'>;
  readonly #table: FunctionTable;
  /** By function: the number of recent runs. */
  #runs = new Map<string, number>();

  constructor(manager: Pick<IndexManager, 'use' | 'release'>, table: FunctionTable) {
    this.#manager = manager;
    this.#table = table;
  }

  count(runs: Map<string, number>): void {
    this.#runs = runs;
  }

  /** Returns the functions whose run count has changed since they were sent. */
  recount(runs: Map<string, number>): FunctionKey[] {
    this.#runs = runs;
    const changed: FunctionKey[] = [];
    for (const [function_id, count] of runs) {
      const known = this.#table.find(function_id);
      if (known && known.runs !== count) changed.push({ account_id: known.account_id, function_id });
    }
    for (const { account_id, function_id } of this.#table.withRuns())
      if (!runs.has(function_id)) changed.push({ account_id, function_id });
    return changed;
  }

  /** Releases the documents of functions that are removed; returns the ids that existed. */
  remove(function_ids: string[]): string[] {
    const removed = function_ids.filter((id) => this.#table.find(id) !== undefined);
    for (const id of removed) for (const code of this.#codesOf(id)) this.#manager.release(code);
    return removed;
  }

  #codesOf(function_id: string): number[] {
    return this.#table.find(function_id)?.versions.map(([, code]) => code) ?? [];
  }

  /** Adds or updates a function; returns its entry. */
  entryOf({ versions, star_count, updated_at, ...fn }: IndexedFunction): Entry {
    const before = this.#codesOf(fn.function_id);
    const numbered = versions.map(([version, sha256, , created_ms]): Entry['versions'][number] => {
      const code = this.#manager.use(sha256);
      return created_ms === undefined ? [version, code] : [version, code, created_ms];
    });
    const deployed_ms = versions.find(([version]) => version === fn.version)?.[3];
    for (const code of before) this.#manager.release(code);
    const runs = this.#runs.get(fn.function_id) ?? 0;
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
      ...(star_count > 0 ? { stars: star_count } : {}),
      ...(runs > 0 ? { runs } : {}),
      ...(deployed_ms === undefined ? {} : { deployed_ms }),
    };
  }
}

/** Stars weigh most, then recent runs, then the time of the last change; each further star or run adds less. */
function scoreOf(stars: number, runs: number, updatedAt: string): number {
  return 4 * Math.log2(1 + stars) + 0.25 * Math.log2(1 + runs) + Date.parse(updatedAt) / 86_400_000 / 90;
}

/** Runs `work` one at a time. Callers during a run share the next one. */
type SharedTurns = {
  /** Resolves or rejects with a run that began after the call. */
  take(): Promise<void>;
  /** Resolves when no run is in progress. */
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
