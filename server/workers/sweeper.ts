/** Housekeeping, hourly: what services/sweep.ts lists, such as making the partitions of coming days. */
import type { Services } from '../services/context.ts';
import { sweep } from '../services/sweep.ts';
import { createLoop, type Worker } from './loop.ts';

const HOUR_MS = 3_600_000;

export function createSweeper(services: Services): Worker {
  return createLoop({
    name: 'sweeper',
    log: services.log,
    everyMs: HOUR_MS,
    async work() {
      await sweep(services);
      return undefined;
    },
  });
}
