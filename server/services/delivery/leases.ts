/**
 * Who holds what. A lease is good as long as its node lives, and a node lives as long as it beats: every 5 seconds, and
 * after 15 of silence the others free what it held. A node that was silent itself (stopped, or without the database)
 * sends nothing it held before it has asked again.
 */
import { firstIdAt } from '../../lib/ids.ts';
import * as queue from '../../store/delivery-queue.ts';
import * as nodeStore from '../../store/nodes.ts';
import type { Services } from '../context.ts';
import { LEASE_MS } from './intake.ts';

export const BEAT_MS = 5000;
const SILENT_MS = 15_000;
export const PER_DESTINATION = 16;
export const PER_CLAIM = 400;
/** The usual retry schedule is over in less; older deliveries are due by replay, or where receivers asked to wait. */
const RECENT_MS = 2 * 86_400_000;
const CLOCKS_APART_MS = 3_600_000;
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export type Lease = queue.Lease;

export async function beat(services: Services): Promise<void> {
  await nodeStore.beat(services.db, services.nodeId);
  const freed = await nodeStore.freeSilent(services.db, SILENT_MS);
  if (freed > 0) services.log.warn({ freed }, 'a node fell silent; what it held is due again');
}

/** At the start. `soleNode`: no other process can be using this database, so whatever is leased is nobody's. */
export async function freeOrphans(services: Services, soleNode: boolean): Promise<void> {
  const freed = await nodeStore.freeOrphans(services.db, services.nodeId, soleNode);
  if (freed > 0) services.log.info({ freed }, 'deliveries left over by an earlier process are due again');
}

/** Whether leases taken before may still be used, by the time of the last beat (performance.now). */
export const isAlive = (lastBeatMs: number): boolean => performance.now() - lastBeatMs < SILENT_MS;

/** Fetches what is due; `everything` looks at all days, not only those in which retries lie. */
export async function claim(services: Services, without: string[], everything: boolean): Promise<Lease[]> {
  return queue.claim(services.db, {
    node_id: services.nodeId,
    leaseMs: LEASE_MS,
    since: firstIdAt(everything ? 0 : Date.now() - RECENT_MS),
    until: everything ? LAST_ID : firstIdAt(Date.now() + CLOCKS_APART_MS),
    perDestination: PER_DESTINATION,
    total: PER_CLAIM,
    without,
  });
}

export async function release(services: Services, leases: Lease[]): Promise<void> {
  if (leases.length > 0) await queue.release(services.db, services.nodeId, leases);
}

export async function leave(services: Services): Promise<void> {
  await nodeStore.remove(services.db, services.nodeId);
}
