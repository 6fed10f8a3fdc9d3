/** Worker that aggregates event outcomes for the charts; see store/figures.ts. */
import type { Services } from '../../platform/context.ts';
import { createLoop, type Worker } from '../../platform/loop.ts';
import { rollUp } from './figures.ts';

export function createCounter(services: Services): Worker {
  return createLoop({
    name: 'counter',
    log: services.log,
    everyMs: 60_000,
    work: () => rollUp(services),
  });
}
