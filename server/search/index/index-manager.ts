/**
 * Keeps the index: which codes there are, who refers to them, and where they lie. What an earlier process has kept is
 * there at once (index-folder.ts). A code that is new waits to be read (pending-documents.ts), is *fresh* (in memory,
 * looked through whole) and becomes part of a *segment* (places.ts). Small segments are merged; one with unreferenced
 * codes is rewritten without them (merging.ts), and its file is closed when no thread reads it.
 */
import type { Logger } from 'pino';
import type { BlobsDescription } from '../../platform/blobs/blobs.ts';
import type { CodeChange } from '../messages.ts';
import { createTasks } from '../threads/builders.ts';
import { createKeptFiles } from './index-folder.ts';
import { createMerging, type Merging } from './merging.ts';
import { createPendingDocuments, createReading } from './pending-documents.ts';
import { CodeTable, createPlaces, type Places } from './places.ts';

export type IndexSize = { codes: number; segments: number; codeBytes: number; indexBytes: number; freshBytes: number };
export type IndexManager = {
  /** Resolves when it has what an earlier process has kept. */
  opened(): Promise<void>;
  /** The number of a code; it is kept until as many `release` it. */
  use(sha256: string): number;
  release(number: number): void;
  /** No more comes soon, so that what waits is taken up though it is little. */
  rush(isRushed: boolean): void;
  /** All functions were read: what is unreferenced now can be dropped. */
  known(): void;
  /** Whether every code in use can be read. */
  isSettled(): boolean;
  /** Resolves when it is. */
  settled(): Promise<void>;
  /** A segment is damaged: its codes are read again from the blobs. */
  renew(segment: number): void;
  all(): CodeChange;
  size(): IndexSize;
  close(): Promise<void>;
};
export type IndexManagerOptions = {
  folder: string;
  blobs: BlobsDescription;
  log: Pick<Logger, 'warn'>;
  /** Notifies all searchers; answers when `dropped` segments are read no more. */
  publish: (change: CodeChange) => Promise<void>;
  /** How long unreferenced code may stay. */
  purgeMs?: number;
  /** How long a file of another node may have unreferenced code. */
  deadMs?: number;
};

const PURGE_MS = 30_000;
const DEAD_MS = 300_000;
/** How often the files of others are looked at. */
const LOOK_MS = 3_600_000;
const ENOUGH_CODES = 8000;

export function createIndexManager(options: IndexManagerOptions): IndexManager {
  const { folder, blobs, log, publish, purgeMs = PURGE_MS, deadMs = DEAD_MS } = options;
  const table = new CodeTable();
  const files = createKeptFiles(folder, log, deadMs);
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
    // Until all functions are known, it is unknown which documents can be left out.
    if (isKnown && tasks.free() > 0 && !merging.isGoing()) merging.begin(waiting.count() > 0);
    waiting.arrived();
  }

  function renew(id: number) {
    const held = places.segments.get(id);
    // One that is being merged is found damaged by that, too.
    if (isClosed || !held || merging.isAt(id)) return;
    log.warn({ codes: held.view.codes }, 'search: segment damaged, rebuilding');
    places.giveUp(held);
  }

  const isUsed = (sha256: string) => (table.named(sha256)?.uses ?? 0) > 0;

  /** Answers when to look again. */
  async function look(): Promise<number> {
    const isLater = isKnown && (await files.look(isUsed, places.holds).catch(warn));
    return isLater ? deadMs : LOOK_MS;
  }

  const warn = (error: unknown) => log.warn({ err: error }, 'search: the folder of the index can’t be read');

  return {
    opened() {
      opening ??= files
        .open(table.newNumber, (view, names) => places.takeKept(view, names))
        // Then all is read from the blobs.
        .catch(warn);
      return opening;
    },
    use(sha256) {
      const code = table.named(sha256) ?? waiting.addNew(sha256);
      code.uses += 1;
      places.lives(code);
      return code.number;
    },
    release(number) {
      const code = table.numbered(number);
      if (code && --code.uses === 0) places.died(code);
    },
    rush(given) {
      isRushed = given;
      schedule();
    },
    known() {
      if (isKnown) return;
      isKnown = true;
      for (const code of table.all()) if (code.uses === 0) places.died(code);
      // What two of them have is dead in one of them.
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

/** Scheduled looks, one after the other. */
type DebouncedTask = {
  /** The next one comes so soon at the latest. */
  soon(ms: number): void;
  /** Resolves when none is going, and none comes any more. */
  close(): Promise<void>;
};

/** `look` answers when the next one is due. */
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
