/**
 * Deliveries, from an event to its receivers.
 *
 * The players. *Intake* (services/delivery/intake.ts) stores an event with one delivery for each destination, in one
 * statement for all that come at the same time, and only then is the event acknowledged. The table `deliveries` is both
 * the record and the queue (store/delivery-queue.ts). Each node has *lanes*, one for each destination (lanes.ts): eight
 * in flight in a lane, 128 in all. A delivery whose lane has room is stored as leased to this node and goes straight
 * into the lane; the others wait in the table, and this worker fetches them: a few for each destination, so that the
 * backlog of a dead one starves nobody. An *attempt* (attempt.ts) makes the signed request, sends it with one deadline
 * for everything, and judges the answer. *Completions* leave in batches (completions.ts).
 *
 * The states. PENDING: stored, no attempt has finished. RETRYING: the last attempt failed, another is due at `next_at`.
 * SUCCEEDED, FAILED, SKIPPED, CANCELED: at rest, until a replay makes it PENDING again. "In flight" is no state but a
 * lease: `leased_by`, and an attempt number that only the holder has.
 *
 * After a crash nothing acknowledged is lost, as all of it is in the table. Leases of a node that doesn't beat are
 * freed after 15 seconds, those of an earlier process of the only node at its start, and those that nobody holds (the
 * database committed, and no one heard of it) after two looks, 3 seconds apart; what was in flight goes out again,
 * so duplicates are bounded by that, and receivers know them by `webhook-id`. A worker that comes back late records its
 * attempt, but another attempt number or a replay's generation keeps it from changing the state. Without the database
 * nothing new is sent after 15 seconds, and what was sent is recorded once it is back. Drained, a node finishes what is
 * in flight and gives the rest back.
 */

import type { Services } from '../services/context.ts';
import { attempt, targetOf } from '../services/delivery/attempt.ts';
import { type Verdict, verdictOf } from '../services/delivery/breaker.ts';
import { createCompletions } from '../services/delivery/completions.ts';
import * as leases from '../services/delivery/leases.ts';
import { openWires } from '../services/delivery/send.ts';
import { createLoop, type Worker } from './loop.ts';

/** How often the table is looked at when nobody nudges; retries that are due sooner set a timer of their own. */
const LOOK_MS = 1000;
const LEFT_ALONE = 'a destination fails and is left alone for a while';
const LEFT_UNSAID = 'the others will notice only later that this node is gone';

export function createDeliverer(services: Services, { soleNode }: { soleNode: boolean }): Worker {
  const { lanes, events, lastEvents } = services.pipeline;
  const wires = openWires(services);
  const timers = new Set<NodeJS.Timeout>();
  const completions = createCompletions(services, lookIn);
  /** Leases that could not be used; given back with the next look. */
  const unused: leases.Lease[] = [];
  let lastBeatMs = Number.NEGATIVE_INFINITY;
  let drained = false;

  const heart = createLoop({
    name: 'heartbeat',
    log: services.log,
    everyMs: leases.BEAT_MS,
    async work() {
      // Others count from when the beat was written, which is no earlier than this.
      const atMs = performance.now();
      await leases.beat(services);
      // Silent for too long, others may have taken what waits here.
      if (!leases.isAlive(lastBeatMs)) unused.push(...lanes.takeBack());
      lastBeatMs = atMs;
      return undefined;
    },
  });
  let strays: ReadonlySet<string> = new Set();
  const minding = createLoop({
    name: 'search for strays',
    log: services.log,
    everyMs: leases.BEAT_MS,
    async work() {
      const held = () => new Set([...lanes.held(), ...completions.pending(), ...unused].map(leases.nameOf));
      strays = await leases.freeStrays(services, held, strays);
      return undefined;
    },
  });
  const looking = createLoop({ name: 'deliverer', log: services.log, everyMs: LOOK_MS, work: look });

  async function look(): Promise<number | undefined> {
    if (completions.isStuck() || !leases.isAlive(lastBeatMs)) return undefined;
    const returned = unused.splice(0);
    await leases.release(services, returned).catch((error: unknown) => {
      unused.push(...returned);
      throw error;
    });
    const fetch = lanes.fetching();
    if (fetch.room <= 0) return undefined;
    const { leases: claimed, upTo } = await leases.claim(services, fetch);
    const shares = Map.groupBy(claimed, ({ destination_id }) => destination_id);
    const counts = new Map([...shares].map(([id, share]) => [id, share.length]));
    const more = lanes.fetched(fetch, counts, leases.PER_DESTINATION, upTo);
    // Ids sort by receipt.
    for (const lease of claimed.toSorted((a, b) => (a.event_id < b.event_id ? -1 : 1))) lanes.push(lease);
    return more ? 0 : undefined;
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
    if (!leases.isAlive(lastBeatMs)) {
      unused.push(lease);
      return undefined;
    }
    try {
      const target = await targetOf(services.pipeline, lease);
      const completion = await attempt(services, wires, lease, target);
      void completions.add(completion).catch((error: unknown) => {
        services.log.error({ err: error, delivery_id: lease.delivery_id }, 'an attempt was not recorded');
      });
      return verdictOf(completion);
    } catch (error) {
      services.log.warn({ err: error, delivery_id: lease.delivery_id }, 'a delivery could not be attempted');
      unused.push(lease);
      return undefined;
    }
  }

  function giveBack(given: leases.Lease[]) {
    unused.push(...given);
    if (drained) void releaseLast();
    else looking.nudge();
  }

  async function releaseLast() {
    await leases.release(services, unused.splice(0)).catch((error: unknown) => {
      services.log.warn({ err: error }, 'leases were left to run out');
    });
  }

  return {
    async start() {
      await heart.start();
      await leases.freeOrphans(services, soleNode);
      lanes.open({
        send,
        onRoom: looking.nudge,
        onUnused: giveBack,
        onBreaker: (destination_id, change) =>
          services.log.info({ destination_id }, change === 'OPENED' ? LEFT_ALONE : 'a destination works again'),
      });
      await looking.start();
      await minding.start();
    },
    nudge: looking.nudge,
    async drain() {
      await minding.drain();
      await looking.drain();
      for (const timer of timers) clearTimeout(timer);
      lanes.close();
      await lanes.idle();
      await completions.drain();
      await events.idle();
      await lastEvents.idle();
      unused.push(...lanes.takeBack());
      drained = true;
      await releaseLast();
      await heart.drain();
      await leases.leave(services).catch((error: unknown) => services.log.warn({ err: error }, LEFT_UNSAID));
      wires.close();
    },
  };
}
