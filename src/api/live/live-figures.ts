/**
 * Statistics cost the service far more than a row does, and changes may arrive by the thousand. Displayed statistics
 * are therefore refreshed at a limited rate, the first time immediately.
 */
import type { LiveChange } from '../../../contract/live.ts';
import { inputOf } from '../operation.ts';
import { invalidateShown } from './invalidate-shown.ts';

const REST_MS = 5_000;

/** The stale statistics: ids of connections, and the keys below for those of the account. */
const stale = new Set<unknown>();
const EVENTS = 'events';
const RUNS = 'runs';
const CALLS = 'calls';
let restUntil = 0;

/** Marks the statistics that these changes make stale. */
export function noteFigures(changes: readonly LiveChange[]): void {
  for (const change of changes) {
    if (change.noun === 'call') stale.add(CALLS).add(change.connection_id);
    if (change.noun === 'event' || change.noun === 'delivery') stale.add(EVENTS);
    if (change.noun === 'run') stale.add(RUNS);
  }
}

/** Milliseconds until stale statistics may be fetched again; undefined when none are stale. */
export function figuresDueMs(): number | undefined {
  return stale.size === 0 ? undefined : Math.max(0, restUntil - performance.now());
}

/** Refetches displayed stale statistics once the interval is over; returns how many requests that takes. */
export function refreshFigures(): number {
  if (figuresDueMs() !== 0) return 0;
  restUntil = performance.now() + REST_MS;
  const about = new Set(stale);
  stale.clear();
  return invalidateShown((query) => {
    const [operation] = query.queryKey;
    return operation === 'eventStats' || operation === 'triggerStats' || operation === 'savedFilterCounts'
      ? about.has(EVENTS)
      : /^(run|function|version)Stats$/.test(String(operation))
        ? about.has(RUNS)
        : operation === 'connectionStats'
          ? about.has(CALLS)
          : operation === 'connectionCallStats' && about.has(inputOf(query).params?.['connection_id']);
  });
}
