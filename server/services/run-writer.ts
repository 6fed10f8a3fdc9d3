/**
 * Runs on their way to the database: what all that go on here have to say gathers for a moment and leaves together, in
 * one statement at a time (store/run-batch.ts). A run that is over before its beginning has left is stored once, as a
 * whole. Calls don't wait for it; whoever reads runs on this node sees what has begun (`settle`), and a run that is over
 * is told to live readers once it is stored. What the database doesn't take is tried again for a while, and while very
 * much waits no new runs begin (`isFull`).
 */
import { setTimeout as wait } from 'node:timers/promises';
import { Going } from '../lib/going.ts';
import { msOf } from '../lib/ids.ts';
import type { LogLine } from '../runtime/run-log.ts';
import type { RunsTable } from '../store/function-tables.ts';
import * as store from '../store/run-batch.ts';
import { keepLines, type Mark, type SaidLine, spelled } from '../store/run-lines.ts';
import type { Db } from '../store/schema.ts';
import type { Services } from './context.ts';

/** A run as it is written. */
export type RunPen = {
  add(line: LogLine): void;
  /** Writes the last lines and the end, soon when it `isAwaited`. Resolves when they are stored, or were given up. */
  end(end: store.RunEnd, isAwaited: boolean): Promise<void>;
};

type Key = Pick<RunsTable, 'account_id' | 'function_id' | 'run_id'>;
type Entry = {
  key: Key;
  version: number;
  begun: (end: store.RunEnd | undefined, log: string | null) => RunsTable;
  isStored: boolean;
  lines: SaidLine[];
  /** How many lines there were so far, and when the last of them was. */
  said: number;
  saidAtMs: number;
  end: store.RunEnd | undefined;
  /** When it is to leave, on the clock of performance.now(). */
  dueMs: number;
  /** Of what waits. */
  bytes: number;
  tries: number;
  /** Told when the beginning is stored, and when all is. */
  onStored: (() => void)[];
  onEnded: () => void;
};
type Sent = { entry: Entry; withStart: boolean; lines: SaidLine[]; end: store.RunEnd | undefined };

/** A run that goes on is there this much later at most; whoever follows the log sees a line so late. */
const BEGIN_MS = 20;
const LINE_MS = 50;
/** The end of a run waits so long for company, and less where somebody waits for the record. */
const END_MS = 20;
const AWAITED_MS = 3;
const BATCH_RUNS = 500;
const BATCH_LINES = 2000;
const BATCH_BYTES = 4 * 1024 * 1024;
/** So many lines don't wait for the clock. */
const MANY_LINES = 2000;
const MOST_RUNS = 5000;
const MOST_BYTES = 64 * 1024 * 1024;
/** A database that is being restarted should cost nobody the record of a run. */
const WAITS_MS = [250, 1000, 4000, 4000, 4000, 4000];

const GOES_ON = { status: 'RUNNING', duration_ms: null } as const;

type Writer = {
  /** `begun` makes the row: as a whole, where the run has ended. */
  begin(key: Key, version: number, begun: Entry['begun']): RunPen;
  isFull(): boolean;
  settle(isMeant: (key: Key) => boolean): Promise<void>;
};
/** By database, as each service of a process has its own. */
const writers = new WeakMap<Db, Writer>();

export function runWriter(services: Pick<Services, 'db' | 'log' | 'live'>): Writer {
  const writer = writers.get(services.db) ?? createWriter(services);
  writers.set(services.db, writer);
  return writer;
}

/** Until the runs of this node that are meant, and have begun, can be read. */
export async function settleRuns(db: Db, isMeant: (key: Key) => boolean): Promise<void> {
  await writers.get(db)?.settle(isMeant);
}

