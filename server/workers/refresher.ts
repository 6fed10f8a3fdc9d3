/** Renews tokens ahead of their end, on whichever node looks first; renewal.ts tells the story. */
import type { Services } from '../services/context.ts';
import { refreshDue } from '../services/refresh-due.ts';
import { createLoop, type Worker } from './loop.ts';

export function createRefresher(services: Services): Worker {
  return createLoop({
    name: 'refresher',
    log: services.log,
    everyMs: 60_000,
    work: () => refreshDue(services),
  });
}
