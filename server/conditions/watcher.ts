/** The worker that evaluates conditions; see evaluate.ts. Without a trigger of the source `sluice`, one short query. */
import { errorFields } from '../lib/outage-log.ts';
import type { Services } from '../platform/context.ts';
import { createLoop, type Worker } from '../platform/loop.ts';
import { evaluateNext } from './evaluate.ts';
import { measureStorage } from './observers/storage.ts';
import * as watching from './store/watching-triggers.ts';

/** Maximum sleep: a change is noticed after this time. */
const LOOK_MS = 1000;
const AT_ONCE = 4;
/** Evaluations of one lane per round, so that a stop does not wait long. */
const PER_ROUND = 25;
const MEASURE_MS = 10_000;

export function createWatcher(services: Services): Worker {
  const { db, log, memory } = services;
  let measuredMs = Number.NEGATIVE_INFINITY;

  /** A node without access to its data folder reports nothing, and still evaluates the rest. */
  async function measure(): Promise<void> {
    if (performance.now() - measuredMs < MEASURE_MS) return;
    const isStored = await measureStorage(services).catch((error: unknown) => {
      log.warn({ ...errorFields(error) }, 'free storage could not be measured');
      return true;
    });
    if (isStored) measuredMs = performance.now();
  }

  async function evaluateSome(): Promise<boolean> {
    for (let count = 0; count < PER_ROUND; count++) if (!(await evaluateNext(services))) return false;
    return true;
  }

  return createLoop({
    name: 'watcher',
    log,
    everyMs: LOOK_MS,
    async work() {
      await measure();
      const changed = [...memory.changedAccounts];
      memory.changedAccounts.clear();
      if (changed.length > 0) await watching.makeDue(db, changed);
      // Mostly nothing is due: one connection finds that out.
      if (!(await evaluateNext(services))) return (await watching.untilNext(db)) ?? undefined;
      const isMore = await Promise.all(Array.from({ length: AT_ONCE }, evaluateSome));
      return isMore.includes(true) ? 0 : ((await watching.untilNext(db)) ?? undefined);
    },
  });
}
