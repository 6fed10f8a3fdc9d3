/**
 * Search in code. The players: this side, which knows where bundles are kept and how long an answer may take; one
 * worker thread (worker.ts), which keeps bundles in memory and scans them (scan.ts) with a compiled query (matcher.ts).
 * The event loop never runs a pattern.
 *
 * A scan goes through the bundles in the order given (the best functions first) and ends when all are looked through,
 * when one more than `limit` functions have hits, or when its time is up; the last two are `truncated`. Time is kept
 * twice: the worker looks at the clock between functions, and this side answers with what it has when the worker is
 * late. A worker that doesn't come back after that is replaced.
 *
 * Nothing here outlives the process: after a crash the cache fills again from the blobs.
 */
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { SEARCH_BUDGET_MS } from '../../contract/limits.ts';
import type { CodeQuery } from './matcher.ts';
import type { Found } from './scan.ts';
import type { FromWorker, ToWorker } from './worker.ts';

type CodeScan = {
  query: CodeQuery;
  /** Lines around each hit. */
  context: number;
  /** Functions with hits, at most. */
  limit: number;
  /** Addresses of the bundles, best first. */
  bundles: string[];
  budgetMs?: number;
};
/** `found[i]` belongs to `bundles[found[i].index]`, in their order. */
type CodeScanResult = { found: { index: number; found: Found }[]; truncated: boolean };

export type CodeSearch = {
  scan(scan: CodeScan): Promise<CodeScanResult>;
  close(): Promise<void>;
};

type Load = (bundle: string) => Promise<Uint8Array>;
type Pending = { worker: Worker; found: CodeScanResult['found']; end: (truncated: boolean) => void };

/** How late the worker may be before it is answered for, and before it is replaced. */
const LATE_MS = 100;
const STUCK_MS = 2000;

export function createCodeSearch(load: Load, log: Pick<Logger, 'warn'>): CodeSearch {
  let worker: Worker | undefined;
  let count = 0;
  const pending = new Map<number, Pending>();

  const start = (): Worker => {
    const made = new Worker(new URL('worker.ts', import.meta.url));
    made.unref();
    made.on('message', (message: FromWorker) => hear(made, message));
    made.on('error', (error) => log.warn({ err: error }, 'search: the worker failed'));
    made.on('exit', () => {
      if (worker === made) worker = undefined;
      for (const each of pending.values()) if (each.worker === made) each.end(true);
    });
    return made;
  };

  const hear = (from: Worker, message: FromWorker) => {
    if ('need' in message) return void send(from, message.need);
    const scan = pending.get(message.scan);
    if ('found' in message) scan?.found.push(message);
    else scan?.end(message.truncated);
  };

  const send = async (to: Worker, bundle: string) => {
    const bytes = await load(bundle).catch((error: unknown) => {
      log.warn({ err: error, bundle }, 'search: a bundle can’t be read');
      return null;
    });
    to.postMessage({ bundle, bytes } satisfies ToWorker);
  };

  return {
    scan({ query, context, limit, bundles, budgetMs = SEARCH_BUDGET_MS }) {
      if (bundles.length === 0) return Promise.resolve({ found: [], truncated: false });
      worker ??= start();
      const own = worker;
      const scan = ++count;
      return new Promise((resolve) => {
        const found: CodeScanResult['found'] = [];
        let answered = false;
        const answer = (truncated: boolean) => {
          if (!answered) resolve({ found: [...found], truncated });
          answered = true;
        };
        const late = setTimeout(() => {
          answer(true);
          own.postMessage({ cancel: scan } satisfies ToWorker);
        }, budgetMs + LATE_MS);
        const stuck = setTimeout(() => void own.terminate(), budgetMs + STUCK_MS);
        const end = (truncated: boolean) => {
          clearTimeout(late);
          clearTimeout(stuck);
          pending.delete(scan);
          answer(truncated);
        };
        pending.set(scan, { worker: own, found, end });
        own.postMessage({ scan, query, context, limit, bundles, budgetMs } satisfies ToWorker);
      });
    },
    async close() {
      await worker?.terminate();
    },
  };
}
