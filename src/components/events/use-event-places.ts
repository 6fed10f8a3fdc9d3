import { useQuery } from '@tanstack/react-query';
import { newestTriggersQuery } from '../../layouts/attention.ts';
import type { SelectOption } from '../../ui/controls/Select.tsx';

export interface EventPlaces {
  readonly destinations: readonly SelectOption[];
  readonly sources: readonly SelectOption[];
}

/** The sources and destinations of this trigger, or of the newest triggers, as filter options. */
export function useEventPlaces(triggerId: string): EventPlaces {
  const triggers = useQuery(newestTriggersQuery).data?.triggers ?? [];
  const meant = triggers.filter(({ trigger_id }) => triggerId === '' || trigger_id === triggerId);
  const named = meant.flatMap(({ name, destinations }) =>
    destinations.map((destination) => ({ ...destination, trigger: name })),
  );
  const times = Map.groupBy(named, ({ name }) => name);
  return {
    // add the trigger to names that are not unique
    destinations: named.map(({ destination_id, name, trigger }) => ({
      value: destination_id,
      label: times.get(name)?.length === 1 ? name : `${name} (${trigger})`,
    })),
    sources: [...new Set(triggers.map(({ source }) => source))].sort().map((value) => ({ value, label: value })),
  };
}

/** Names of the newest triggers by id. */
export function useTriggerNames(): ReadonlyMap<string, string> {
  const triggers = useQuery(newestTriggersQuery).data?.triggers ?? [];
  return new Map(triggers.map(({ trigger_id, name }) => [trigger_id, name]));
}

/** Names of the destinations of the newest triggers by id. */
export function useDestinationNames(): ReadonlyMap<string, string> {
  const triggers = useQuery(newestTriggersQuery).data?.triggers ?? [];
  return new Map(
    triggers.flatMap(({ destinations }) => destinations.map(({ destination_id, name }) => [destination_id, name])),
  );
}
