/** Worker that indexes events for text and field search; see store/search/search-blocks.ts. */
import type { Services } from '../../platform/context.ts';
import { createLoop, type Worker } from '../../platform/loop.ts';
import { indexNext } from '../store/search/search-blocks.ts';

const POLL_MS = 10_000;
/** While more events are left, the pause between blocks is this many times the time of a block. */
const PAUSE_SHARE = 2;

export function createSearchIndexer({ db, log }: Pick<Services, 'db' | 'log'>): Worker {
  return createLoop({
    name: 'search indexer',
    log,
    everyMs: POLL_MS,
    async work() {
      const startedMs = performance.now();
      return (await indexNext(db)) ? (performance.now() - startedMs) * PAUSE_SHARE : POLL_MS;
    },
  });
}
