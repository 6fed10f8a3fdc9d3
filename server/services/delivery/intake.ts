/**
 * How an event comes in: stored with a delivery for each destination of its trigger, and only then acknowledged. Events
 * that arrive together are stored together. A delivery whose lane has room is stored as leased to this node and goes
 * out right after the commit; the others wait in the table. Nothing is dropped: what isn't to be sent (the trigger or
 * the destination is disabled) is stored as SKIPPED and may be replayed.
 */
import { createHash } from 'node:crypto';
import { type EventFilter, matchesFilter } from '../../../contract/event-filter.ts';
import type { DeliveryReason } from '../../../contract/states.ts';
import { type Batcher, createBatcher } from '../../lib/batcher.ts';
import { now } from '../../lib/clock.ts';
import { Failure } from '../../lib/failure.ts';
import { newId } from '../../lib/ids.ts';
import * as queue from '../../store/delivery-queue.ts';
import * as destinationStore from '../../store/destinations.ts';
import type { Db, Tx } from '../../store/schema.ts';
import * as triggerStore from '../../store/triggers.ts';
import type { Services } from '../context.ts';
import { createLanes, type Lanes } from './lanes.ts';

export type NewEvent = {
  account_id: string;
  trigger_id: string;
  replay_of?: string | undefined;
  /** The source's own id of the event, whatever it looks like: what comes again with it is not stored again. */
  key?: string | undefined;
} & ({ payload: unknown } | { json: string });
type StoredEvent = queue.NewEventRow;
/** DUPLICATE: `event_id` is that of the event that came first. GONE: its trigger is not there any more. */
export type Taken = { event_id: string; outcome: 'STORED' | 'DUPLICATE' | 'GONE' };

/** What this process holds: events that are about to be stored, and the lanes. */
export type Pipeline = {
  lanes: Lanes<queue.Lease>;
  events: Batcher<StoredEvent, Taken>;
  lastEvents: Batcher<StoredEvent, void>;
};
/** What the pipeline is made of. */
type Parts = Pick<Services, 'settings' | 'db' | 'live' | 'nodeId' | 'nudge' | 'log'>;

/** The longest a lease lasts without its node's heartbeat failing; see leases.ts. */
export const LEASE_MS = 600_000;
const WAITING_MAX = 5000;
const WAITING_MAX_BYTES = 64 * 1024 * 1024;
const FLUSH_MAX_BYTES = 4 * 1024 * 1024;

export function createPipeline(parts: Parts): Pipeline {
  const pipeline: Pipeline = {
    lanes: createLanes<queue.Lease>(parts.settings.breaker),
    events: createBatcher(
      async (events) => {
        const stored = await storeEvents(parts, pipeline.lanes, parts.db, events);
        stored.committed();
        for (const event of stored.fresh) void pipeline.lastEvents.add(event).catch(() => {});
        return stored.taken;
      },
      { max: 200, atOnce: 2, sizeOf: ({ payload }) => payload.length, maxSize: FLUSH_MAX_BYTES },
    ),
    lastEvents: createBatcher(
      async (events) => {
        const latest = events.map(({ account_id, trigger_id, received_at }) => ({
          account_id,
          trigger_id,
          at: received_at,
        }));
        await triggerStore.noteLastEvents(parts.db, latest).catch((error: unknown) => {
          parts.log.warn({ err: error }, 'the times of last events could not be noted');
        });
        return events.map(() => undefined);
      },
      { max: 2000, atOnce: 1 },
    ),
  };
  return pipeline;
}

/** Stores events of any triggers. Resolves once they are on disk; 503 while too many wait for it. */
export async function ingest({ pipeline }: Services, events: NewEvent[]): Promise<Taken[]> {
  const { waiting, waitingSize } = pipeline.events;
  if (waiting() + events.length > WAITING_MAX || waitingSize() > WAITING_MAX_BYTES) {
    throw new Failure(503, 'Too many events at once; send this one again later.', { headers: { 'Retry-After': '5' } });
  }
  return Promise.all(events.map((event) => pipeline.events.add(newEvent(event))));
}

type Ingested = { events: StoredEvent[]; committed: () => void };

/** For a caller with a transaction of its own: call `committed` after it. */
export async function ingestIn(services: Services, tx: Tx, events: NewEvent[]): Promise<Ingested> {
  const { pipeline } = services;
  const rows = events.map(newEvent);
  const { committed, fresh } = await storeEvents(services, pipeline.lanes, tx, rows);
  return {
    events: fresh,
    committed() {
      committed();
      for (const row of fresh) void pipeline.lastEvents.add(row).catch(() => {});
    },
  };
}