function createWriter({ db, log, live }: Pick<Services, 'db' | 'log' | 'live'>): Writer {
  /** Those that are not over, or not stored. */
  const open = new Going<string, Entry>();
  /** Those that have something to store. */
  const dirty = new Going<string, Entry>();
  let bytes = 0;
  let lines = 0;
  let timer: NodeJS.Timeout | undefined;
  let dueMs = Number.POSITIVE_INFINITY;
  let isWriting = false;

  function touch(entry: Entry, withinMs: number): void {
    const atMs = performance.now() + withinMs;
    // What is over leaves as a whole, so its beginning needs no haste any more.
    const { run_id } = entry.key;
    entry.dueMs = dirty.has(run_id) && !entry.end ? Math.min(entry.dueMs, atMs) : atMs;
    dirty.set(run_id, entry);
    if (atMs >= dueMs) return;
    dueMs = atMs;
    clearTimeout(timer);
    if (withinMs > 0) timer = setTimeout(flush, withinMs);
    else flush();
  }

  /** One batch at a time: what comes meanwhile gathers for the next. */
  function flush(): void {
    if (isWriting) return;
    isWriting = true;
    clearTimeout(timer);
    void writeAll().finally(() => {
      isWriting = false;
      clearTimeout(timer);
      dueMs = Number.POSITIVE_INFINITY;
      for (const entry of dirty.values()) dueMs = Math.min(dueMs, entry.dueMs);
      if (dirty.size === 0) return;
      const leftMs = dueMs - performance.now();
      if (leftMs > 0) timer = setTimeout(flush, leftMs);
      else flush();
    });
  }

  /** All that is to leave now. */
  async function writeAll(): Promise<void> {
    for (let left = dirty.size; left > 0; ) {
      const batch = take();
      if (batch.length === 0) return;
      left -= batch.length;
      const gathered = gather(batch);
      await send(gathered.fresh, () => store.storeNew(db, gathered.rows));
      await send(gathered.others, () => store.store(db, gathered.parts));
    }
  }

  async function send(batch: Sent[], write: () => Promise<void>): Promise<void> {
    if (batch.length === 0) return;
    const error = await errorOf(write());
    if (error === null) for (const sent of batch) stored(sent);
    else if (isOfTheData(error) && batch.length > 1) await oneByOne(batch);
    else await failed(batch, error);
  }

  function take(): Sent[] {
    const batch: Sent[] = [];
    let room = BATCH_LINES;
    let size = 0;
    const nowMs = performance.now();
    for (const entry of dirty.values()) {
      // It may be over before its beginning has to be there: then one row does for both.
      if (!entry.isStored && !entry.end && entry.dueMs > nowMs) continue;
      if (batch.length === BATCH_RUNS || room === 0 || size > BATCH_BYTES) break;
      const some = entry.lines.length > room ? entry.lines.splice(0, room) : entry.lines;
      if (some === entry.lines) {
        entry.lines = [];
        dirty.delete(entry.key.run_id);
      } else entry.dueMs = 0;
      room -= some.length;
      size += entry.bytes;
      // A run that is over is complete: its end doesn't go before its lines.
      const end = entry.lines.length > 0 ? undefined : entry.end;
      batch.push({ entry, withStart: !entry.isStored, lines: some, end });
    }
    return batch;
  }

  /** As rows. Runs that are new, and have nothing to say beside their rows, go by themselves. */
  function gather(batch: Sent[]) {
    const rows: RunsTable[] = [];
    const parts: store.RunBatch = { begun: [], ended: [], lines: [] };
    const [fresh, others]: [Sent[], Sent[]] = [[], []];
    for (const sent of batch) {
      const { entry, withStart, lines: said, end } = sent;
      const { key, version } = entry;
      // A row that may be there already isn't written over: then its lines have rows of their own.
      const isNew = withStart && entry.tries === 0;
      const { log, kept } = isNew ? keepLines(key.run_id, said) : { log: null, kept: 0 };
      const isFresh = isNew && kept === said.length;
      (isFresh ? fresh : others).push(sent);
      if (withStart) (isFresh ? rows : parts.begun).push(entry.begun(end, log));
      else if (end) parts.ended.push({ ...key, ...end });
      if (kept === said.length) continue;
      const { status, duration_ms } = entry.end ?? GOES_ON;
      const run = { run_id: key.run_id, version, status, duration_ms };
      for (const line of said.slice(kept)) parts.lines.push({ ...key, ...spelled(line, run) });
    }
    return { fresh, rows, others, parts };
  }

  function stored({ entry, withStart, lines: said, end }: Sent): void {
    entry.isStored = true;
    entry.tries = 0;
    lines -= said.length;
    for (const told of entry.onStored.splice(0)) told();
    if (withStart || end) {
      const { account_id, run_id, function_id } = entry.key;
      live.publish(account_id, { noun: 'run', run_id, function_id, status: end ? end.status : 'RUNNING' });
    }
    if (end) close(entry);
    else if (!dirty.has(entry.key.run_id)) {
      bytes -= entry.bytes;
      entry.bytes = 0;
    }
  }

  function close(entry: Entry): void {
    open.delete(entry.key.run_id);
    dirty.delete(entry.key.run_id);
    bytes -= entry.bytes;
    entry.bytes = 0;
    lines -= entry.lines.length;
    entry.lines = [];
    for (const told of entry.onStored.splice(0)) told();
    entry.onEnded();
  }

  /** What can't be stored is not to keep other runs from it. */
  async function oneByOne(batch: Sent[]): Promise<void> {
    for (const sent of batch) {
      const { rows, parts } = gather([sent]);
      parts.begun.push(...rows);
      const error = await errorOf(store.store(db, parts));
      if (error === null) stored(sent);
      else await failed([sent], error);
    }
  }

  /** It stays in line for the next attempt, or is given up. */
  async function failed(batch: Sent[], error: Error): Promise<void> {
    let tries = 0;
    for (const { entry, lines: said } of batch) {
      entry.lines = [...said, ...entry.lines];
      entry.tries += 1;
      tries = Math.max(tries, entry.tries);
      if (entry.tries <= WAITS_MS.length) {
        entry.dueMs = 0;
        dirty.set(entry.key.run_id, entry);
      } else {
        log.error({ err: error, run_id: entry.key.run_id }, 'a run could not be stored');
        close(entry);
      }
    }
    log.warn({ err: error, runs: batch.length }, 'runs wait: they could not be stored');
    if (!isOfTheData(error)) await wait(WAITS_MS[tries - 1] ?? 0);
  }

  function mark(entry: Entry, what: Mark, timestamp: number): void {
    entry.lines.push({ seq: entry.said++, at_ms: later(entry, timestamp), mark: what });
    lines += 1;
  }

  function weigh(entry: Entry, weight: number): void {
    entry.bytes += weight;
    bytes += weight;
  }

  return {
    isFull: () => open.size > MOST_RUNS || bytes > MOST_BYTES,
    begin(key, version, begun) {
      const ended = Promise.withResolvers<void>();
      const entry: Entry = {
        key,
        version,
        begun,
        isStored: false,
        lines: [],
        said: 0,
        saidAtMs: msOf(key.run_id),
        end: undefined,
        dueMs: Number.POSITIVE_INFINITY,
        bytes: 0,
        tries: 0,
        onStored: [],
        onEnded: ended.resolve,
      };
      mark(entry, 'START', Date.now());
      open.set(key.run_id, entry);
      touch(entry, BEGIN_MS);
      return {
        add({ timestamp, level, message }) {
          const text = (message.includes('\0') ? message.replaceAll('\0', '\ufffd') : message).toWellFormed();
          entry.lines.push({ seq: entry.said++, at_ms: later(entry, timestamp), level, message: text });
          weigh(entry, text.length);
          lines += 1;
          touch(entry, lines >= MANY_LINES ? 0 : LINE_MS);
        },
        end(end, isAwaited) {
          entry.end = end;
          const nowMs = Date.now();
          mark(entry, 'END', nowMs);
          mark(entry, 'REPORT', nowMs);
          weigh(entry, end.request.length + (end.response_body?.length ?? 0));
          touch(entry, isAwaited ? AWAITED_MS : END_MS);
          return ended.promise;
        },
      };
    },
    async settle(isMeant) {
      const waits: Promise<void>[] = [];
      for (const entry of open.values()) {
        if (entry.isStored || !isMeant(entry.key)) continue;
        waits.push(new Promise((told) => entry.onStored.push(told)));
        touch(entry, 0);
      }
      await Promise.all(waits);
    },
  };
}

/** Readers walk by time: a line is never earlier than the one before it, or than its run, whatever clock said so. */
function later(entry: Entry, timestamp: number): number {
  entry.saidAtMs = Math.max(entry.saidAtMs, Number.isFinite(timestamp) ? Math.trunc(timestamp) : 0);
  return entry.saidAtMs;
}

async function errorOf(work: Promise<void>): Promise<Error | null> {
  try {
    await work;
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** The database is there, and takes others. */
function isOfTheData(error: Error): boolean {
  return 'code' in error && /^(?:2[0-9]|42|54)/.test(String(error.code));
}
