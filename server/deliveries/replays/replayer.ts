/**
 * Worker of bulk replays.
 *
 * A replay is a row with its pace, and one item per delivery, fixed when the replay was created (WAITING). A step takes
 * the replays that are due for this node, restarts as many deliveries as the pace allows and their destinations
 * complete (SENT, in the same transaction; replay-sending.ts works in batches, replay-flow.ts bounds them), and closes
 * the items whose delivery has an outcome (DONE, counted in the same statement; see store/replays/replay-progress.ts). The
 * deliverer may still retry a closed item's delivery; the matrix shows its latest status. SKIPPED: the destination is
 * disabled or deleted, the event is deleted, or the delivery succeeded meanwhile and the replay is `only_undelivered`.
 * When the trigger is deleted, all waiting items become SKIPPED without waiting for the pace, and the replay ends as
 * STOPPED.
 *
 * If a replay has too many items to find within one request, the worker finds the rest in steps (`gather_before`, see
 * store/replay-gathering.ts). Nothing is sent before the last item is found, because the oldest is sent first.
 *
 * A canary sends its first deliveries, waits for all their outcomes, and stops the replay if more than half failed.
 * Paused and canceled replays send nothing. After a crash the replay is due again on any node when its lease has
 * expired. No item is sent twice, because an item and its delivery change in one transaction.
 */
import type { Services } from '../../platform/context.ts';
import { createLoop, type Worker } from '../../platform/loop.ts';
import { type Paces, STEP_MS, stepDue } from './replay-runs.ts';

export function createReplayer(services: Services): Worker {
  const paces: Paces = new Map();
  return createLoop({
    name: 'replayer',
    log: services.log,
    everyMs: STEP_MS * 4,
    work: () => stepDue(services, paces),
  });
}
