/**
 * Manages the index: which documents exist, how often they are referenced, and where they are stored. The segments of
 * an earlier process are opened first (index-folder.ts). A new document is queued to be read (pending-documents.ts),
 * then is *fresh*: in memory, scanned in full. Later it becomes part of a *segment* (places.ts). Small segments are
 * merged. A segment with unreferenced documents is rewritten without them (merging.ts), and its file is closed when no
 * thread reads it any more.
 */
import type { Logger } from 'pino';
import type { BlobsDescription } from '../../platform/blobs/blobs.ts';
import type { CodeChange } from '../messages.ts';
import { createTasks } from '../threads/builders.ts';
import { createIndexFolder } from './index-folder.ts';
import { createMerging, type Merging } from './merging.ts';
import { createPendingDocuments, createReading } from './pending-documents.ts';
import { CodeTable, createPlaces, type Places } from './places.ts';

export type IndexSize = { codes: number; segments: number; codeBytes: number; indexBytes: number; freshBytes: number };
export type IndexManager = {
  /** Resolves when the segments of an earlier process are open. */
  opened(): Promise<void>;
  /** References a document and returns its number; each `use` needs one `release`. */
  use(sha256: string): number;
  release(number: number): void;
  /** The number of a document; undefined when no function is known to have it. */
  numberOf(sha256: string): number | undefined;
  /** While false, few pending documents wait for more; true starts reading any number of them. */
  rush(isRushed: boolean): void;
  /** All functions were read: unreferenced documents can be purged from now on. */
  known(): void;
  /** Whether every document in use can be read. */
  isSettled(): boolean;
  /** Resolves when every document in use can be read. */
  settled(): Promise<void>;
  /** Replaces a damaged segment: its documents are read again from the blobs. */
  renew(segment: number): void;
  all(): CodeChange;
  size(): IndexSize;
  close(): Promise<void>;
};
export type IndexManagerOptions = {
  folder: string;
  blobs: BlobsDescription;
  log: Pick<Logger, 'warn'>;
  /** Sends a change to all searchers; resolves when no thread reads the `dropped` segments any more. */
  publish: (change: CodeChange) => Promise<void>;
  /** How long unreferenced documents stay. */
  purgeMs?: number;
  /** How long a file of another node may have unreferenced documents. */
  deadMs?: number;
};

const PURGE_MS = 30_000;
const DEAD_MS = 300_000;
/** Interval between checks of the files of other nodes. */
const LOOK_MS = 3_600_000;
const ENOUGH_CODES = 8000;

export function createIndexManager(options: IndexManagerOptions): IndexManager {
  const { folder, blobs, log, publish, purgeMs = PURGE_MS, deadMs = DEAD_MS } = options;
  const table = new CodeTable();
  const files = createIndexFolder(folder, log, deadMs);
  const tasks = createTasks({ folder, blobs, log, onDamaged: renew, onEnd: schedule });
  const waiting = createPendingDocuments(table, log, schedule);
  const looks = createDebouncedTask(look);
  const places = createPlaces({
    table,
    publish,
    onLost: waiting.add,
    onDead: () => merging.purgeSoon(),
    remove: files.remove,
  });
  const reading = createReading({ table, tasks, waiting, places, publish });
  const merging: Merging = createMerging({
    table,
    places,
    purgeMs,
    schedule,
    run: (task, take, fail) => tasks.run(task, 0, take, fail),
    onPurged: () => looks.soon(deadMs),
  });
  let isRushed = true;
  let isKnown = false;
  let isClosed = false;
  let opening: Promise<void> | undefined;

  function schedule() {
    if (isClosed) return;
    while (tasks.free() > 0 && waiting.count() >= (isRushed ? 1 : ENOUGH_CODES)) reading.begin();
    // Until all functions are read, it is unknown which documents are unreferenced.
    if (isKnown && tasks.free() > 0 && !merging.isGoing()) merging.begin(waiting.count() > 0);
    waiting.arrived();
  }

  function renew(id: number) {
    const held = places.segments.get(id);
    // The merge in progress reports the damage itself.
    if (isClosed || !held || merging.isAt(id)) return;
    log.warn({ codes: held.view.codes }, 'search: segment damaged, rebuilding');
    places.giveUp(held);
  }

  const isUsed = (sha256: string) => (table.named(sha256)?.uses ?? 0) > 0;

  /** Checks the files of other nodes; returns the delay of the next check. */
  async function look(): Promise<number> {
    const isLater = isKnown && (await files.look(isUsed, places.holds).catch(warn));
    return isLater ? deadMs : LOOK_MS;
  }

  const warn = (error: unknown) => log.warn({ err: error }, 'search: index folder could not be read');

  return {
    opened() {
      opening ??= files
        .open(table.newNumber, (view, names) => places.takeKept(view, names))
        // Without them, all documents are read from the blobs.
        .catch(warn);
      return opening;
    },
    use(sha256) {
      const code = table.named(sha256) ?? waiting.addNew(sha256);
      code.uses += 1;
      places.markReferenced(code);
      return code.number;
    },
    release(number) {
      const code = table.numbered(number);
      if (code && --code.uses === 0) places.markUnreferenced(code);
    },
    numberOf: (sha256) => table.named(sha256)?.number,
    rush(given) {
      isRushed = given;
      schedule();
    },
    known() {
      if (isKnown) return;
      isKnown = true;
      for (const code of table.all()) if (code.uses === 0) places.markUnreferenced(code);
      // A document that two segments have is dead in one of them.
      if (places.hasDead()) merging.purgeSoon();
      looks.soon(LOOK_MS);
      schedule();
    },
    isSettled: waiting.isSettled,
    settled: waiting.settled,
    renew,
    all: places.all,
    size: () => sizeOf(table, places),
    async close() {
      isClosed = true;
      merging.close();
      await Promise.all([opening, looks.close(), tasks.close()]);
      places.close();
      waiting.close();
      await files.settled();
    },
  };
}

function sizeOf(table: CodeTable, places: Places): IndexSize {
  const views = [...places.segments.values()].map(({ view }) => view);
  return {
    codes: table.size,
    segments: views.length,
    codeBytes: views.reduce((sum, { codeBytes }) => sum + codeBytes, 0),
    indexBytes: views.reduce((sum, { indexBytes }) => sum + indexBytes, 0),
    freshBytes: places.freshBytes(),
  };
}

/** A task that runs at scheduled times, one run after the other. */
type DebouncedTask = {
  /** Schedules a run within `ms`, unless one is due earlier. */
  soon(ms: number): void;
  /** Cancels the scheduled run; resolves when the run in progress has ended. */
  close(): Promise<void>;
};

/** `look` returns the delay of the next run. */
function createDebouncedTask(look: () => Promise<number>): DebouncedTask {
  let timer: NodeJS.Timeout | undefined;
  let dueMs = Number.POSITIVE_INFINITY;
  let going: Promise<void> | undefined;
  let isClosed = false;

  function soon(ms: number) {
    if (isClosed || performance.now() + ms >= dueMs) return;
    dueMs = performance.now() + ms;
    clearTimeout(timer);
    timer = setTimeout(() => {
      dueMs = Number.POSITIVE_INFINITY;
      going = Promise.resolve(going).then(look).then(soon);
    }, ms).unref();
  }

  return {
    soon,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await going;
    },
  };
}
