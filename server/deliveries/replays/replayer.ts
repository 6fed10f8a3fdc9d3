/**
 * Bulk replays.
 *
 * A replay is a row with its pace, and one item for each delivery that it is about, fixed when it was made (WAITING). A
 * look takes the replays that are due for this node, puts as many deliveries back as the pace allows (SENT, noted in
 * the same transaction; replay-sending.ts does it in batches), and closes the items whose delivery has had an
 * outcome since (DONE, counted in the same statement; see store/replay-progress.ts. The deliverer still retries after
 * that, and the matrix shows where they end). SKIPPED: the destination is disabled or gone, or the event is. Once the
 * trigger is deleted, all that waits for it is SKIPPED at once, and the replay ends as STOPPED.
 *
 * Where the items are too many to be found while somebody waits for an answer, looks of the worker find the rest first
 * (`gather_before`, see store/replay-gathering.ts); nothing goes out before the last one is found, as the oldest goes
 * first.
 *
 * A canary sends its few first, waits for all of their outcomes, and stops the replay when more than half failed.
 * Paused and canceled replays send nothing. After a crash the replay is due again when its lease has passed, on any
 * node; no item is sent twice, as its state and its delivery's moved together.
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
