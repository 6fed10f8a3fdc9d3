/**
 * Follows the functions in the database. At first it reads all of them, page by page; from then on what the change log
 * says. Before each search the log is looked at once more, so a search knows every change that was committed before it
 * was asked, on whichever node. Notifying this node sooner only saves that search the work.
 */
import type { FunctionKey, FunctionSource, IndexedFunction } from '../functions/store/code-index.ts';
import type { Entry } from './entry.ts';
import type { IndexManager } from './index/index-manager.ts';
import { KnownFunctions } from './known-functions.ts';
import { createSharedTurns } from './shared-turns.ts';

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
