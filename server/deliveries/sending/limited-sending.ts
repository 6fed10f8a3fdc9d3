/**
 * Fetches deliveries of destinations with limits: a rate, or a number of requests in flight. One node at a time sends to
 * such a destination, so that the limits hold for all nodes together: the destination is leased to the first node that
 * finds due deliveries, until that node ends or its heartbeat expires. Its deliveries wait in the table, and the node
 * leases only those that may start soon, so they fill no lane and no other destination waits for them. The pacer
 * (intake/pacer.ts) decides when each of them starts.
 */
import type { Services } from '../../platform/context.ts';
import { createLoop, type Worker } from '../../platform/loop.ts';
import { laneLimitOf } from '../destinations/pace.ts';
import { GRACE_MS } from '../intake/pacer.ts';
import { LEASE_MS } from '../intake/store-events.ts';
import * as store from '../store/queue/leases.ts';
import * as waitingStore from '../store/queue/waiting-deliveries.ts';
import { inOrder } from './leases.ts';

export type LimitedSending = Worker & {
  /** Like `nudge`, unless no destination had limits at the last look. */
  nudgeIfUsed(): void;
  /** Releases the destinations; call it when nothing is in flight. */
  leave(): Promise<void>;
};

const LOOK_MS = 1000;

/** `mayClaim`: whether new leases would be valid and recorded. */
export function createLimitedSending(services: Services, mayClaim: () => boolean): LimitedSending {
  const { lanes } = services.pipeline;
  let isUsed = false;
  let turn = 0;

  async function work(): Promise<undefined> {
    if (!mayClaim()) return undefined;
    const { destinations, total } = await store.listLimited(services.db, services.nodeId);
    isUsed = total > 0;
    const own = await lease(destinations);
    for (const id of lanes.pacer.ids()) if (!own.has(id)) lanes.pacer.remove(id);
    const room = Math.max(0, lanes.limitedRoom());
    const shares = inTurn([...own]).flatMap((destination_id): waitingStore.LimitedShare[] => {
      const { lack: most, waiting, isProbed } = lanes.lackOf(destination_id);
      const lack = Math.min(most, room);
      if (lack + waiting === 0) return [];
      return [{ destination_id, lack, isProbed, reservedInMs: lanes.pacer.reserve(destination_id, lack + waiting) }];
    });
    if (shares.length === 0) return undefined;
    const holder = { node_id: services.nodeId, leaseMs: LEASE_MS };
    for (const each of inOrder(await waitingStore.claimLimited(services.db, holder, shares, room))) lanes.push(each);
    return undefined;
  }

  /** Each look begins with another destination, so that all get deliveries while the lanes are full. */
  function inTurn<T>(all: T[]): T[] {
    turn = (turn + 1) % Math.max(1, all.length);
    return [...all.slice(turn), ...all.slice(0, turn)];
  }

  /** Leases those that no node holds, and sets the limits of their lanes; returns the ids of all that this node holds. */
  async function lease(found: store.LimitedDestination[]): Promise<Set<string>> {
    const free = found.filter(({ is_mine }) => !is_mine);
    const leased = free.length > 0 ? await store.leaseDestinations(services.db, services.nodeId, free) : [];
    const leasedNow = new Map(leased.map((each) => [each.destination_id, each]));
    const own = found.filter(({ is_mine, destination_id }) => is_mine || leasedNow.has(destination_id));
    for (const each of own) {
      const { destination_id } = each;
      const isNew = !each.is_mine || !lanes.pacer.has(destination_id);
      const { reserved_ms } = leasedNow.get(destination_id) ?? each;
      lanes.pacer.set(destination_id, laneLimitOf(each), isNew ? lastOf(reserved_ms) : undefined);
    }
    return new Set(own.map(({ destination_id }) => destination_id));
  }

  const loop = createLoop({ name: 'limited sending', log: services.log, everyMs: LOOK_MS, work });
  return {
    ...loop,
    nudgeIfUsed() {
      if (isUsed) loop.nudge();
    },
    leave: () => store.releaseDestinations(services.db, services.nodeId),
  };
}

/** The node before may have started a request up to `GRACE_MS` after the latest reserved one. */
const lastOf = (reservedMs: number | null): number =>
  reservedMs === null ? Number.NEGATIVE_INFINITY : performance.now() + reservedMs + GRACE_MS;
