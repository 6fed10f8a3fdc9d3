/**
 * Figures over many calls or events cost the service far more than a row does, and they may come by the thousand: what
 * is shown of figures follows at a pace of its own, the first at once.
 */
import type { LiveChange } from '../../contract/live.ts';
import type { AnyInput } from './operation.ts';
import { queryClient } from './query-client.ts';

const REST_MS = 5_000;

/** Connections whose calls changed, and the events, runs and calls of the account. */
const stale = new Set<unknown>();
const EVENTS = 'events';
const RUNS = 'runs';
const CALLS = 'calls';
let timer: ReturnType<typeof setTimeout> | undefined;
let restUntil = 0;

export function refreshFigures(changes: readonly LiveChange[]): void {
  for (const change of changes) {
    if (change.noun === 'call') stale.add(CALLS).add(change.connection_id);
    if (change.noun === 'event' || change.noun === 'delivery') stale.add(EVENTS);
    if (change.noun === 'run') stale.add(RUNS);
  }
  if (stale.size > 0) timer ??= setTimeout(refresh, Math.max(0, restUntil - performance.now()));
}

function refresh() {
  timer = undefined;
  restUntil = performance.now() + REST_MS;
  const about = new Set(stale);
  stale.clear();
  void queryClient.invalidateQueries({
    predicate: ({ queryKey: [operation, input] }) =>
      operation === 'eventStats' || operation === 'triggerStats'
        ? about.has(EVENTS)
        : /^(run|function|version)Stats$/.test(String(operation))
          ? about.has(RUNS)
          : operation === 'connectionStats'
            ? about.has(CALLS)
            : operation === 'connectionCallStats' && about.has((input as AnyInput).params?.['connection_id']),
  });
}
