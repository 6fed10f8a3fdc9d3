import type { EventRow } from '../../api/entities.ts';

/** A destination whose attempts fail and whose deliveries wait for the next attempt. */
export interface RetryingDestination {
  readonly destinationId: string;
  readonly name: string;
  readonly triggerId: string;
  readonly triggerName: string;
  /** The number of examined events that wait for it. */
  readonly events: number;
  readonly lastStatus: number | null;
}

/** The destinations that delay these events, the most delayed first. */
export function retryingDestinations(events: readonly EventRow[]): readonly RetryingDestination[] {
  const found = new Map<string, RetryingDestination>();
  for (const event of events) {
    for (const outcome of event.outcomes) {
      if (outcome.status !== 'RETRYING') continue;
      const known = found.get(outcome.destination_id);
      found.set(outcome.destination_id, {
        destinationId: outcome.destination_id,
        name: outcome.destination_name,
        triggerId: event.trigger_id,
        triggerName: event.trigger_name,
        events: (known?.events ?? 0) + 1,
        lastStatus: known ? known.lastStatus : outcome.last_response_status,
      });
    }
  }
  return [...found.values()].sort((a, b) => b.events - a.events);
}
