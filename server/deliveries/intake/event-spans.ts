import type { OpenSpan, Tracing } from '../../platform/tracing/tracing.ts';
import type { NewEvent, Taken } from './store-events.ts';

/**
 * Starts a span for each event, which the event's deliveries continue. `end` gets the outcome of each, in order; none if
 * they could not be stored.
 */
export function traceEvents(
  tracing: Tracing,
  source: string,
  given: NewEvent[],
): { events: NewEvent[]; end(taken: Taken[]): void } {
  const spans: OpenSpan[] = [];
  const events = given.map((event) => {
    const { account_id, trigger_id, trace } = event;
    const span = tracing.start('event store', 'INTERNAL', trace, { account_id, trigger_id, app: source });
    spans.push(span);
    return { ...event, trace: span.trace };
  });
  return {
    events,
    end(taken) {
      for (const [index, span] of spans.entries()) {
        const { event_id, outcome } = taken[index] ?? {};
        if (event_id === undefined || outcome === undefined) span.end({ outcome: 'FAILED' }, true);
        else span.end({ event_id, outcome }, false);
      }
    },
  };
}
