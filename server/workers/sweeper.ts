/** Housekeeping, hourly: partitions are made before their day begins and dropped after their retention, and leases of nodes that are gone are freed. */
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
