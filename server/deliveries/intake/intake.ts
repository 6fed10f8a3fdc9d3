/**
 * How an event comes in: stored with a delivery for each destination of its trigger, and only then acknowledged. Events
 * that arrive together are stored together. A delivery whose lane has room is stored as leased to this node and goes
 * out right after the commit; the others wait in the table. Nothing is dropped: what isn't to be sent (the trigger or
 * the destination is disabled) is stored as SKIPPED and may be replayed.
 */

import { type Batcher, createBatcher } from '../../lib/batcher.ts';
import { Failure } from '../../lib/failure.ts';
import { withinTime } from '../../lib/time-limit.ts';
import type { Services } from '../../platform/context.ts';
import type { Tx } from '../../platform/database/schema.ts';
import type { Lease } from '../store/lease.ts';
import { createLanes, type Lanes } from './lanes.ts';
import { createLastEvents, type LastEvents } from './last-events.ts';
import { createRoutes, type Routes } from './routes.ts';
import { type NewEvent, newEvent, type Parts, type StoredEvent, storeEvents, type Taken } from './store-events.ts';
import { createThroughput, type Throughput } from './throughput.ts';

/** What this process holds: where events go, events that are about to be stored, and the lanes. */
export type Pipeline = {
  lanes: Lanes<Lease>;
  routes: Routes;
  events: Batcher<StoredEvent, Taken>;
  lastEvents: LastEvents;
  /** Destinations that this node has marked as held by their circuit breaker. */
  openCircuits: Set<string>;
  throughput: Throughput;
};

const WAITING_MAX = 5000;
const WAITING_MAX_BYTES = 64 * 1024 * 1024;
const FLUSH_MAX_BYTES = 4 * 1024 * 1024;

export function createPipeline(parts: Parts): Pipeline {
  const pipeline: Pipeline = {
    lanes: createLanes<Lease>(parts.settings.breaker),
    routes: createRoutes(parts.db),
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
      { max: 200, atOnce: 2, aloneFrom: 8, sizeOf: ({ payload }) => payload.length, maxSize: FLUSH_MAX_BYTES },
    ),
  };
  return pipeline;
}

/**
 * Stores events of any triggers. Resolves once they are on disk. Throws 503 while too many wait to be stored, and when
 * these have waited `settings.intakeTimeoutMs`: those not yet handed to the database are then withdrawn. A batch that
 * is running at that moment may still commit. Its events are delivered, and the source that sends them again gets the
 * ids of the stored ones wherever its messages have ids.
 */
export async function ingest({ pipeline, settings }: Services, events: NewEvent[]): Promise<Taken[]> {
  const { waiting, waitingSize } = pipeline.events;
  if (waiting() + events.length > WAITING_MAX || waitingSize() > WAITING_MAX_BYTES) {
    throw new Failure(503, 'Too many events at once; send this one again later.', { headers: { 'Retry-After': '5' } });
  }
  const rows = events.map(newEvent);
  const stored = Promise.all(rows.map((row) => pipeline.events.add(row)));
  return withinTime(stored, settings.intakeTimeoutMs, () => {
    for (const row of rows) pipeline.events.withdraw(row);
    return tooSlow();
  });
}

/** Answers sources and callers whose events can't be stored in time. */
export const tooSlow = (): Failure =>
  new Failure(503, 'The event could not be stored in time; send it again later.', { headers: { 'Retry-After': '10' } });

type Ingested = { events: StoredEvent[]; committed: () => void };

/** For a caller with its own transaction: call `committed` after it. */
export async function ingestIn(services: Services, tx: Tx, events: NewEvent[]): Promise<Ingested> {
  const { pipeline } = services;
  const { committed, fresh } = await storeEvents(services, pipeline, tx, events.map(newEvent));
  return {
    events: fresh,
    committed() {
      committed();
      pipeline.lastEvents.note(fresh);
    },
  };
}
