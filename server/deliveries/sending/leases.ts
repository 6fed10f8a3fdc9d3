/**
 * Who holds what. A lease is good as long as its node lives, and a node lives as long as it beats: every 3 seconds, and
 * after 15 of silence the others free what it held. A node that was silent itself (stopped, or without the database)
 * sends nothing it held before it has asked again. A lease without an owner occurs when the database commits
 * and the caller does not learn of it, because the connection or the process ended; these are searched for, too.
 */

import * as nodeStore from '../../platform/cluster/nodes.ts';
import type { Services } from '../../platform/context.ts';
import { LEASE_MS } from '../intake/store-events.ts';
import * as queue from '../store/delivery-queue.ts';
import type { Lease } from '../store/lease.ts';
import * as store from '../store/leases.ts';
import * as waitingStore from '../store/waiting-deliveries.ts';

export type { Lease };

export const BEAT_MS = 3000;
const SILENT_MS = 15_000;
export const PER_DESTINATION = 16;
export const PER_CLAIM = 64;
/** A claim's limit for one destination: while few have deliveries in the table, they share the whole claim. */
export const shareOf = ({ behind }: { behind: number }): number =>
  Math.max(PER_DESTINATION, Math.floor(PER_CLAIM / Math.max(1, behind)));

export async function beat(services: Services): Promise<void> {
  await nodeStore.beat(services.db, services.nodeId);
  const { silent, freed } = await store.freeSilent(services.db, SILENT_MS);
  // The sweeper ends the runs that were in progress on that node.
  if (silent > 0) services.nudge('sweeper');
  if (freed > 0) services.log.warn({ freed }, 'node lease expired, its deliveries were released');
}

/** At the start. `soleNode`: no other process can be using this database, so whatever is leased has no owner. */
export async function freeOrphans(services: Services, soleNode: boolean): Promise<void> {
  const freed = await store.freeOrphans(services.db, services.nodeId, soleNode);
  if (freed > 0) services.log.info({ freed }, 'deliveries of an earlier process released');
}

export type Held = Pick<Lease, 'delivery_id' | 'number'>;
export const nameOf = ({ delivery_id, number }: Held): string => `${delivery_id} ${number}`;

/**
 * Frees strays: what this node has leased and doesn't hold, and what was leased by nodes that are gone. `held`: names
 * of what it holds. A lease may have been given a moment ago, so only those are freed that were strays at the look
 * before; answers the strays of this one.
 */
export async function freeStrays(
  services: Services,
  held: () => Set<string>,
  before: ReadonlySet<string>,
): Promise<Set<string>> {
  const doubtful = await store.listDoubtful(services.db, services.nodeId);
  const holding = held();
  const strays = doubtful.filter((lease) => !lease.mine || !holding.has(nameOf(lease)));
  const again = strays.filter((lease) => before.has(nameOf(lease)));
  const freed = again.length > 0 ? await store.freeLeased(services.db, again) : 0;
  if (freed > 0) services.log.warn({ freed }, 'deliveries without a live lease owner, released');
  return new Set(strays.map(nameOf));
}

/** Whether leases taken before may still be used, by the time of the last beat (performance.now). */
export const isAlive = (lastBeatMs: number): boolean => performance.now() - lastBeatMs < SILENT_MS;

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

export async function release(services: Services, leases: Lease[]): Promise<void> {
  if (leases.length > 0) await queue.release(services.db, services.nodeId, leases);
}

export async function leave(services: Services): Promise<void> {
  await nodeStore.remove(services.db, services.nodeId);
}
