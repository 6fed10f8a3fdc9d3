/** Lines of a run on their way to the database: in batches while it runs, all of them by the time `close` resolves. */
import type { LogLine } from '../runtime/run-log.ts';
import type { RunLogLine } from '../store/run-logs.ts';
import * as store from '../store/run-logs.ts';
import type { Services } from './context.ts';

export type RunLogWriter = {
  add(line: LogLine): void;
  /** Writes what is left; when that fails it is still there for another try. */
  close(): Promise<void>;
};

const FLUSH_AFTER_MS = 200;
const BATCH_LINES = 500;

export function openRunLog(
  { db, log }: Pick<Services, 'db' | 'log'>,
  account_id: string,
  run_id: string,
): RunLogWriter {
  let waiting: RunLogLine[] = [];
  let seq = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const write = async () => {
    clearTimeout(timer);
    timer = undefined;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH_LINES);
      await store.insert(db, account_id, run_id, batch);
      waiting = waiting.slice(batch.length);
    }
  };
  /** A batch that could not be written stays in line for the next attempt. */
  const flush = () => {
    writing = writing
      .then(write)
      .catch((error: unknown) => log.warn({ err: error, run_id }, 'log lines wait: they could not be stored'));
  };

  return {
    add({ timestamp, level, message }) {
      waiting.push({ seq: seq++, at_ms: timestamp, level, message: message.replaceAll('\0', '\ufffd') });
      if (waiting.length >= BATCH_LINES) flush();
      else timer ??= setTimeout(flush, FLUSH_AFTER_MS);
    },
    async close() {
      await writing;
      await write();
    },
  };
}
