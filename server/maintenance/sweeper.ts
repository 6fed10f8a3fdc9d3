/** Worker that runs the duties of sweep.ts hourly, such as creating the partitions of the next days. */
import type { Services } from '../platform/context.ts';
import { createLoop, type Worker } from '../platform/loop.ts';
import { sweep, sweepAtStart } from './sweep.ts';

const HOUR_MS = 3_600_000;
/** Delay after the start for duties that are not run at the start. */
const AFTER_START_MS = 600_000;

export function createSweeper(services: Services): Worker {
  let isStarting = true;
  return createLoop({
    name: 'sweeper',
    log: services.log,
    everyMs: HOUR_MS,
    async work() {
      if (!isStarting) {
        await sweep(services);
        return undefined;
      }
      isStarting = false;
      await sweepAtStart(services);
      return AFTER_START_MS;
    },
  });
}
