/**
 * Deliveries, from an event to its destinations.
 *
 * Parts. *Intake* (intake/intake.ts) inserts an event and one delivery per destination, in one statement for all events
 * that arrive at the same time, then acknowledges the event. The table `deliveries` is both the record and the queue
 * (store/delivery-queue.ts). Each node has *lanes*, one per destination (intake/lanes.ts): 8 deliveries in flight per
 * lane, 128 in total. If a lane has room, its new delivery is stored as leased to this node and enters the lane without
 * a claim query. Otherwise it waits in the table until this worker claims it. Claims take a few rows per destination,
 * so a backlog of a dead destination delays no other. An *attempt* (attempt.ts) has the destination's kind (targets/)
 * build and send the request, with one deadline for everything, and judges the result. *Completions* are recorded in
 * batches (completions.ts).
 *
 * States. PENDING: stored, no attempt has finished. RETRYING: the last attempt failed, the next is due at `next_at`.
 * SUCCEEDED, FAILED, SKIPPED, CANCELED: final, until a replay makes the delivery PENDING again. "In flight" is not a
 * state but a lease: `leased_by`, and an attempt number that only the holder has.
 *
 * Crash safety: every acknowledged event is in the table. Leases of a node without a heartbeat (heartbeat.ts) expire
 * after 15 s. Leases of an earlier process of the only node are released at its start. Stray leases (committed, but the
 * reply was lost) are released after two searches, 3 s apart (stray-search.ts). Deliveries that were in flight are sent
 * again, which bounds the duplicates; receivers recognize them by `webhook-id`. A worker that returns late records its
 * attempt, but a different attempt number or replay generation prevents it from changing the state. Without the
 * database nothing new is sent after 15 s, and finished attempts are recorded once it is back. A node that drains
 * finishes what is in flight and releases the rest (unused-leases.ts). Attempts that outlast the drain are released
 * unrecorded and made again.
 */

import { errorFields } from '../../lib/outage-log.ts';
import { createRateLimit } from '../../lib/rate-limit.ts';
import type { Services } from '../../platform/context.ts';
import { createLoop, type Worker } from '../../platform/loop.ts';
import type { CancelSignal } from '../../runtime/cancellation.ts';
import { type Verdict, verdictOf } from '../destinations/breaker.ts';
import { hasOneSender } from '../destinations/pace.ts';
import type { Target } from '../store/destinations/destinations.ts';
import type { Completion } from '../store/queue/delivery-queue.ts';
import { openSenders } from '../targets/targets.ts';
import { attempt, targetOf } from './attempt.ts';
import { createCompletions } from './completions.ts';
import { createHeartbeat } from './heartbeat.ts';
import * as leases from './leases.ts';
import { createLimitedSending } from './limited-sending.ts';
import { createStraySearch } from './stray-search.ts';
import { createUnusedLeases } from './unused-leases.ts';

/** Interval of claims; retries that are due sooner set a timer. */
const POLL_MS = 1000;
/**
 * How many opened breakers the other nodes are sent. Without one, they find out by their own attempts; more would not
 * fit into the messages between nodes.
 */
const OPENINGS = { perSecond: 50, burst: 50 };
const BREAKER_LOG = {
  OPENED: 'circuit breaker open, deliveries of the destination held',
  CLOSED: 'circuit breaker closed, deliveries of the destination resumed',
};

