/**
 * Fetches deliveries of destinations with limits (a rate, or a number of requests in flight) or with an order. One node
 * at a time sends to such a destination, so that the limits hold for all nodes together: the destination is leased to
 * the first node that finds due deliveries, until that node ends or its heartbeat expires. Its deliveries wait in the
 * table, and the node leases only those that may start soon, so they fill no lane and no other destination waits for
 * them. The pacer (intake/pacer.ts) decides when each of them starts. Of a destination with an order it leases only the
 * first delivery of each key (store/queue/ordered-deliveries.ts).
 */
import type { Services } from '../../platform/context.ts';
import { createLoop, type Worker } from '../../platform/loop.ts';
import { laneLimitOf } from '../destinations/pace.ts';
import { GRACE_MS } from '../intake/pacer.ts';
import { LEASE_MS } from '../intake/store-events.ts';
import * as store from '../store/queue/leases.ts';
import * as orderedStore from '../store/queue/ordered-deliveries.ts';
import * as waitingStore from '../store/queue/waiting-deliveries.ts';
import { inOrder } from './leases.ts';

export type LimitedSending = Worker & {
  /** Like `nudge`, unless no destination had limits or an order at the last look. */
  nudgeIfUsed(): void;
  /** Releases the destinations; call it when nothing is in flight. */
  leave(): Promise<void>;
};

const LOOK_MS = 1000;
/** How often deliveries that were stored before their destination had an order get a place. */
const ADOPT_MS = 5000;
const FIRST_KEY = '00000000-0000-0000-0000-000000000000';

/** How often it looks for deliveries that ended without leaving their place. */
const CHECK_MS = 1000;

/** `after`: the last key that was read. */
type Order = { after: string; adoptAtMs: number; checkAtMs: number };

type Own = Map<string, store.LimitedDestination>;

/** `mayClaim`: whether new leases would be valid and recorded. */
export function createLimitedSending(services: Services, mayClaim: () => boolean): LimitedSending {
  const { lanes } = services.pipeline;
  const orders = new Map<string, Order>();
  let isUsed = false;
  let turn = 0;

  async function work(): Promise<number | undefined> {
    if (!mayClaim()) return undefined;
    const { destinations, total } = await store.listLimited(services.db, services.nodeId);
    isUsed = total > 0;
    const own = await lease(destinations);
    for (const id of lanes.pacer.ids()) if (!own.has(id)) lanes.pacer.remove(id);
    await adopt(own);
    const room = Math.max(0, lanes.limitedRoom());
    const shares = inTurn([...own]).flatMap(([destination_id, { order_end }]): waitingStore.LimitedShare[] => {
      const { lack: most, waiting, isProbed } = lanes.lackOf(destination_id);
      const lack = Math.min(most, room);
      if (lack + waiting === 0) return [];
      const given = orders.get(destination_id);
      const order = given
        ? { after: given.after, checks: given.checkAtMs <= performance.now(), blocks: order_end === 'BLOCK' }
        : null;
      const reservedInMs = lanes.pacer.reserve(destination_id, lack + waiting);
      return [{ destination_id, lack, isProbed, reservedInMs, order }];
    });
    if (shares.length === 0) return undefined;
    const holder = { node_id: services.nodeId, leaseMs: LEASE_MS };
    const { leases, upTo, ended } = await waitingStore.claimLimited(services.db, holder, shares, room);
    for (const each of inOrder(leases)) lanes.push(each);
    for (const { destination_id, order } of shares) {
      const given = orders.get(destination_id);
      if (!given || !order) continue;
      given.after = upTo.get(destination_id) ?? FIRST_KEY;
      if (order.checks && !ended) given.checkAtMs = performance.now() + CHECK_MS;
    }
    return ended || upTo.size > 0 ? 0 : undefined;
  }

  /** Each look begins with another destination, so that all get deliveries while the lanes are full. */
  function inTurn<T>(all: T[]): T[] {
    turn = (turn + 1) % Math.max(1, all.length);
    return [...all.slice(turn), ...all.slice(0, turn)];
  }

  /** Gives deliveries without a place one. */
  async function adopt(own: Own): Promise<void> {
    for (const id of orders.keys()) if (!own.get(id)?.order_by) orders.delete(id);
    const nowMs = performance.now();
    const due = [...own.values()].flatMap(({ destination_id, order_by }) =>
      order_by !== null && (orders.get(destination_id)?.adoptAtMs ?? 0) <= nowMs ? [destination_id] : [],
    );
    if (due.length === 0) return;
    const isMore = await orderedStore.adopt(services.db, due);
    for (const id of due) {
      const order = orders.get(id) ?? { after: FIRST_KEY, checkAtMs: 0 };
      orders.set(id, { ...order, adoptAtMs: isMore ? 0 : nowMs + ADOPT_MS });
    }
  }

  /** Leases those that no node holds, and sets the limits of their lanes; returns all that this node holds. */
  async function lease(found: store.LimitedDestination[]): Promise<Own> {
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
    return new Map(own.map((each) => [each.destination_id, each]));
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
