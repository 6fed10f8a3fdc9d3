import { createBatcher } from '../../lib/batcher.ts';
import { now } from '../../lib/clock.ts';
import { msOf } from '../../lib/ids.ts';
import { errorFields } from '../../lib/outage-log.ts';
import type { Services } from '../../platform/context.ts';
import { noteOutcomes } from '../destinations/destination-health.ts';
import * as destinationStore from '../store/destinations/destinations.ts';
import * as deliveryStore from '../store/queue/deliveries.ts';
import * as queue from '../store/queue/delivery-queue.ts';

export type Completions = {
  /** Records the outcome of a lease; resolves when it is on disk. */
  add(completion: queue.Completion): Promise<void>;
  /** Completions that are not on disk yet. */
  pending(): Iterable<queue.Completion>;
  /** Whether the database rejects completions: claiming more now would send the same deliveries again. */
  isStuck(): boolean;
  /** Waits for all completions; stops retrying after a few seconds without the database. */
  drain(): Promise<void>;
};

/** No caller waits for an attempt to be recorded, and a statement for each would cost more than the attempt. */
const GATHER_MS = 20;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2000;

/** `retryIn`: a delivery is due again. `ordered`: the next delivery of a key may be sent. */
export type CompletionHandlers = { retryIn(ms: number): void; ordered(): void };

/** Completions are written in batches. A batch that the database rejected is retried until it is stored. */
export function createCompletions(services: Services, on: CompletionHandlers): Completions {
  const pending = new Set<queue.Completion>();
  let stuck = false;
  let draining = false;

  async function recordAll(completions: queue.Completion[]): Promise<undefined[]> {
    // Every writer locks the rows in this order, which prevents deadlocks.
    const ordered = completions.toSorted((a, b) => (a.delivery_id < b.delivery_id ? -1 : 1));
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        await record(ordered);
        stuck = false;
        return completions.map(() => undefined);
      } catch (error) {
        if (draining && pauseMs === LONGEST_PAUSE_MS) throw error;
        stuck = true;
        services.log.warn(
          { ...errorFields(error), count: completions.length },
          'attempts could not be recorded, retrying',
        );
        await new Promise((ok) => setTimeout(ok, pauseMs));
      }
    }
  }

  async function record(completions: queue.Completion[]): Promise<void> {
    const moved = await queue.complete(services.db, completions);
    for (const { account_id, wait_ms, destination_id, ...change } of moved) {
      if (wait_ms === null) services.pipeline.throughput.note(destination_id);
      services.changed(account_id, { noun: 'delivery', ...change });
      if (wait_ms !== null) on.retryIn(wait_ms);
    }
    countAttempts(services, completions, new Set(moved.map(({ delivery_id }) => delivery_id)));
    if (completions.some(({ isOrdered }) => isOrdered)) on.ordered();
    for (const completion of completions) {
      if (completion.reason !== 'GONE' || !completion.sent) continue;
      const delivery = moved.find((each) => each.delivery_id === completion.delivery_id);
      if (delivery) await disableGone(services, delivery, completion.sent);
    }
    // The attempts are stored; the health of their destinations may follow with the next batch.
    await noteOutcomes(services, completions, moved).catch((error: unknown) =>
      services.log.warn({ ...errorFields(error) }, 'health of destinations could not be stored'),
    );
  }

  const batcher = createBatcher(recordAll, { max: 200, atOnce: 2, gatherMs: GATHER_MS });
  /** The next delivery of the key waits for the record. */
  const prompt = createBatcher(recordAll, { max: 200, atOnce: 2 });
  return {
    add(completion) {
      pending.add(completion);
      const { add } = completion.isOrdered ? prompt : batcher;
      return add(completion).finally(() => pending.delete(completion));
    },
    pending: () => pending,
    isStuck: () => stuck,
    async drain() {
      draining = true;
      await Promise.all([batcher.idle(), prompt.idle()]);
    },
  };
}

function countAttempts({ measures }: Services, completions: queue.Completion[], recorded: Set<string>): void {
  for (const { delivery_id, event_id, status, reason, origin, sent, finished_at } of completions) {
    if (!sent || !recorded.has(delivery_id)) continue;
    measures.count('attempts', { outcome: reason ?? status });
    measures.observe('attempt_seconds', {}, sent.duration_ms / 1000);
    if (status === 'SUCCEEDED' && origin === 'EVENT')
      measures.observe('delivery_latency_seconds', {}, (Date.parse(finished_at) - msOf(event_id)) / 1000);
  }
}

/** A response of 410 disables the destination and marks its waiting deliveries as SKIPPED. */
async function disableGone(services: Services, delivery: queue.Completed, sent: queue.Sent): Promise<void> {
  const { account_id, trigger_id, destination_id } = delivery;
  const at = now();
  const disabled = await services.db.transaction().execute(async (tx) => {
    const changed = await destinationStore.disableGone(tx, account_id, destination_id, sent, at);
    const verdict = { status: 'SKIPPED', reason: 'DESTINATION_DISABLED', at } as const;
    if (changed) await deliveryStore.setAside(tx, account_id, [destination_id], verdict);
    return changed;
  });
  if (!disabled) return;
  services.log.info({ account_id, destination_id }, 'destination returned 410, disabled');
  services.changed(account_id, { noun: 'trigger', trigger_id });
}
