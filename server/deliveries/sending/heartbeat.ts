import { errorFields } from '../../lib/outage-log.ts';
import type { Services } from '../../platform/context.ts';
import { createLoop } from '../../platform/loop.ts';
import * as leases from './leases.ts';

/** The sign of life on which all leases of this node depend. */
export type Heartbeat = {
  start(): Promise<void>;
  /** Whether leases taken before may still be used. */
  isAlive(): boolean;
  /** Ends the heartbeat, so that other nodes need not wait for its expiry. */
  leave(): Promise<void>;
};

/** `onExpired`: the node was silent for too long, and other nodes may have taken its leases. */
export function createHeartbeat(services: Services, onExpired: () => void): Heartbeat {
  const { log } = services;
  let lastBeatMs = Number.NEGATIVE_INFINITY;

  const loop = createLoop({
    name: 'heartbeat',
    log,
    everyMs: leases.BEAT_MS,
    async work() {
      // Others count from when the beat was written, which is no earlier than this.
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
        log.warn(
          { ...errorFields(error) },
          'leases of this node could not be released, other nodes take over after expiry',
        );
      });
    },
  };
}
