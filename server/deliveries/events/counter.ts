/** Worker that aggregates event outcomes for the charts; see store/figures.ts. */
import type { Services } from '../../platform/context.ts';
import { createLoop, type Worker } from '../../platform/loop.ts';
import { noteUncounted, rollUp } from './figures.ts';

export function createCounter(services: Services): Worker {
  let isNoted = false;
  return createLoop({
    name: 'counter',
    log: services.log,
    everyMs: 60_000,
    async work() {
      if (!isNoted) await noteUncounted(services);
      isNoted = true;
      return rollUp(services);
    },
  });
}
