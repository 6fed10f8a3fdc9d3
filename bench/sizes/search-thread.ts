/** The memory and the start of search threads with many functions, as the service sends them. Their code is absent. */
import { randomUUID } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { SearchSort } from '../../contract/states.ts';
import {
  createProgress,
  type FromSearcher,
  NONE_ALONE,
  type SearcherData,
  sharedClockMs,
  type ThreadOrder,
  type ToSearcher,
} from '../../server/search/messages.ts';
import type { Entry } from '../../server/search/table/entry.ts';
import { FunctionTable } from '../../server/search/table/function-table.ts';

/**
 * `sharedMb`: the memory that all threads have together; `eachMb`: what each has for itself, those without names and
 * the one with names. `writeSeconds`: to write all functions; `startSeconds`: from then until all threads have them, and
 * `laterSeconds`: until another thread has. `firstMs`: the first search in this order; `nextMs`: the median of those
 * after it.
 */
export type SearchThreads = {
  functions: number;
  sharedMb: number;
  eachMb: { plain: number; named: number };
  writeSeconds: number;
  startSeconds: number;
  laterSeconds: number;
  firstMs: Record<'deployed' | 'runs', number>;
  nextMs: number;
};

const PAGE = 1000;
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
  runs: n % 3 === 0 ? n % 977 : 0,
  deployed_ms: Date.now() - ((n * 7919) % 1_000_003) * 1000,
});

/** Writes `functions` functions for two search threads, one of which indexes names; searches; starts another thread. */
export async function searchThreads(functions: number): Promise<SearchThreads> {
  const table = new FunctionTable(() => table.number);
  const threads = [await startThread(false), await startThread(true)];
  const startMs = performance.now();
  for (let from = 0; from < functions; from += PAGE) {
    const entries = Array.from({ length: Math.min(PAGE, functions - from) }, (_, at) => functionOf(from + at));
    const isMoreToCome = from + PAGE < functions;
    const change = table.change(entries, []);
    for (const { post } of threads) post({ functions: change, isMoreToCome });
    // As between the pages of the database.
    await new Promise(setImmediate);
  }
  const writtenMs = performance.now();
  await Promise.all(threads.map(({ search }) => search('relevance')));
  const readyMs = performance.now();
  // The names are indexed meanwhile, step by step; a search by words waits for it.
  await threads[1]?.words();
  const [one] = threads;
  if (!one) throw new Error('no search thread');
  const firstMs = {
    relevance: readyMs - writtenMs,
    deployed: await one.search('deployed'),
    runs: await one.search('runs'),
  };
  const later: number[] = [];
  for (let times = 0; times < 21; times++) later.push(await one.search('relevance'));
  const another = await startThread(false);
  const anotherMs = performance.now();
  another.post({ functions: table.all(), isMoreToCome: false });
  await another.search('relevance');
  const laterSeconds = (performance.now() - anotherMs) / 1000;
  const [plain = 0, named = 0] = await Promise.all(
    [another, threads[1]].map(async (thread) => (await thread?.megabytes()) ?? 0),
  );
  await Promise.all([...threads, another].map(({ end }) => end()));
  return {
    functions,
    sharedMb: table.bytes / 1e6,
    eachMb: { plain, named },
    writeSeconds: (writtenMs - startMs) / 1000,
    startSeconds: (readyMs - writtenMs) / 1000,
    laterSeconds,
    firstMs,
    nextMs: later.sort((a, b) => a - b)[10] ?? 0,
  };
}

async function startThread(hasNames: boolean) {
  const word = () => new Int32Array(new SharedArrayBuffer(4));
  const workerData = { hasNames, turns: word(), released: word() } satisfies SearcherData;
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
  /** Milliseconds until the search has ended. */
  const ask = async (order: ThreadOrder) => {
    job += 1;
    const startMs = performance.now();
    const ended = until((message) => 'end' in message && message.job === job);
    const progress = createProgress(1, LIMIT).memory;
    post({ job, order, progress, share: { share: 0, shares: 1, alone: NONE_ALONE } });
    await ended;
    return performance.now() - startMs;
  };
  const started = until((message) => 'started' in message);
  post({ functions: new FunctionTable(() => 0).all(), isMoreToCome: false });
  await started;
  for await (const _ of await worker.getHeapSnapshot());
  const before = sizeOf(await worker.getHeapStatistics());
  return {
    post,
    search: (sort: SearchSort) =>
      ask({
        ...COMMON,
        ...until60(),
        sort,
        code: { mode: 'literal', query: `absent ${job}`, caseSensitive: true },
        context: 0,
        history: false,
      }),
    words: () => ask({ ...COMMON, ...until60(), words: 'invoice' }),
    /** What it has for itself: its heap, and arrays that are not shared. */
    async megabytes() {
      // A snapshot collects garbage first.
      for await (const _ of await worker.getHeapSnapshot());
      return (sizeOf(await worker.getHeapStatistics()) - before) / 1e6;
    },
    end: () => worker.terminate(),
  };
}

const sizeOf = (heap: { used_heap_size: number; external_memory: number }) =>
  heap.used_heap_size + heap.external_memory;

const LIMIT = 25;
const until60 = () => ({ untilMs: sharedClockMs() + 600_000 });
const COMMON = {
  scope: { account_id: '', owner: 'ALL' as const },
  within: { isPublic: true, account: -1 },
  paths: [],
  runtime: undefined,
  limit: LIMIT,
};
