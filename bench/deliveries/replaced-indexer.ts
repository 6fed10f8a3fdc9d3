/**
 * With BENCH_INDEX=soon, indexes events after a second instead of two minutes, so that a measurement of seconds
 * includes the work for its own events. Otherwise no event is indexed.
 */
import { indexNext } from '../../server/deliveries/store/search/search-blocks.ts';
import type { Services } from '../../server/platform/context.ts';
import { createLoop, type Worker } from '../../server/platform/loop.ts';

const EARLIER_MS = 119_000;

export function createSearchIndexer({ db, log }: Pick<Services, 'db' | 'log'>): Worker {
  return createLoop({
    name: 'search indexer',
    log,
    everyMs: 250,
    async work() {
      if (process.env['BENCH_INDEX'] !== 'soon') return undefined;
      const startedMs = performance.now();
      return (await indexNext(db, Date.now() + EARLIER_MS)) ? (performance.now() - startedMs) * 2 : undefined;
    },
  });
}
