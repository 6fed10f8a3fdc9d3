import type { Input, Reply } from '../../../contract/operations.ts';
import { mayReplay } from '../../../contract/states.ts';
import { write } from '../../accounts/write.ts';
import { now } from '../../lib/clock.ts';
import { badRequest, notFound } from '../../lib/failure.ts';
import { newId } from '../../lib/ids.ts';
import type { Ctx } from '../../platform/context.ts';
import type { DeliveriesTable, DestinationsTable, Tx } from '../../platform/database/schema.ts';
import { waitsInTable } from '../destinations/pace.ts';
import { getDetail } from '../events/event-shapes.ts';
import { LEASE_MS } from '../intake/store-events.ts';
import * as destinationStore from '../store/destinations/destinations.ts';
import * as store from '../store/events/events.ts';
import * as deliveryStore from '../store/queue/deliveries.ts';
import * as queue from '../store/queue/delivery-queue.ts';
import type { Lease } from '../store/queue/lease.ts';

type Skipped = Reply<'eventReplay'>['skipped'];
/** The action of a replay for one destination: restart its delivery, create one, or skip it. */
type Plan = {
  again: { delivery: DeliveriesTable; destination: DestinationsTable }[];
  created: DestinationsTable[];
  skipped: Skipped;
};

/**
 * Delivers a stored event again: its deliveries return to PENDING and their schedules restart. A delivery with an
 * attempt in flight is joined, not sent twice. Destinations added since get a delivery. A disabled destination is
 * skipped and listed in `skipped`. 400 for a destination that never belonged to the event.
 */
export async function replay(ctx: Ctx, { params, body }: Input<'eventReplay'>): Promise<Reply<'eventReplay'>> {
  const { trigger_id, event_id } = params;
  const { lanes } = ctx.pipeline;
  const lease = lanes.takesUrgent() ? { node_id: ctx.nodeId, ms: LEASE_MS } : null;
  const { skipped, event, leases } = await write(ctx, async (tx, about) => {
    about(event_id);
    const stored = await store.find(tx, ctx.account_id, trigger_id, event_id);
    if (!stored) throw notFound('Event');
    const { skipped, leased } = await replayIn(tx, ctx.account_id, params, { ...body, replay_id: null, lease });
    const { received_at, payload, traceparent, tracestate } = stored;
    const leases = leased.map((each) => ({ ...each, received_at, payload, traceparent, tracestate }));
    return { skipped, leases, event: await getDetail(ctx, trigger_id, event_id, tx) };
  });
  // A manual replay is sent first, even while the circuit breaker of its destination is open.
  for (const each of leases) lanes.pushUrgent(each);
  for (const { delivery_id, status } of event.deliveries) {
    ctx.changed(ctx.account_id, { noun: 'delivery', trigger_id, event_id, delivery_id, status });
  }
  ctx.nudge('deliverer');
  return { event, skipped };
}

export type ReplayOptions = {
  destination_ids?: string[] | undefined;
  only_failed?: boolean | undefined;
  only_undelivered?: boolean | undefined;
  as_new?: boolean | undefined;
  /** Which version of a transformation a single replay uses. */
  transform?: 'NOW' | 'THEN' | undefined;
  replay_id: string | null;
  /** The node that sends them after the commit; null: the first deliverer that claims them. */
  lease: { node_id: string; ms: number } | null;
};
type Key = { trigger_id: string; event_id: string };
type Leased = Omit<Lease, 'received_at' | 'payload' | 'traceparent' | 'tracestate'>;

/** Restarts an event's deliveries in the caller's transaction; `sent`: the ids of deliveries that are sent again. */
export async function replayIn(
  tx: Tx,
  account_id: string,
  key: Key,
  options: ReplayOptions,
): Promise<{ skipped: Skipped; sent: string[]; leased: Leased[] }> {
  const deliveries = await deliveryStore.lockOf(tx, account_id, key.event_id);
  const destinations = await destinationStore.listOf(tx, account_id, [key.trigger_id]);
  const chosen = choose(deliveries, destinations, options.destination_ids);
  const plan = decide(chosen, deliveries, destinations, options);
  const leased = await carryOut(tx, account_id, key, plan, options);
  return { skipped: plan.skipped, sent: plan.again.map(({ delivery }) => delivery.delivery_id), leased };
}

/** The requested destinations, or else all current and former ones. */
function choose(
  deliveries: DeliveriesTable[],
  destinations: DestinationsTable[],
  asked: string[] | undefined,
): string[] {
  const known = new Set([...destinations, ...deliveries].map(({ destination_id }) => destination_id));
  for (const [index, id] of (asked ?? []).entries()) {
    if (!known.has(id)) throw badRequest(`destination_ids.${index}: this event has no destination ${id}`);
  }
  return asked ? [...new Set(asked)] : [...known];
}

function decide(
  chosen: string[],
  deliveries: DeliveriesTable[],
  destinations: DestinationsTable[],
  { only_failed, only_undelivered }: Pick<ReplayOptions, 'only_failed' | 'only_undelivered'>,
): Plan {
  const plan: Plan = { again: [], created: [], skipped: [] };
  for (const destination_id of chosen) {
    const destination = destinations.find((each) => each.destination_id === destination_id);
    const delivery = deliveries.find((each) => each.destination_id === destination_id);
    if (only_failed && delivery?.status !== 'FAILED') continue;
    if (only_undelivered && delivery?.status === 'SUCCEEDED') continue;
    const verdict = mayReplay(destination);
    if (!verdict.can || !destination) {
      plan.skipped.push({ destination_id, reason: verdict.can ? '' : verdict.reason });
    } else if (delivery) plan.again.push({ delivery, destination });
    else plan.created.push(destination);
  }
  return plan;
}

/** Returns the new leases. */
async function carryOut(
  tx: Tx,
  account_id: string,
  { trigger_id, event_id }: Key,
  { again, created }: Plan,
  { as_new, transform, replay_id, lease }: ReplayOptions,
): Promise<Leased[]> {
  const message = () => ({ replay_id, webhook_id: as_new ? newId() : null });
  const restarts = again.map(({ delivery, destination }) => ({
    delivery_id: delivery.delivery_id,
    generation: delivery.generation,
    destination,
    transform_then: transform === 'THEN',
    ...message(),
  }));
  const made = created.map((destination): queue.NewDeliveryRow => {
    const delivery_id = newId();
    return {
      account_id,
      event_id,
      delivery_id,
      trigger_id,
      destination_id: destination.destination_id,
      destination,
      ...message(),
      status: 'PENDING',
      reason: null,
      origin: 'REPLAY',
      leased_by: null,
      created_at: now(),
      // Its key is unknown without the payload, so it waits for no other.
      order_key: destination.order_by === null ? null : delivery_id,
    };
  });
  const [queued = [], direct = []] = [true, false].map((is) =>
    restarts.filter(({ destination }) => waitsInTable(destination) === is),
  );
  if (queued.length > 0) await deliveryStore.restart(tx, account_id, event_id, queued, null);
  const restarted = direct.length > 0 ? await deliveryStore.restart(tx, account_id, event_id, direct, lease) : [];
  if (made.length > 0) await queue.insert(tx, [], made, 0);
  const messageOf = new Map(restarts.map((each) => [each.delivery_id, each.webhook_id]));
  return restarted.map((each) => ({
    account_id,
    event_id,
    trigger_id,
    ...each,
    step: 0,
    origin: 'REPLAY',
    replay_id,
    webhook_id: messageOf.get(each.delivery_id) ?? null,
  }));
}
