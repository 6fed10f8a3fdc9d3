/** The worker that processes pending webhook registrations and removals; see registration.ts. */
import type { Services } from '../../platform/context.ts';
import { createLoop, type Worker } from '../../platform/loop.ts';
import { drainRegistrations, releaseLeases, settleDue } from './registration.ts';

/** Maximum sleep: a row that another node did not finish is noticed after this time. */
const LOOK_MS = 5_000;

/** `soleNode`: no other process can use this database, so rows leased before the start have no owner. */
export function createRegistrar(services: Services, { soleNode }: { soleNode: boolean }): Worker {
  const loop = createLoop({
    name: 'registrar',
    log: services.log,
    everyMs: LOOK_MS,
    work: () => settleDue(services),
  });
  return {
    ...loop,
    async start() {
      if (soleNode) await releaseLeases(services);
      await loop.start();
    },
    async drain() {
      await loop.drain();
      await drainRegistrations(services);
    },
  };
}
