import { createHash } from 'node:crypto';
import { matchesFilter } from '../../../contract/event-filter.ts';
import type { DeliveryReason } from '../../../contract/states.ts';
import { parseExactly } from '../../../contract/text/exact-json.ts';
import type { RequestValues } from '../../../contract/text/request-values.ts';
import { now } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import type { Services } from '../../platform/context.ts';
import { mayHaveHappened } from '../../platform/database/database.ts';
import type { Db, Tx } from '../../platform/database/schema.ts';
import type { Trace } from '../../platform/tracing/trace.ts';
import { hasOneSender } from '../destinations/pace.ts';
import type { Target } from '../store/destinations/destinations.ts';
import * as queue from '../store/queue/delivery-queue.ts';
import type { Lease } from '../store/queue/lease.ts';
import type { Lanes } from './lanes.ts';
import { orderKeyOf } from './order-keys.ts';
import type { Receiver, Route, Routes } from './routes.ts';

export type NewEvent = {
  account_id: string;
  trigger_id: string;
  replay_of?: string | undefined;
  /** The X-Request-Id that its source sent. */
  request_id?: string | undefined;
  /** The request of its source. Events of one request share the object. */
  request?: KeptRequest | undefined;
  /** The source's id of the event, any text. An event with a stored key is not stored again. */
  key?: string | undefined;
  /** The trace context that its deliveries continue. */
  trace?: Trace | undefined;
} & ({ payload: unknown } | { json: string });
/** A request as stored: `text` is the JSON of its values and size, `body` the bytes that are not its payload. */
export type KeptRequest = { values: RequestValues; text: string; body: Buffer | null };
export type StoredEvent = queue.NewEventRow;
/** DUPLICATE: `event_id` is the id of the first event with the key. GONE: the trigger does not exist. */
export type Taken = { event_id: string; outcome: 'STORED' | 'DUPLICATE' | 'GONE' };

/** Maximum length of a lease while its node's heartbeat works; see leases.ts. */
export const LEASE_MS = 600_000;

/** The services that storing uses. */
export type Parts = Pick<Services, 'settings' | 'db' | 'changed' | 'nodeId' | 'nudge' | 'log'>;
type Flow = { lanes: Lanes<Lease>; routes: Routes };
type Delivery = queue.NewDeliveryRow & { destination: Target };
type Stored = {
  /** The outcome of each given event, in order. */
  taken: Taken[];
  /** The new events. */
  fresh: StoredEvent[];
  /** Passes leased deliveries to the lanes; call it after the commit. */
  committed: () => void;
};

/** The rows of new events. The body of a request with several events is stored with the first. */
export function newEvents(given: NewEvent[]): StoredEvent[] {
  const firstOf = new Map<KeptRequest, string>();
  return given.map((each) => {
    const event_id = newId();
    const { request } = each;
    const body_of = request?.body ? firstOf.get(request) : undefined;
    if (request && body_of === undefined) firstOf.set(request, event_id);
    const stored = request && (body_of ? { ...request, body: null, body_of } : { ...request, body_of: null });
    return newEvent(each, event_id, stored ?? null);
  });
}

function newEvent(given: NewEvent, event_id: string, request: queue.NewRequest | null): StoredEvent {
  return {
    account_id: given.account_id,
    trigger_id: given.trigger_id,
    event_id,
    received_at: now(),
    payload: 'json' in given ? given.json : JSON.stringify(given.payload),
    replay_of: given.replay_of ?? null,
    request_id: given.request_id ?? null,
    request,
    trace: given.trace,
    // A key has any length and any characters; its hash has a fixed size.
    key: given.key === undefined ? null : createHash('sha256').update(given.key).digest('base64url').slice(0, 24),
  };
}

/**
 * Stores events with their deliveries. Events of a trigger that another node has just changed are stored in a second
 * round, with the new route.
 */
export async function storeEvents(parts: Parts, flow: Flow, db: Db | Tx, given: StoredEvent[]): Promise<Stored> {
  const taken = new Map<string, Taken>();
  const rounds: Round[] = [];
  for (let left = given; left.length > 0; left = rounds.at(-1)?.stale ?? []) {
    const round = await storeRound(parts, flow, db, left);
    for (const each of round.taken) taken.set(...each);
    rounds.push(round);
  }
  return {
    taken: given.map(({ event_id }) => taken.get(event_id) ?? { event_id, outcome: 'GONE' }),
    fresh: rounds.flatMap(({ fresh }) => fresh),
    committed() {
      for (const { fresh, deliveries } of rounds) passToLanes(parts, flow.lanes, fresh, deliveries);
    },
  };
}

type Round = {
  taken: [event_id: string, taken: Taken][];
  fresh: StoredEvent[];
  deliveries: Delivery[];
  /** Not stored: the route of their trigger has changed. */
  stale: StoredEvent[];
};

