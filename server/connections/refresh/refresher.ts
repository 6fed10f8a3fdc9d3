/** The worker that refreshes tokens before they expire; one node at a time does it. See token-refresh.ts. */
import type { Services } from '../../platform/context.ts';
import { createLoop, type Worker } from '../../platform/loop.ts';
import { refreshDue } from './refresh-due.ts';

export function createRefresher(services: Services): Worker {
  return createLoop({
    name: 'refresher',
    log: services.log,
    everyMs: 60_000,
    work: () => refreshDue(services),
  });
}
