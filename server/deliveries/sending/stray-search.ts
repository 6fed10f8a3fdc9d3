import type { Services } from '../../platform/context.ts';
import { createLoop, type Worker } from '../../platform/loop.ts';
import { BEAT_MS, freeStrays, type Held, nameOf } from './leases.ts';

/** Frees strays that two searches in a row have found. `held`: all leases that this node holds. */
export function createStraySearch(services: Services, held: () => Held[]): Worker {
  let strays: ReadonlySet<string> = new Set();
  return createLoop({
    name: 'search for strays',
    log: services.log,
    everyMs: BEAT_MS,
    async work() {
      strays = await freeStrays(services, () => new Set(held().map(nameOf)), strays);
      return undefined;
    },
  });
}
