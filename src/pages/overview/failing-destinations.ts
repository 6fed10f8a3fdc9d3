import { DISABLE_AFTER_DAYS } from '../../../contract/limits.ts';
import type { Trigger } from '../../api/entities.ts';
import type { Reply } from '../../api/operation.ts';

const DAY_MS = 86_400_000;

/** A destination whose attempts all fail, and which will be disabled if that continues. */
export interface FailingDestination {
  readonly triggerId: string;
  readonly triggerName: string;
  readonly destinationId: string;
  readonly name: string;
  readonly since: string;
  readonly disableAt: string;
}

/** The enabled failing destinations, the first to be disabled at the front. */
export function failingDestinations(
  { triggers: figures }: Pick<Reply<'triggerStats'>, 'triggers'>,
  triggers: readonly Pick<Trigger, 'trigger_id' | 'name' | 'destinations'>[],
): readonly FailingDestination[] {
  const found = figures.flatMap(({ trigger_id, failing }) => {
    const trigger = triggers.find((each) => each.trigger_id === trigger_id);
    return failing.flatMap(({ destination_id, failing_since }) => {
      const destination = trigger?.destinations.find((each) => each.destination_id === destination_id);
      if (!trigger || destination?.status !== 'ENABLED') return [];
      return {
        triggerId: trigger_id,
        triggerName: trigger.name,
        destinationId: destination_id,
        name: destination.name,
        since: failing_since,
        disableAt: new Date(Date.parse(failing_since) + DISABLE_AFTER_DAYS * DAY_MS).toISOString(),
      };
    });
  });
  return found.sort((a, b) => a.since.localeCompare(b.since));
}
