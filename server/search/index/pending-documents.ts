/** Codes that wait to be read: which are next, who waits until all are read, and which couldn't be and are read again. */
import type { Logger } from 'pino';
import type { Code, CodeTable } from '../code-table.ts';
import type { Missing } from '../messages.ts';

export type PendingDocuments = {
  add(code: Code): void;
  /** Adds a code that the table does not have. */
  addNew(sha256: string): Code;
  /** How many may be taken. */
  count(): number;
  /** The next ones that somebody still has; as many as that at most. */
  take(most: number): Code[];
  /** The first `read` of those that were taken were read, but for the missing; the others wait again. */
  taken(codes: Code[], read: number, missing: readonly Missing[]): void;
  /** Whether none waits, or was taken and isn't read yet. */
  isSettled(): boolean;
  /** Resolves when that is so. */
  settled(): Promise<void>;
  /** Notifies the waiters if that is so. */
  arrived(): void;
  /** Nothing is tried again, and no caller waits any more. */
  close(): void;
};

/** A document that could not be read is read again after this long, twice as long each time. */
const RETRY_MS = 500;
const LONGEST_RETRY_MS = 30_000;
/** How often each cause is logged. */
const LOG_MS = 60_000;

/** `schedule` is called once for all that come together, such as a page of functions. */
export function createPendingDocuments(
  table: CodeTable,
  log: Pick<Logger, 'warn'>,
  schedule: () => void,
): PendingDocuments {
  let queue: Code[] = [];
  /** Those that were taken among them. */
  let count = 0;
  let isScheduled = false;
  let isClosed = false;
  const waiters: (() => void)[] = [];
  /** By cause. */
  const quietUntilMs = new Map<string, number>();

  function add(code: Code) {
    code.at = 'WAITING';
    queue.push(code);
    count += 1;
    if (isScheduled) return;
    isScheduled = true;
    queueMicrotask(() => {
      isScheduled = false;
      schedule();
    });
  }

  function miss(code: Code) {
    code.at = 'MISSING';
    code.misses += 1;
    const delayMs = Math.min(LONGEST_RETRY_MS, RETRY_MS * 2 ** (code.misses - 1));
    setTimeout(() => {
      if (isClosed) return;
      if (code.uses > 0) add(code);
      else table.drop(code);
    }, delayMs).unref();
  }

  function report(missed: { code: Code; cause: string }[]) {
    const inUse = missed.filter(({ code }) => code.uses > 0);
    for (const [cause, each] of Map.groupBy(inUse, (miss) => miss.cause)) {
      if (performance.now() < (quietUntilMs.get(cause) ?? 0)) continue;
      quietUntilMs.set(cause, performance.now() + LOG_MS);
      const code_sha256 = each[0]?.code.sha256;
      log.warn({ cause, documents: each.length, code_sha256 }, 'search: documents could not be read, retrying');
    }
  }

  return {
    add,
    addNew(sha256) {
      const code = table.add(sha256, 'WAITING');
      add(code);
      return code;
    },
    count: () => queue.length,
    take(most) {
      const next = queue.splice(0, most);
      const used = next.filter((code) => code.uses > 0);
      count -= next.length - used.length;
      for (const code of next) if (code.uses === 0) table.drop(code);
      for (const code of used) code.at = 'TAKEN';
      return used;
    },
    taken(codes, read, missing) {
      const causes = new Map(missing.map(({ number, cause }) => [number, cause]));
      const missed: { code: Code; cause: string }[] = [];
      for (const code of codes.slice(0, read)) {
        count -= 1;
        const cause = causes.get(code.number);
        if (cause === undefined) continue;
        miss(code);
        missed.push({ code, cause });
      }
      report(missed);
      const left = codes.slice(read);
      for (const code of left) code.at = 'WAITING';
      queue = [...left, ...queue];
    },
    isSettled: () => count === 0,
    settled() {
      if (count === 0) return Promise.resolve();
      return new Promise((resolve) => waiters.push(resolve));
    },
    arrived() {
      if (count === 0) for (const resolve of waiters.splice(0)) resolve();
    },
    close() {
      isClosed = true;
      for (const resolve of waiters.splice(0)) resolve();
    },
  };
}
