/**
 * Lines of runs on their way to the database: those of one run gather for a moment, then leave together with those of
 * others that go on here. All of a run's lines are stored by the time its `close` resolves.
 */
import { createBatcher } from '../lib/batcher.ts';
import type { LogLine } from '../runtime/run-log.ts';
import type { RunLogBatch, RunLogLine } from '../store/run-logs.ts';
import * as store from '../store/run-logs.ts';
import type { Db } from '../store/schema.ts';
import type { Services } from './context.ts';

export type RunLogWriter = {
  add(line: LogLine): void;
  /** Writes what is left; when that fails it is still there for another try. */
  close(): Promise<void>;
};

/** Whoever follows the log sees a line this late at most. */
const FLUSH_AFTER_MS = 50;
const BATCH_LINES = 500;

export function openRunLog(
  { db, log }: Pick<Services, 'db' | 'log'>,
  run: { account_id: string; function_id: string; run_id: string },
): RunLogWriter {
  let waiting: RunLogLine[] = [];
  let seq = 0;
  let last = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const write = async () => {
    clearTimeout(timer);
    timer = undefined;
    while (waiting.length > 0) {
      const lines = waiting.slice(0, BATCH_LINES);
      const error = await writerOf(db).add({ ...run, lines });
      if (error !== null) throw error;
      waiting = waiting.slice(lines.length);
    }
  };
  /** A batch that could not be written stays in line for the next attempt. */
  const flush = () => {
    writing = writing
      .then(write)
      .catch((error: unknown) => log.warn({ err: error, run_id: run.run_id }, 'log lines wait: they were not stored'));
  };

  return {
    add({ timestamp, level, message }) {
      // Readers walk by time: a line is never earlier than the one before it, whatever clock said so.
      last = Math.max(last, Number.isFinite(timestamp) ? Math.trunc(timestamp) : 0);
      waiting.push({ seq: seq++, at_ms: last, level, message: message.replaceAll('\0', '\ufffd') });
      if (waiting.length >= BATCH_LINES) flush();
      else timer ??= setTimeout(flush, FLUSH_AFTER_MS);
    },
    async close() {
      await writing;
      await write();
    },
  };
}

type Writer = ReturnType<typeof createWriter>;
/** By database, as each service of a process has its own. */
const writers = new WeakMap<Db, Writer>();

function writerOf(db: Db): Writer {
  const writer = writers.get(db) ?? createWriter(db);
  writers.set(db, writer);
  return writer;
}

const createWriter = (db: Db) =>
  createBatcher((batches: RunLogBatch[]) => insertAll(db, batches), {
    max: 200,
    atOnce: 2,
    sizeOf: ({ lines }) => lines.length,
    maxSize: 4 * BATCH_LINES,
  });

/** What can't be stored is not to keep the lines of other runs from it: then each is tried alone. */
async function insertAll(db: Db, batches: RunLogBatch[]): Promise<(Error | null)[]> {
  const error = await insert(db, batches);
  if (error === null || batches.length === 1) return batches.map(() => error);
  const results: (Error | null)[] = [];
  for (const batch of batches) results.push(await insert(db, [batch]));
  return results;
}

async function insert(db: Db, batches: RunLogBatch[]): Promise<Error | null> {
  try {
    await store.insert(db, batches);
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
