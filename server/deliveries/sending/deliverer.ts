/**
 * Deliveries, from an event to its destinations.
 *
 * The parts. *Intake* (intake/intake.ts) stores an event with one delivery for each destination, in one statement for
 * all events that arrive at the same time, and only then is the event acknowledged. The table `deliveries` is both the
 * record and the queue (store/delivery-queue.ts). Each node has *lanes*, one for each destination (intake/lanes.ts):
 * eight in flight in a lane, 128 in all. A delivery for a lane with room is stored as leased to this node and enters
 * the lane directly; the others wait in the table, and this worker fetches them: a few for each destination, so that
 * the backlog of a dead one delays no other. An *attempt* (attempt.ts) has the destination's kind (targets/) build and
 * send the request, with one deadline for everything, and judges the result. *Completions* are recorded in batches
 * (completions.ts).
 *
 * The states. PENDING: stored, no attempt has finished. RETRYING: the last attempt failed, another is due at `next_at`.
 * SUCCEEDED, FAILED, SKIPPED, CANCELED: final, until a replay makes it PENDING again. "In flight" is no state but a
 * lease: `leased_by`, and an attempt number that only the holder has.
 *
 * After a crash nothing acknowledged is lost, as all of it is in the table. Leases of a node without heartbeat
 * (heartbeat.ts) are freed after 15 seconds, those of an earlier process of the only node at its start, and strays
 * (the database committed a lease, and the response was lost) after two searches, 3 seconds apart (stray-search.ts).
 * Deliveries that were in flight are sent again, so duplicates are bounded by that, and receivers recognise them by
 * `webhook-id`. A worker that returns late records its attempt, but another attempt number or a replay's generation
 * keeps it from changing the state. Without the database nothing new is sent after 15 seconds, and finished attempts
 * are recorded once it is back. A node that drains finishes what is in flight and releases the rest (unused-leases.ts);
 * attempts that outlast the drain are released unrecorded and made again.
 */

import { errorFields } from '../../lib/outage-log.ts';
import type { Services } from '../../platform/context.ts';
import { createLoop, type Worker } from '../../platform/loop.ts';
import type { Leaving } from '../../runtime/cut.ts';
import { type Verdict, verdictOf } from '../destinations/breaker.ts';
import type { Completion } from '../store/delivery-queue.ts';
import { openSenders } from '../targets/targets.ts';
import { attempt, targetOf } from './attempt.ts';
import { createCompletions } from './completions.ts';
import { createHeartbeat } from './heartbeat.ts';
import * as leases from './leases.ts';
import { createStraySearch } from './stray-search.ts';
import { createUnusedLeases } from './unused-leases.ts';

/** The longest time between two looks at the table; retries that are due sooner set their own timer. */
const LOOK_MS = 1000;
const BREAKER_LOG = {
  OPENED: 'circuit breaker open, deliveries of the destination held',
  CLOSED: 'circuit breaker closed, deliveries of the destination resumed',
};

/** `cut` aborts when the attempts in flight may not finish any more: their leases are then given back. */
export function createDeliverer(services: Services, { soleNode, cut }: { soleNode: boolean; cut: Leaving }): Worker {
  const { lanes, events, lastEvents } = services.pipeline;
  const senders = openSenders(services);
  const completions = createCompletions(services, lookIn);
  const unused = createUnusedLeases(services);
  const heartbeat = createHeartbeat(services, () => unused.add(lanes.takeBack()));
  const straySearch = createStraySearch(services, () => [...lanes.held(), ...completions.pending(), ...unused.list()]);
  const looking = createLoop({ name: 'deliverer', log: services.log, everyMs: LOOK_MS, work: look });
  const timers = new Set<NodeJS.Timeout>();

  async function look(): Promise<number | undefined> {
    if (completions.isStuck() || !heartbeat.isAlive()) return undefined;
    await unused.release();
    return (await fetchDue(services)) ? 0 : undefined;
  }

  function lookIn(ms: number) {
    if (ms >= LOOK_MS) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      looking.nudge();
    }, ms);
    timers.add(timer);
  }

  async function send(lease: leases.Lease): Promise<Verdict> {
    const completion = heartbeat.isAlive() ? await attemptUnlessCut(lease) : undefined;
    if (!completion) {
      unused.add([lease]);
      return undefined;
    }
    void completions.add(completion).catch((error: unknown) => {
      services.log.error({ ...errorFields(error), delivery_id: lease.delivery_id }, 'attempt was not recorded');
    });
    return verdictOf(completion);
  }

  async function attemptUnlessCut(lease: leases.Lease): Promise<Completion | undefined> {
    try {
      const target = await targetOf(services.pipeline, lease);
      return await unlessCut(attempt(services, senders, lease, target), cut);
    } catch (error) {
      services.log.warn({ ...errorFields(error), delivery_id: lease.delivery_id }, 'delivery could not be attempted');
      return undefined;
    }
  }

  function giveBack(given: leases.Lease[]) {
    unused.add(given);
    looking.nudge();
  }

  return {
    async start() {
      await heartbeat.start();
      await leases.freeOrphans(services, soleNode);
      lanes.open({
        send,
        onRoom: looking.nudge,
        onUnused: giveBack,
        onBreaker: (destination_id, change) => services.log.info({ destination_id }, BREAKER_LOG[change]),
      });
      await looking.start();
      await straySearch.start();
    },
    nudge: looking.nudge,
    async drain() {
      await straySearch.drain();
      await looking.drain();
      for (const timer of timers) clearTimeout(timer);
      lanes.close();
      await lanes.idle();
      await completions.drain();
      await events.idle();
      await lastEvents.idle();
      unused.add(lanes.takeBack());
      await unused.releaseLast();
      await heartbeat.leave();
      senders.close();
    },
  };
}

/** Leases due deliveries into the lanes. Returns whether the next fetch should be at once. */
async function fetchDue(services: Services): Promise<boolean> {
  const { lanes } = services.pipeline;
  const fetch = lanes.fetching();
  if (fetch.room <= 0) return false;
  const { leases: claimed, upTo } = await leases.claim(services, fetch);
  const shares = Map.groupBy(claimed, ({ destination_id }) => destination_id);
  const counts = new Map([...shares].map(([id, share]) => [id, share.length]));
  const more = lanes.fetched(fetch, counts, leases.shareOf(fetch), upTo);
  // Ids sort by receipt.
  for (const lease of claimed.toSorted((a, b) => (a.event_id < b.event_id ? -1 : 1))) lanes.push(lease);
  return more;
}

/** Resolves as `work` does, or with undefined once `cut` aborts; how `work` ends after that is of no interest. */
function unlessCut<T>(work: Promise<T>, cut: Leaving): Promise<T | undefined> {
  return new Promise((done, fail) => {
    const onCut = () => done(undefined);
    if (cut.aborted) onCut();
    else cut.addEventListener('abort', onCut, { once: true });
    work.then(done, fail).finally(() => cut.removeEventListener('abort', onCut));
  });
}
