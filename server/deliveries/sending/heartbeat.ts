import { errorFields } from '../../lib/outage-log.ts';
import type { Services } from '../../platform/context.ts';
import { createLoop } from '../../platform/loop.ts';
import * as leases from './leases.ts';

/** The heartbeat that keeps all leases of this node valid. */
export type Heartbeat = {
  start(): Promise<void>;
  /** Whether existing leases may still be used. */
  isAlive(): boolean;
  /** Ends the heartbeat, so that other nodes need not wait for its expiry. */
  leave(): Promise<void>;
};

/** `onExpired`: the heartbeat was late, and other nodes may have reclaimed the leases. */
export function createHeartbeat(services: Services, onExpired: () => void): Heartbeat {
  const { log } = services;
  let lastBeatMs = Number.NEGATIVE_INFINITY;

  const loop = createLoop({
    name: 'heartbeat',
    log,
    everyMs: leases.BEAT_MS,
    async work() {
      // Other nodes measure from the write of the beat, which is never before this moment.
      const atMs = performance.now();
      await leases.beat(services);
      if (!leases.isAlive(lastBeatMs)) onExpired();
      lastBeatMs = atMs;
      return undefined;
    },
  });

  return {
    start: loop.start,
    isAlive: () => leases.isAlive(lastBeatMs),
    async leave() {
      await loop.drain();
      await leases.leave(services).catch((error: unknown) => {
        log.warn({ ...errorFields(error) }, 'node could not be removed from the cluster, its leases will expire');
      });
    },
  };
}
