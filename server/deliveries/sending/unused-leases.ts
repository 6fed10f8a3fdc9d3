import { errorFields } from '../../lib/outage-log.ts';
import type { Services } from '../../platform/context.ts';
import { type Lease, release } from './leases.ts';

/** Leases that this node did not use, until they are released in the table. */
export type UnusedLeases = {
  add(leases: Lease[]): void;
  /** Rejects, and keeps the leases, while the database is unavailable. */
  release(): Promise<void>;
  /** The last release: later additions are released at once, and failures are only logged. */
  releaseLast(): Promise<void>;
  list(): readonly Lease[];
};

export function createUnusedLeases(services: Services): UnusedLeases {
  const unused: Lease[] = [];
  let isLast = false;

  async function releaseLast() {
    isLast = true;
    await release(services, unused.splice(0)).catch((error: unknown) => {
      services.log.warn({ ...errorFields(error) }, 'unused leases could not be released, they will expire');
    });
  }

  return {
    add(leases) {
      unused.push(...leases);
      if (isLast) void releaseLast();
    },
    async release() {
      const released = unused.splice(0);
      await release(services, released).catch((error: unknown) => {
        unused.push(...released);
        throw error;
      });
    },
    releaseLast,
    list: () => unused,
  };
}
