/**
 * Keeps the index: which codes there are, who refers to them, and where they lie. What an earlier process has kept is
 * there at once (kept-files.ts). A code that is new waits to be read (waiting.ts), is *fresh* (in memory, looked through
 * whole) and becomes part of a *segment* (places.ts). Small segments are merged; one with codes that nobody refers to any
 * more is written anew without them (merging.ts), and its file is closed when no thread reads it.
 */
import type { Logger } from 'pino';
import { CodeTable } from './code-table.ts';
import { createKeptFiles } from './kept-files.ts';
import { createLooks } from './looks.ts';
import { createMerging, type Merging } from './merging.ts';
import { type CodeChange, createPlaces } from './places.ts';
import { createTasks } from './tasks.ts';
import { createWaiting } from './waiting.ts';

export type IndexSize = { codes: number; segments: number; codeBytes: number; indexBytes: number; freshBytes: number };
export type Keeper = {
  /** Resolves when it has what an earlier process has kept. */
  opened(): Promise<void>;
  /** The number of a code; it is kept until as many `release` it. */
  use(sha256: string): number;
  release(number: number): void;
  /** No more comes soon, so that what waits is taken up though it is little. */
  rush(isRushed: boolean): void;
  /** All functions were read: what nobody uses now, nobody needs. */
  known(): void;
  /** Whether every code in use can be read. */
  isSettled(): boolean;
  /** Resolves when it is. */
  settled(): Promise<void>;
  /** A segment is damaged: what it has is read anew. */
  renew(segment: number): void;
  all(): CodeChange;
  size(): IndexSize;
  close(): Promise<void>;
};
export type KeeperOptions = {
  folder: string;
  blobs: string;
  log: Pick<Logger, 'warn'>;
  /** Tells all searchers; answers when `dropped` segments are read no more. */
  publish: (change: CodeChange) => Promise<void>;
  /** How long the code of nobody may stay. */
  purgeMs?: number;
  /** How long a file of another node may have the code of nobody. */
  deadMs?: number;
};

const PURGE_MS = 30_000;
const DEAD_MS = 300_000;
/** How often the files of others are looked at. */
const LOOK_MS = 3_600_000;
/** Fewer than this are kept in memory first. */
const FRESH_CODES = 64;
const ENOUGH_CODES = 8000;
const TASK_CODES = 30_000;

export function createKeeper(options: KeeperOptions): Keeper {
  const { folder, blobs, log, publish, purgeMs = PURGE_MS, deadMs = DEAD_MS } = options;
  const table = new CodeTable();
  const files = createKeptFiles(folder, log, deadMs);
  const tasks = createTasks({ folder, blobs, log, onDamaged: renew, onEnd: schedule });
  const waiting = createWaiting(table, log, schedule);
  const looks = createLooks(look);
  const places = createPlaces({
    table,
    publish,
    onLost: waiting.add,
    onDead: () => merging.purgeSoon(),
    remove: files.remove,
  });
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
  let most = TASK_CODES;
  let opening: Promise<void> | undefined;

  function schedule() {
    if (isClosed) return;
    while (tasks.free() > 0 && waiting.count() >= (isRushed ? 1 : ENOUGH_CODES)) takeUp();
    // Until all functions are known, nobody knows which codes need not come along.
    if (isKnown && tasks.free() > 0 && !merging.isGoing()) merging.begin(waiting.count() > 0);
    waiting.arrived();
  }

  /** The next codes that wait are read: few into memory, many into a segment. */
  function takeUp() {
    const codes = waiting.take(most);
    if (codes.length === 0) return;
    const named = codes.map(({ number, sha256 }): [number, string] => [number, sha256]);
    tasks.run(
      codes.length <= FRESH_CODES ? { read: named } : { build: named, id: table.newNumber() },
      codes.length,
      (answer) => {
        // Where nothing can be written, all that is larger fails again.
        most = Math.min(TASK_CODES, 2 * most);
        waiting.taken(codes, codes.length - ('left' in answer ? answer.left : 0), answer.missing);
        if ('fresh' in answer) places.takeFresh(answer.fresh);
        else if (answer.segment) places.takeSegment(answer.segment, []);
      },
      () => {
        // What can't be taken in together may be so one by one.
        most = Math.max(1, Math.floor(codes.length / 2));
        const [only, more] = codes;
        if (only && !more) waiting.taken(codes, 1, [only.number]);
        else waiting.taken(codes, 0, []);
      },
    );
  }

  function renew(id: number) {
    const held = places.segments.get(id);
    // One that is being merged is found damaged by that, too.
    if (isClosed || !held || merging.isAt(id)) return;
    log.warn({ codes: held.view.codes }, 'search: a damaged segment is made anew');
    places.giveUp(held);
  }

  const isUsed = (sha256: string) => (table.named(sha256)?.uses ?? 0) > 0;

  /** Answers when to look again. */
  async function look(): Promise<number> {
    const isLater = isKnown && (await files.look(isUsed, places.holds).catch(tellOf));
    return isLater ? deadMs : LOOK_MS;
  }

  const tellOf = (error: unknown) => log.warn({ err: error }, 'search: the folder of the index can’t be read');

  return {
    opened() {
      opening ??= files
        .open(table.newNumber, (view, names) => places.takeKept(view, names))
        // Then all is read from the blobs.
        .catch(tellOf);
      return opening;
    },
    use(sha256) {
      let code = table.named(sha256);
      if (!code) {
        code = table.add(sha256, 'WAITING');
        waiting.add(code);
      }
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
    size: () => ({
      codes: table.size,
      segments: places.segments.size,
      codeBytes: [...places.segments.values()].reduce((sum, { view }) => sum + view.codeBytes, 0),
      indexBytes: [...places.segments.values()].reduce((sum, { view }) => sum + view.indexBytes, 0),
      freshBytes: places.freshBytes(),
    }),
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
