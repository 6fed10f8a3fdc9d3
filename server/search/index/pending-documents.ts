/**
 * Documents that wait to be read: which are next, who waits until all are read, and which couldn't be and are read
 * again. A builder reads few of them into memory, many into a segment.
 */
import type { Logger } from 'pino';
import type { CodeChange, Missing } from '../messages.ts';
import type { Done, Tasks } from '../threads/builders.ts';
import type { Code, CodeTable, Places } from './places.ts';

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

/** Reads the documents that wait: few into memory, many into a segment. */
export type Reading = {
  /** Gives the next ones to a builder. */
  begin(): void;
};
type Ways = {
  table: CodeTable;
  tasks: Tasks;
  waiting: PendingDocuments;
  places: Pick<Places, 'takeFresh' | 'takeSegment'>;
  publish: (change: CodeChange) => Promise<void>;
};

/** Fewer than this are kept in memory first. */
const FRESH_CODES = 64;
const TASK_CODES = 30_000;

export function createReading({ table, tasks, waiting, places, publish }: Ways): Reading {
  let most = TASK_CODES;
  let hasMissing = false;

  function take(codes: ReturnType<PendingDocuments['take']>, answer: Done) {
    // Where nothing can be written, all that is larger fails again.
    most = Math.min(TASK_CODES, 2 * most);
    waiting.taken(codes, codes.length - ('left' in answer ? answer.left : 0), answer.missing);
    if ('fresh' in answer) places.takeFresh(answer.fresh);
    else if (answer.segment) places.takeSegment(answer.segment, []);
    publishMissing(answer.missing.length > 0);
  }

  function fail(codes: ReturnType<PendingDocuments['take']>) {
    // Codes that fail together may succeed one by one.
    most = Math.max(1, Math.floor(codes.length / 2));
    const [only, more] = codes;
    if (only && !more) {
      waiting.taken(codes, 1, [{ number: only.number, cause: 'FAILED' }]);
      publishMissing(true);
    } else waiting.taken(codes, 0, []);
  }

  /** Threads know which documents could not be read before a search that waited for them looks. */
  function publishMissing(isChanged: boolean) {
    if (!isChanged && !hasMissing) return;
    const missing = table.missing();
    hasMissing = missing.length > 0;
    void publish({ segments: [], fresh: [], dropped: [], gone: [], missing });
  }

  return {
    begin() {
      const codes = waiting.take(most);
      if (codes.length === 0) return;
      const named = codes.map(({ number, sha256 }): [number, string] => [number, sha256]);
      tasks.run(
        codes.length <= FRESH_CODES ? { read: named } : { build: named, id: table.newNumber() },
        codes.length,
        (answer) => take(codes, answer),
        () => fail(codes),
      );
    },
  };
}
