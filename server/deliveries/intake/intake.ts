/**
 * Intake of events. An event is stored with one delivery per destination of its trigger, and only then acknowledged.
 * Events that arrive together are stored together. If the lane of a delivery has room, the delivery is stored as leased
 * to this node and sent after the commit; otherwise it waits in the table. Nothing is dropped: a delivery of a disabled
 * trigger or destination is stored as SKIPPED and can be replayed.
 */

import { type Batcher, createBatcher } from '../../lib/batcher.ts';
import { Failure } from '../../lib/failure.ts';
import { shareUsed } from '../../lib/shares/shares.ts';
import { withinTime } from '../../lib/time-limit.ts';
import type { Services } from '../../platform/context.ts';
import type { Tx } from '../../platform/database/schema.ts';
import { onHold } from '../../platform/hold.ts';
import type { Lease } from '../store/queue/lease.ts';
import { traceEvents } from './event-spans.ts';
import { createLanes, type Lanes } from './lanes.ts';
import { createLastEvents, type LastEvents } from './last-events.ts';
import { createRoutes, type Routes } from './routes.ts';
import { type NewEvent, newEvents, type Parts, type StoredEvent, storeEvents, type Taken } from './store-events.ts';
import { createThroughput, type Throughput } from './throughput.ts';

/** State of this process: routes, events that are being stored, and the lanes. */
export type Pipeline = {
  lanes: Lanes<Lease>;
  routes: Routes;
  events: Batcher<StoredEvent, Taken>;
  /** Events that are being stored, and their bytes, by account. */
  accounts: Map<string, { events: number; bytes: number }>;
  lastEvents: LastEvents;
  /** Destinations whose circuit breaker this node has recorded as open. */
  openCircuits: Set<string>;
  throughput: Throughput;
};

const WAITING_MAX = 5000;
const WAITING_MAX_BYTES = 64 * 1024 * 1024;
/** One account may fill this part of what may wait. */
const ACCOUNT_PART = 0.75;
const FLUSH_MAX_BYTES = 4 * 1024 * 1024;
/** How long events wait for others while many arrive. */
const GATHER_MS = 2;

export function createPipeline(parts: Parts): Pipeline {
  const pipeline: Pipeline = {
    lanes: createLanes<Lease>(parts.settings.breaker),
    routes: createRoutes(parts.db),
    accounts: new Map(),
    lastEvents: createLastEvents(parts),
    openCircuits: new Set(),
    throughput: createThroughput(),
    events: createBatcher(
      async (events) => {
        const { committed, fresh, taken } = await storeEvents(parts, pipeline, parts.db, events);
        committed();
        pipeline.lastEvents.note(fresh);
        return taken;
      },
      // One at a time: events of a destination with an order are stored in the order of their arrival.
      { max: 200, atOnce: 1, gatherMs: GATHER_MS, gatherAfter: 8, sizeOf, maxSize: FLUSH_MAX_BYTES },
    ),
  };
  return pipeline;
}

const sizeOf = ({ payload, request }: StoredEvent) =>
  payload.length + (request ? request.text.length + (request.body?.length ?? 0) : 0);

/**
 * Stores events of triggers. `source`: their label in metrics. Resolves once they are on disk. Throws 503 if too many
 * events are waiting to be stored or the installation is on hold, 429 if too many of them are of this account, or 503
 * after `settings.intakeTimeoutMs`. On a timeout, events that are not yet part of a statement are withdrawn. A statement
 * in progress may still commit: its events are delivered, and a source that sends them again with message ids gets the
 * ids of the stored events.
 */
export async function ingest(services: Services, source: string, events: NewEvent[]): Promise<Taken[]> {
  const { pipeline, settings, hold } = services;
  if (hold.current()) throw onHold();
  const { waiting, waitingSize } = pipeline.events;
  if (waiting() + events.length > WAITING_MAX || waitingSize() > WAITING_MAX_BYTES) {
    throw new Failure(503, 'Too many events at once; send this one again later.', { headers: { 'Retry-After': '5' } });
  }
  const traced = services.tracing && traceEvents(services.tracing, source, events);
  const rows = newEvents(traced?.events ?? events);
  const release = enter(pipeline, rows);
  const stored = Promise.all(rows.map((row) => pipeline.events.add(row)));
  void stored
    .then((taken) => {
      count(services, source, taken);
      traced?.end(taken);
    })
    .catch(() => traced?.end([]));
  return withinTime(stored, settings.intakeTimeoutMs, () => {
    for (const row of rows) pipeline.events.withdraw(row);
    return tooSlow();
  }).finally(release);
}

/** Counts events of one account while they are being stored; returns the function that ends it. */
function enter({ accounts }: Pipeline, rows: StoredEvent[]): () => void {
  const [first] = rows;
  if (!first) return () => undefined;
  const { account_id } = first;
  const bytes = rows.reduce((sum, row) => sum + sizeOf(row), 0);
  const mine = accounts.get(account_id) ?? { events: 0, bytes: 0 };
  // A single request may be larger than the share.
  const isOver =
    mine.events + rows.length > WAITING_MAX * ACCOUNT_PART || mine.bytes + bytes > WAITING_MAX_BYTES * ACCOUNT_PART;
  if (isOver && mine.events > 0)
    throw shareUsed("The account's share is used up: too many of its events are waiting to be stored.", 5);
  accounts.set(account_id, mine);
  mine.events += rows.length;
  mine.bytes += bytes;
  return () => {
    mine.events -= rows.length;
    mine.bytes -= bytes;
    if (mine.events === 0 && accounts.get(account_id) === mine) accounts.delete(account_id);
  };
}

/** The failure for events that cannot be stored in time. */
export const tooSlow = (): Failure =>
  new Failure(503, 'The event could not be stored in time; send it again later.', { headers: { 'Retry-After': '10' } });

/** `events`: the new ones. `taken`: the outcome of each given event. */
type Ingested = { events: StoredEvent[]; taken: Taken[]; committed: () => void };

function count({ measures }: Services, source: string, taken: Taken[]): void {
  for (const { outcome } of taken) measures.count('events', { source, outcome });
}

/** For a caller with its own transaction, which must call `committed` after the commit. */
export async function ingestIn(services: Services, tx: Tx, source: string, events: NewEvent[]): Promise<Ingested> {
  const { pipeline, hold, tracing } = services;
  if (hold.current()) throw onHold();
  const traced = tracing && traceEvents(tracing, source, events);
  const rows = newEvents(traced?.events ?? events);
  const { committed, fresh, taken } = await storeEvents(services, pipeline, tx, rows).catch((error: unknown) => {
    traced?.end([]);
    throw error;
  });
  return {
    events: fresh,
    taken,
    committed() {
      committed();
      pipeline.lastEvents.note(fresh);
      count(services, source, taken);
      traced?.end(taken);
    },
  };
}
