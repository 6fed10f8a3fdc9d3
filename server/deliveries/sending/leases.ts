/**
 * Leases of deliveries. A lease is valid while its node is alive. A node is alive while it beats: every 3 s; after 15 s
 * without a beat the other nodes release its leases. A node that missed its own beats (stopped, or without the
 * database) sends nothing until a beat has succeeded. A lease has no owner if the database commits and the caller does
 * not learn of it, because the connection or the process ended; the stray search finds these.
 */

import * as nodeStore from '../../platform/cluster/nodes.ts';
import type { Services } from '../../platform/context.ts';
import { LEASE_MS } from '../intake/store-events.ts';
import * as queue from '../store/queue/delivery-queue.ts';
import type { Lease } from '../store/queue/lease.ts';
import * as store from '../store/queue/leases.ts';
import * as waitingStore from '../store/queue/waiting-deliveries.ts';

export type { Lease };

export const BEAT_MS = 3000;
export const PER_DESTINATION = 16;
export const PER_CLAIM = 64;
/** A claim's limit for one destination: while few have deliveries in the table, they share the whole claim. */
export const shareOf = ({ behind }: { behind: number }): number =>
  Math.max(PER_DESTINATION, Math.floor(PER_CLAIM / Math.max(1, behind)));

export async function beat(services: Services): Promise<void> {
  await nodeStore.beat(services.db, services.nodeId);
  const { expired, released } = await store.releaseExpired(services.db, nodeStore.SILENT_MS);
  // The sweeper ends the runs that were in progress on that node.
  if (expired > 0) services.nudge('sweeper');
  if (released > 0) services.log.warn({ released }, 'node lease expired, its deliveries were released');
}

/** Runs at the start. `soleNode`: no other process can use this database, so existing leases have no owner. */
export async function releaseOrphans(services: Services, soleNode: boolean): Promise<void> {
  const released = await store.releaseOrphans(services.db, services.nodeId, soleNode);
  if (soleNode) await store.releaseDestinations(services.db, services.nodeId, true);
  if (released > 0) services.log.info({ released }, 'deliveries of an earlier process were released');
}

export type Held = Pick<Lease, 'delivery_id' | 'number'>;
export const nameOf = ({ delivery_id, number }: Held): string => `${delivery_id} ${number}`;

/**
 * Releases stray leases: those of this node that it does not hold, and those of nodes that no longer exist. `held`:
 * names of the leases that this node holds. A new lease may not be in `held` yet, so a lease is released only if the
 * previous search (`before`) found it too. Returns the strays of this search.
 */
export async function releaseStrays(
  services: Services,
  held: () => Set<string>,
  before: ReadonlySet<string>,
): Promise<Set<string>> {
  const doubtful = await store.listDoubtful(services.db, services.nodeId);
  const holding = held();
  const strays = doubtful.filter((lease) => !lease.mine || !holding.has(nameOf(lease)));
  const again = strays.filter((lease) => before.has(nameOf(lease)));
  const released = again.length > 0 ? await store.releaseLeased(services.db, again) : 0;
  if (released > 0) services.log.warn({ released }, 'lease owner not found, deliveries were released');
  return new Set(strays.map(nameOf));
}

/** Whether existing leases may still be used, by the time of the last beat (performance.now). */
export const isAlive = (lastBeatMs: number): boolean => performance.now() - lastBeatMs < nodeStore.SILENT_MS;

export type Wanted = Pick<waitingStore.Claim, 'after' | 'without' | 'probed'> & { behind: number; room: number };

/** Leases due deliveries, a few for each destination. */
export async function claim(services: Services, wanted: Wanted): Promise<waitingStore.Claimed> {
  const { after, without, probed, room } = wanted;
  return waitingStore.claim(services.db, {
    node_id: services.nodeId,
    leaseMs: LEASE_MS,
    perDestination: shareOf(wanted),
    total: Math.min(room, PER_CLAIM),
    after,
    without,
    probed,
  });
}

/** Leases by time of receipt, which is the order of the ids of events. */
export const inOrder = (leases: Lease[]): Lease[] => leases.toSorted((a, b) => (a.event_id < b.event_id ? -1 : 1));

export async function release(services: Services, leases: Lease[]): Promise<void> {
  if (leases.length > 0) await queue.release(services.db, services.nodeId, leases);
}

export async function leave(services: Services): Promise<void> {
  await nodeStore.remove(services.db, services.nodeId);
}
