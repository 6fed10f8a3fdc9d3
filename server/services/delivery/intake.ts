/**
 * How an event comes in: stored with a delivery for each destination of its trigger, and only then acknowledged. Events
 * that arrive together are stored together. A delivery whose lane has room is stored as leased to this node and goes
 * out right after the commit; the others wait in the table. Nothing is dropped: what isn't to be sent (the trigger or
 * the destination is disabled) is stored as SKIPPED and may be replayed.
 */
import { type Batcher, createBatcher } from '../../lib/batcher.ts';
import { Failure } from '../../lib/failure.ts';
import type * as queue from '../../store/delivery-queue.ts';
import type { Tx } from '../../store/schema.ts';
import type { Services } from '../context.ts';
import { createLanes, type Lanes } from './lanes.ts';
import { createLastEvents, type LastEvents } from './last-events.ts';
import { createRoutes, type Routes } from './routes.ts';
import { type NewEvent, newEvent, type Parts, type StoredEvent, storeEvents, type Taken } from './store-events.ts';

/** What this process holds: where events go, events that are about to be stored, and the lanes. */
export type Pipeline = {
  lanes: Lanes<queue.Lease>;
  routes: Routes;
  events: Batcher<StoredEvent, Taken>;
  lastEvents: LastEvents;
};

const WAITING_MAX = 5000;
const WAITING_MAX_BYTES = 64 * 1024 * 1024;
const FLUSH_MAX_BYTES = 4 * 1024 * 1024;

export function createPipeline(parts: Parts): Pipeline {
  const pipeline: Pipeline = {
    lanes: createLanes<queue.Lease>(parts.settings.breaker),
    routes: createRoutes(parts.db),
    lastEvents: createLastEvents(parts),
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
  const { committed, fresh } = await storeEvents(services, pipeline, tx, events.map(newEvent));
  return {
    events: fresh,
    committed() {
      committed();
      pipeline.lastEvents.note(fresh);
    },
  };
}
