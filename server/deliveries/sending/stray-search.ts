import type { Services } from '../../platform/context.ts';
import { createLoop, type Worker } from '../../platform/loop.ts';
import { BEAT_MS, type Held, nameOf, releaseStrays } from './leases.ts';

/** Releases leases that two searches in a row found stray. `held`: all leases that this node holds. */
export function createStraySearch(services: Services, held: () => Held[]): Worker {
  let strays: ReadonlySet<string> = new Set();
  return createLoop({
    name: 'search for strays',
    log: services.log,
    everyMs: BEAT_MS,
    async work() {
      strays = await releaseStrays(services, () => new Set(held().map(nameOf)), strays);
      return undefined;
    },
  });
}