/** `cut` aborts when the time for attempts in flight is over: their leases are then released. */
export function createDeliverer(
  services: Services,
  { soleNode, cut }: { soleNode: boolean; cut: CancelSignal },
): Worker {
  const { lanes, events, lastEvents } = services.pipeline;
  const senders = openSenders(services);
  const completions = createCompletions(services, { retryIn: pollIn, ordered: () => limited.nudgeIfUsed() });
  const unused = createUnusedLeases(services);
  const heartbeat = createHeartbeat(services, () => unused.add(lanes.takeBack()));
  const straySearch = createStraySearch(services, () => [...lanes.held(), ...completions.pending(), ...unused.list()]);
  const polling = createLoop({ name: 'deliverer', log: services.log, everyMs: POLL_MS, work: poll });
  const limited = createLimitedSending(services, () => !completions.isStuck() && heartbeat.isAlive());
  const timers = new Set<NodeJS.Timeout>();
  const openings = createRateLimit(OPENINGS);

  async function poll(): Promise<number | undefined> {
    if (completions.isStuck() || !heartbeat.isAlive()) return undefined;
    await unused.release();
    return (await fetchDue(services)) ? 0 : undefined;
  }

  function pollIn(ms: number) {
    if (ms >= POLL_MS) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      nudge();
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
      if (target && mustWait(target, lease)) return undefined;
      return await unlessCut(attempt(services, senders, lease, target), cut);
    } catch (error) {
      services.log.warn({ ...errorFields(error), delivery_id: lease.delivery_id }, 'delivery could not be attempted');
      return undefined;
    }
  }

  function onBreaker({ account_id, destination_id }: leases.Lease, change: 'OPENED' | 'CLOSED', pause_ms: number) {
    services.log.info({ destination_id }, BREAKER_LOG[change]);
    // When it closes, the other nodes get the change of its destination, once that is stored.
    if (change === 'OPENED' && openings.take('').allowed)
      services.changed(account_id, { noun: 'circuit', destination_id, pause_ms });
  }

  function nudge() {
    polling.nudge();
    limited.nudgeIfUsed();
  }

  function returnUnused(given: leases.Lease[]) {
    unused.add(given);
    polling.nudge();
  }

  return {
    async start() {
      await heartbeat.start();
      await leases.releaseOrphans(services, soleNode);
      lanes.open({
        send,
        onRoom: polling.nudge,
        onLimitedRoom: limited.nudgeIfUsed,
        onUnused: returnUnused,
        onBreaker,
      });
      await polling.start();
      await limited.start();
      await straySearch.start();
    },
    nudge,
    async drain() {
      await straySearch.drain();
      await polling.drain();
      await limited.drain();
      for (const timer of timers) clearTimeout(timer);
      lanes.close();
      await lanes.idle();
      await completions.drain();
      await events.idle();
      await lastEvents.idle();
      unused.add(lanes.takeBack());
      await unused.releaseLast();
      await limited.leave();
      await heartbeat.leave();
      senders.close();
    },
  };
}

/**
 * The destination was paused, or got limits or an order, after its delivery was leased. The delivery returns to the
 * table.
 */
const mustWait = (target: Target, lease: leases.Lease): boolean =>
  target.status === 'ENABLED' && (target.paused_at !== null || (hasOneSender(target) && !lease.isLimited));

/** Leases due deliveries into the lanes. Returns whether the next fetch should be at once. */
async function fetchDue(services: Services): Promise<boolean> {
  const { lanes } = services.pipeline;
  const fetch = lanes.fetching();
  if (fetch.room <= 0) return false;
  const { leases: claimed, upTo } = await leases.claim(services, fetch);
  const shares = Map.groupBy(claimed, ({ destination_id }) => destination_id);
  const counts = new Map([...shares].map(([id, share]) => [id, share.length]));
  const more = lanes.fetched(fetch, counts, leases.shareOf(fetch), upTo);
  for (const lease of leases.inOrder(claimed)) lanes.push(lease);
  return more;
}

/** Resolves like `work`, or with undefined once `cut` aborts; the later outcome of `work` is ignored. */
function unlessCut<T>(work: Promise<T>, cut: CancelSignal): Promise<T | undefined> {
  return new Promise((done, fail) => {
    const onCut = () => done(undefined);
    if (cut.aborted) onCut();
    else cut.addEventListener('abort', onCut, { once: true });
    work.then(done, fail).finally(() => cut.removeEventListener('abort', onCut));
  });
}
