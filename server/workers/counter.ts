/** Adds up what became of events, for the charts; store/figures.ts tells the story. */
import type { Services } from '../services/context.ts';
import { addUp } from '../services/figures.ts';
import { createLoop, type Worker } from './loop.ts';

export function createCounter(services: Services): Worker {
  return createLoop({
    name: 'counter',
    log: services.log,
    everyMs: 60_000,
    work: () => addUp(services),
  });
}
