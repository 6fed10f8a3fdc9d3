/** Registers and removes webhooks at apps where that is still to be done; see server/triggers/registration/. */
import type { Services } from '../../platform/context.ts';
import { createLoop, type Worker } from '../../platform/loop.ts';
import { drainErrands, freeErrands, settleDue } from './registration.ts';

/** The longest sleep: a hook that another node left over is seen after that. */
const LOOK_MS = 5_000;

/** `soleNode`: no other process can be using this database, so whatever was taken before the start has no owner. */
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
      if (soleNode) await freeErrands(services);
      await loop.start();
    },
    async drain() {
      await loop.drain();
      await drainErrands(services);
    },
  };
}