async function storeRound(parts: Parts, { lanes, routes }: Flow, db: Db | Tx, given: StoredEvent[]): Promise<Round> {
  const found = await routesOf(routes, given, db);
  const events = given.filter(({ trigger_id }) => found.has(trigger_id));
  if (events.length === 0) return { taken: [], fresh: [], deliveries: [], stale: [] };
  const deliveries = events.flatMap((event) => deliveriesOf(event, found.get(event.trigger_id)));
  for (const delivery of deliveries) {
    if (delivery.status !== 'PENDING' || hasOneSender(delivery.destination)) continue;
    if (delivery.destination.paused_at !== null) lanes.spilledPaused(delivery.destination_id);
    else if (lanes.hasRoom(delivery.destination_id)) delivery.leased_by = parts.nodeId;
    else lanes.spilled(delivery.destination_id);
  }
  const versions = [...found.values()].map(({ account_id, trigger_id, version }) => ({
    account_id,
    trigger_id,
    version,
  }));
  const { keys, stale } = await queue.insert(db, events, deliveries, LEASE_MS, versions).catch((error: unknown) => {
    // Whether the statement committed is unknown, so release what this node may have leased.
    if (mayHaveHappened(error)) lanes.returned(leasesOf(given, deliveries));
    throw error;
  });
  for (const trigger_id of stale) routes.forget(trigger_id);
  const isStale = ({ trigger_id }: StoredEvent) => stale.includes(trigger_id);
  const stored = stale.length > 0 ? events.filter((event) => !isStale(event)) : events;
  const holders = new Map(keys.map(({ trigger_id, key, event_id }) => [`${trigger_id} ${key}`, event_id]));
  const holderOf = ({ trigger_id, key, event_id }: StoredEvent) =>
    (key && holders.get(`${trigger_id} ${key}`)) || event_id;
  const isNew = (event: StoredEvent) => holderOf(event) === event.event_id;
  return {
    taken: stored.map((event) => [
      event.event_id,
      { event_id: holderOf(event), outcome: isNew(event) ? 'STORED' : 'DUPLICATE' },
    ]),
    fresh: stored.filter(isNew),
    deliveries,
    stale: stale.length > 0 ? events.filter(isStale) : [],
  };
}

/** The routes of the triggers that exist. */
async function routesOf(routes: Routes, events: StoredEvent[], db: Db | Tx): Promise<Map<string, Route>> {
  const wanted = [...new Map(events.map((event) => [event.trigger_id, event])).values()];
  const found = db.isTransaction
    ? await routes.findIn(db as Tx, wanted)
    : await Promise.all(wanted.map((event) => routes.known(event) ?? routes.find(event)));
  return new Map(found.flatMap((route) => (route ? [[route.trigger_id, route]] : [])));
}

function deliveriesOf(event: StoredEvent, route: Route | undefined): Delivery[] {
  const payload = readOnce(event);
  const isWanted = (filter: Receiver['filter'] | undefined) =>
    !filter || matchesFilter(filter, payload(), event.request?.values);
  return (route?.receivers ?? []).map(({ target, filter }) => {
    // Filters first: a replay of the deliveries that a disabled destination missed must not send what its filter
    // excludes.
    const refusal = isWanted(route?.filter) && isWanted(filter) ? refusalOf(route, target) : 'FILTERED';
    const delivery_id = newId();
    return {
      account_id: event.account_id,
      event_id: event.event_id,
      delivery_id,
      trigger_id: event.trigger_id,
      destination_id: target.destination_id,
      destination: target,
      status: refusal ? 'SKIPPED' : 'PENDING',
      reason: refusal,
      origin: 'EVENT',
      leased_by: null,
      created_at: event.received_at,
      replay_id: null,
      webhook_id: null,
      order_key: refusal === 'FILTERED' ? null : orderKeyOf(target, delivery_id, payload),
    };
  });
}

/** The reason to skip a delivery; null if it is to be sent. */
function refusalOf(route: Route | undefined, target: Receiver['target']): DeliveryReason | null {
  if (route?.status === 'DISABLED') return 'TRIGGER_DISABLED';
  return target.status === 'DISABLED' ? 'DESTINATION_DISABLED' : null;
}

/** Reads the payload at most once, and only when a filter or an order needs it. */
function readOnce({ payload }: StoredEvent): () => unknown {
  let read: { payload: unknown } | undefined;
  return () => {
    read ??= { payload: parseExactly(payload) };
    return read.payload;
  };
}

function passToLanes(parts: Parts, lanes: Flow['lanes'], events: StoredEvent[], deliveries: Delivery[]): void {
  for (const lease of leasesOf(events, deliveries)) lanes.push(lease);
  const isNew = new Set(events.map(({ event_id }) => event_id));
  const spilled = deliveries.filter((each) => each.status === 'PENDING' && !each.leased_by && isNew.has(each.event_id));
  // Skip the fetch for a dead or paused destination: a fetch per event would slow down the others.
  const isSoon = ({ destination, destination_id }: Delivery) =>
    destination.paused_at === null && (hasOneSender(destination) || lanes.wants(destination_id));
  if (spilled.some(isSoon)) parts.nudge('deliverer');
  for (const { account_id, event_id, trigger_id } of events) {
    parts.changed(account_id, { noun: 'event', event_id, trigger_id });
  }
}

/** Deliveries of these events that were stored as leased to this node. */
function leasesOf(events: StoredEvent[], deliveries: Delivery[]): Lease[] {
  const eventOf = new Map(events.map((event) => [event.event_id, event]));
  return deliveries.flatMap(({ account_id, event_id, delivery_id, trigger_id, destination_id, leased_by }) => {
    const event = eventOf.get(event_id);
    if (!event || !leased_by) return [];
    const { received_at, payload, request, trace } = event;
    return {
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
      traceparent: trace?.traceparent ?? null,
      tracestate: trace?.tracestate ?? null,
      request: request?.values ?? null,
    };
  });
}
