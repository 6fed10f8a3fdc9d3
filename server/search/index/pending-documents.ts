/**
 * Documents that are queued to be read: the next ones to read, the callers that wait until all are read, and the
 * retries of those that could not be read. A builder reads few of them into memory, many into a segment.
 */
import type { Logger } from 'pino';
import type { CodeChange, Missing } from '../messages.ts';
import type { Done, Tasks } from '../threads/builders.ts';
import type { Code, CodeTable, Places } from './places.ts';

export type PendingDocuments = {
  add(code: Code): void;
  /** Adds a document that the table does not have, and queues it. */
  addNew(sha256: string): Code;
  /** The number of queued documents. */
  count(): number;
  /** Removes up to `most` documents from the queue; returns those that are still referenced. */
  take(most: number): Code[];
  /**
   * Records the result: the first `read` of these documents were read, except the missing ones. The others are queued
   * again.
   */
  taken(codes: Code[], read: number, missing: readonly Missing[]): void;
  /** Whether no document is queued or being read. */
  isSettled(): boolean;
  /** Resolves when no document is queued or being read. */
  settled(): Promise<void>;
  /** Resolves the waiting callers when no document is queued or being read. */
  arrived(): void;
  /** Cancels the retries and resolves the waiting callers. */
  close(): void;
};

/** Delay before a document that could not be read is read again; it doubles each time. */
const RETRY_MS = 500;
const LONGEST_RETRY_MS = 30_000;
/** Each cause is logged at most once in this time. */
const LOG_MS = 60_000;

/** `schedule` is called once for documents that are added together, such as a page of functions. */
export function createPendingDocuments(
  table: CodeTable,
  log: Pick<Logger, 'warn'>,
  schedule: () => void,
): PendingDocuments {
  let queue: Code[] = [];
  /** Documents queued or being read. */
  let count = 0;
  let isScheduled = false;
  let isClosed = false;
  const waiters: (() => void)[] = [];
  /** By cause: when it may be logged again. */
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

  function report(missed: { code: Code; found: Missing }[]) {
    const inUse = missed.filter(({ code }) => code.uses > 0);
    for (const [cause, each] of Map.groupBy(inUse, ({ found }) => found.cause)) {
      if (performance.now() < (quietUntilMs.get(cause) ?? 0)) continue;
      quietUntilMs.set(cause, performance.now() + LOG_MS);
      const code_sha256 = each[0]?.code.sha256;
      const reason = each[0]?.found.reason;
      log.warn({ cause, reason, documents: each.length, code_sha256 }, 'search: documents could not be read, retrying');
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
      const misses = new Map(missing.map((each) => [each.number, each]));
      const missed: { code: Code; found: Missing }[] = [];
      for (const code of codes.slice(0, read)) {
        count -= 1;
        const found = misses.get(code.number);
        if (!found) continue;
        miss(code);
        missed.push({ code, found });
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

/** Reads the queued documents: few into memory, many into a segment. */
export type Reading = {
  /** Sends the next documents to a builder. */
  begin(): void;
};
type Ways = {
  table: CodeTable;
  tasks: Tasks;
  waiting: PendingDocuments;
  places: Pick<Places, 'takeFresh' | 'takeSegment'>;
  publish: (change: CodeChange) => Promise<void>;
};

/** Up to this many documents are read into memory. */
const FRESH_CODES = 64;
const TASK_CODES = 30_000;

export function createReading({ table, tasks, waiting, places, publish }: Ways): Reading {
  let most = TASK_CODES;
  let hasMissing = false;

  function take(codes: ReturnType<PendingDocuments['take']>, answer: Done) {
    // After a failure the batch grows slowly: where nothing can be written, each large one fails again.
    most = Math.min(TASK_CODES, 2 * most);
    waiting.taken(codes, codes.length - ('left' in answer ? answer.left : 0), answer.missing);
    if ('fresh' in answer) places.takeFresh(answer.fresh);
    else if (answer.segment) places.takeSegment(answer.segment, []);
    publishMissing(answer.missing.length > 0);
  }

  function fail(codes: ReturnType<PendingDocuments['take']>) {
    // Documents that fail together may succeed one by one.
    most = Math.max(1, Math.floor(codes.length / 2));
    const [only, more] = codes;
    if (only && !more) {
      waiting.taken(codes, 1, [{ number: only.number, cause: 'FAILED' }]);
      publishMissing(true);
    } else waiting.taken(codes, 0, []);
  }

  /** Sends the missing documents before waiting searches continue, so that those report truncated results. */
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
