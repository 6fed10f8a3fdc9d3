/** Codes that wait to be read: which are next, who waits until all are read, and which couldn't be. */
import type { Logger } from 'pino';
import type { Code, CodeTable } from './code-table.ts';

export type Waiting = {
  add(code: Code): void;
  /** How many may be taken. */
  count(): number;
  /** The next ones that somebody still has; as many as that at most. */
  take(most: number): Code[];
  /** The first `read` of those that were taken were read, but for the missing; the others wait again. */
  taken(codes: Code[], read: number, missing: readonly number[]): void;
  /** Whether none waits, or was taken and isn't read yet. */
  isSettled(): boolean;
  /** Resolves when that is so. */
  settled(): Promise<void>;
  /** Tells those who wait if that is so. */
  arrived(): void;
  /** Nothing is tried again, and nobody waits any more. */
  close(): void;
};

const RETRY_MS = 30_000;

/** `schedule` is called once for all that come together, such as a page of functions. */
export function createWaiting(table: CodeTable, log: Pick<Logger, 'warn'>, schedule: () => void): Waiting {
  let queue: Code[] = [];
  /** Those that were taken among them. */
  let count = 0;
  let isScheduled = false;
  let isClosed = false;
  const waiters: (() => void)[] = [];

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
    if (code.uses > 0) log.warn({ code_sha256: code.sha256 }, 'search: a bundle can’t be read');
    setTimeout(() => {
      if (isClosed) return;
      if (code.uses > 0) add(code);
      else table.drop(code);
    }, RETRY_MS).unref();
  }

  return {
    add,
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
      const gone = new Set(missing);
      for (const code of codes.slice(0, read)) {
        count -= 1;
        if (gone.has(code.number)) miss(code);
      }
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
