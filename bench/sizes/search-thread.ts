/** The memory and the start of one search thread with many functions, as the service sends them. Their code is absent. */
import { randomUUID } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { Entry } from '../../server/search/catalogue.ts';
import {
  createProgress,
  type FromSearcher,
  NONE_ALONE,
  type Order,
  type SearcherData,
  sharedClockMs,
  type ToSearcher,
} from '../../server/search/messages.ts';

/** `firstMs`: the first search after all functions have arrived; `nextMs`: the median of those after it. */
export type SearchThread = {
  functions: number;
  hasNames: boolean;
  heapMb: number;
  loadSeconds: number;
  firstMs: number;
  nextMs: number;
};

const PAGE = 2000;
const WORDS = ['order', 'sync', 'invoice', 'mail', 'report', 'customer', 'refund', 'webhook', 'stock', 'price'];

const wordsOf = (n: number, count: number) =>
  Array.from({ length: count }, (_, at) => WORDS[Math.floor(n / 7 ** at) % WORDS.length]).join(' ');

/** Two versions each, with different code; a hundred functions of each account. */
const functionOf = (n: number): Entry => ({
  function_id: randomUUID(),
  account_id: `00000000-0000-7000-8000-${String(Math.floor(n / 100)).padStart(12, '0')}`,
  name: `${wordsOf(n, 2)} ${n}`,
  description: wordsOf(n, 8),
  runtime: 'nodejs24.x',
  visibility: n % 2 === 0 ? 'PUBLIC' : 'PRIVATE',
  version: 2,
  code: 2 * n + 1,
  versions: [
    [1, 2 * n],
    [2, 2 * n + 1],
  ],
  score: (n * 7919) % 1000,
  deployed_ms: Date.now(),
  slot: 0,
});

/** Starts a search thread, sends it `functions` functions, and searches. */
export async function searchThread(functions: number, hasNames: boolean): Promise<SearchThread> {
  const workerData = { hasNames, turns: new Int32Array(new SharedArrayBuffer(4)) } satisfies SearcherData;
  const worker = new Worker(new URL('../../server/search/threads/searcher.ts', import.meta.url), { workerData });
  const post = (message: ToSearcher) => worker.postMessage(message);
  const until = (isIt: (message: FromSearcher) => boolean) =>
    new Promise<void>((resolve) => {
      const take = (message: FromSearcher) => {
        if (!isIt(message)) return;
        worker.off('message', take);
        resolve();
      };
      worker.on('message', take);
    });
  let job = 0;
  const search = async () => {
    job += 1;
    const startMs = performance.now();
    const ended = until((message) => 'end' in message && message.job === job);
    const progress = createProgress(1, LIMIT).memory;
    post({ job, order: orderOf(job), progress, share: { share: 0, shares: 1, alone: NONE_ALONE } });
    await ended;
    return performance.now() - startMs;
  };
  /** Resolves when the thread has taken everything sent before. */
  const taken = (isMoreToCome: boolean) => {
    const loaded = until((message) => 'loaded' in message);
    post({ entries: '[]', removed: [], isMoreToCome, isLast: true });
    return loaded;
  };
  await until((message) => 'started' in message);
  const before = await worker.getHeapStatistics();
  const startMs = performance.now();
  for (let from = 0; from < functions; from += PAGE) {
    const entries = Array.from({ length: Math.min(PAGE, functions - from) }, (_, at) => functionOf(from + at));
    post({ entries: JSON.stringify(entries), removed: [], isMoreToCome: true });
    // The thread takes a page before the next one is made: otherwise all of them would wait in memory.
    if (from % (20 * PAGE) === 0) await taken(true);
  }
  await taken(false);
  const loadSeconds = (performance.now() - startMs) / 1000;
  const firstMs = await search();
  const later: number[] = [];
  for (let times = 0; times < 21; times++) later.push(await search());
  const after = await worker.getHeapStatistics();
  await worker.terminate();
  const sizeOf = (heap: typeof before) => heap.used_heap_size + heap.external_memory;
  const nextMs = later.sort((a, b) => a - b)[10] ?? 0;
  return { functions, hasNames, heapMb: (sizeOf(after) - sizeOf(before)) / 1e6, loadSeconds, firstMs, nextMs };
}

const LIMIT = 25;

/** A literal in the public functions; each search has another one. */
const orderOf = (n: number): Order => ({
  scope: { account_id: '00000000-0000-7000-8000-000000000001', owner: 'ALL' },
  paths: [],
  runtime: undefined,
  limit: LIMIT,
  untilMs: sharedClockMs() + 600_000,
  code: { mode: 'literal', query: `absent text ${n}`, caseSensitive: true },
  context: 0,
  history: false,
});