function newEvent(given: NewEvent): StoredEvent {
  return {
    account_id: given.account_id,
    trigger_id: given.trigger_id,
    event_id: newId(),
    received_at: now(),
    payload: 'json' in given ? given.json : JSON.stringify(given.payload),
    replay_of: given.replay_of ?? null,
    // Of any length and with any characters in it: what is stored is always the same size.
    key: given.key === undefined ? null : createHash('sha256').update(given.key).digest('base64url').slice(0, 24),
  };
}

type Delivery = queue.NewDeliveryRow;

async function storeEvents(parts: Parts, lanes: Pipeline['lanes'], db: Db | Tx, given: StoredEvent[]) {
  const receivers = await destinationStore.receiversOf(db, [
    ...new Map(given.map(({ account_id, trigger_id }) => [trigger_id, { account_id, trigger_id }])).values(),
  ]);
  const triggers = new Set(receivers.map(({ trigger_id }) => trigger_id));
  const events = given.filter(({ trigger_id }) => triggers.has(trigger_id));
  const deliveries = events.flatMap((event) => {
    const isWanted = filtering(event);
    return receivers
      .filter((each) => each.trigger_id === event.trigger_id && each.account_id === event.account_id)
      .flatMap((each) =>
        each.destination_id
          ? [deliveryOf(event, { ...each, destination_id: each.destination_id }, isWanted(each))]
          : [],
      );
  });
  for (const delivery of deliveries) {
    if (delivery.status !== 'PENDING') continue;
    if (lanes.hasRoom(delivery.destination_id)) delivery.leased_by = parts.nodeId;
    else lanes.spilled(delivery.destination_id);
  }
  const keys = events.length > 0 ? await queue.insert(db, events, deliveries, LEASE_MS) : [];
  const holders = new Map(keys.map(({ trigger_id, key, event_id }) => [`${trigger_id} ${key}`, event_id]));
  const holderOf = ({ trigger_id, key, event_id }: StoredEvent) => holders.get(`${trigger_id} ${key}`) ?? event_id;
  const fresh = events.filter((event) => holderOf(event) === event.event_id);
  const taken = given.map((event): Taken => {
    if (!triggers.has(event.trigger_id)) return { event_id: event.event_id, outcome: 'GONE' };
    const event_id = holderOf(event);
    return { event_id, outcome: event_id === event.event_id ? 'STORED' : 'DUPLICATE' };
  });
  return { fresh, taken, committed: () => handOn(parts, lanes, fresh, deliveries) };
}

/** Why a delivery isn't sent, where it isn't. */
function refusalOf(receiver: destinationStore.Receiver): DeliveryReason | null {
  if (receiver.trigger_status === 'DISABLED') return 'TRIGGER_DISABLED';
  return receiver.status === 'DISABLED' ? 'DESTINATION_DISABLED' : null;
}

/** Reads the payload at most once, and only for receivers that filter. */
function filtering({ payload }: StoredEvent): (to: destinationStore.Receiver) => boolean {
  let read: { payload: unknown } | undefined;
  return ({ trigger_filter, filter }) =>
    [trigger_filter, filter].every((text) => {
      if (text === null) return true;
      read ??= { payload: JSON.parse(payload) };
      return matchesFilter(JSON.parse(text) as EventFilter, read.payload);
    });
}

function deliveryOf(
  event: StoredEvent,
  to: destinationStore.Receiver & { destination_id: string },
  wanted: boolean,
): Delivery {
  const refusal = refusalOf(to) ?? (wanted ? null : 'FILTERED');
  return {
    account_id: event.account_id,
    event_id: event.event_id,
    delivery_id: newId(),
    trigger_id: event.trigger_id,
    destination_id: to.destination_id,
    destination_name: to.name,
    destination_url: to.url,
    destination_method: to.method,
    status: refusal ? 'SKIPPED' : 'PENDING',
    reason: refusal,
    origin: 'EVENT',
    leased_by: null,
    created_at: event.received_at,
    replay_id: null,
    webhook_id: null,
  };
}

function handOn(parts: Parts, lanes: Pipeline['lanes'], events: StoredEvent[], deliveries: Delivery[]): void {
  const eventOf = new Map(events.map((event) => [event.event_id, event]));
  let spilled = false;
  for (const delivery of deliveries) {
    const event = eventOf.get(delivery.event_id);
    if (!event || delivery.status !== 'PENDING') continue;
    const { account_id, event_id, delivery_id, trigger_id, destination_id } = delivery;
    const { received_at, payload } = event;
    if (delivery.leased_by) {
      lanes.push({
        account_id,
        event_id,
        delivery_id,
        trigger_id,
        destination_id,
        number: 1,
        step: 0,
        generation: 0,
        origin: 'EVENT',
        replay_id: null,
        webhook_id: null,
        received_at,
        payload,
      });
    } else spilled = true;
  }
  if (spilled) parts.nudge('deliverer');
  for (const { account_id, event_id, trigger_id } of events) {
    parts.live.publish(account_id, { noun: 'event', event_id, trigger_id });
  }
}
