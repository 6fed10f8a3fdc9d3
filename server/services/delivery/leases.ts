/**
 * Who holds what. A lease is good as long as its node lives, and a node lives as long as it beats: every 3 seconds, and
 * after 15 of silence the others free what it held. A node that was silent itself (stopped, or without the database)
 * sends nothing it held before it has asked again. A lease that nobody holds can come about where the database commits
 * and whoever asked doesn't hear of it, because the connection or the process ended; such strays are looked for, too.
 */
import * as queue from '../../store/delivery-queue.ts';
import * as nodeStore from '../../store/nodes.ts';
import * as waitingStore from '../../store/waiting-deliveries.ts';
import type { Services } from '../context.ts';
import { LEASE_MS } from './store-events.ts';

export const BEAT_MS = 3000;
const SILENT_MS = 15_000;
export const PER_DESTINATION = 16;
export const PER_CLAIM = 64;

export type Lease = queue.Lease;

export async function beat(services: Services): Promise<void> {
  await nodeStore.beat(services.db, services.nodeId);
  const { silent, freed } = await nodeStore.freeSilent(services.db, SILENT_MS);
  // It ends the runs that went on there.
  if (silent > 0) services.nudge('sweeper');
  if (freed > 0) services.log.warn({ freed }, 'a node fell silent; what it held is due again');
}

/** At the start. `soleNode`: no other process can be using this database, so whatever is leased is nobody's. */
export async function freeOrphans(services: Services, soleNode: boolean): Promise<void> {
  const freed = await nodeStore.freeOrphans(services.db, services.nodeId, soleNode);
  if (freed > 0) services.log.info({ freed }, 'deliveries left over by an earlier process are due again');
}

type Held = Pick<Lease, 'delivery_id' | 'number'>;
export const nameOf = ({ delivery_id, number }: Held): string => `${delivery_id} ${number}`;

/**
 * Frees strays: what this node has leased and doesn't hold, and what was leased by nodes that are gone. `held`: names of
 * what it holds. A lease may have been given a moment ago, so only those are freed that were strays at the look before;
 * answers the strays of this one.
 */
export async function freeStrays(
  services: Services,
  held: () => Set<string>,
  before: ReadonlySet<string>,
): Promise<Set<string>> {
  const doubtful = await nodeStore.listDoubtful(services.db, services.nodeId);
  const holding = held();
  const strays = doubtful.filter((lease) => !lease.mine || !holding.has(nameOf(lease)));
  const again = strays.filter((lease) => before.has(nameOf(lease)));
  const freed = again.length > 0 ? await nodeStore.freeLeased(services.db, again) : 0;
  if (freed > 0) services.log.warn({ freed }, 'deliveries were leased to nobody; they are due again');
  return new Set(strays.map(nameOf));
}

/** Whether leases taken before may still be used, by the time of the last beat (performance.now). */
export const isAlive = (lastBeatMs: number): boolean => performance.now() - lastBeatMs < SILENT_MS;

export type Wanted = Pick<waitingStore.Claim, 'after' | 'without' | 'single'> & { room: number };

/** Fetches what is due, a few for each destination. */
export async function claim(services: Services, { room, ...wanted }: Wanted): Promise<waitingStore.Claimed> {
  return waitingStore.claim(services.db, {
    node_id: services.nodeId,
    leaseMs: LEASE_MS,
    perDestination: PER_DESTINATION,
    total: Math.min(room, PER_CLAIM),
    ...wanted,
  });
}

export async function release(services: Services, leases: Lease[]): Promise<void> {
  if (leases.length > 0) await queue.release(services.db, services.nodeId, leases);
}

export async function leave(services: Services): Promise<void> {
  await nodeStore.remove(services.db, services.nodeId);
}
