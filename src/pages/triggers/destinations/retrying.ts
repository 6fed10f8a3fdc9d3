import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { DestinationHealth } from '../../../../contract/states.ts';
import type { DestinationSummary } from '../../../api/entities.ts';
import type { DestinationQueue } from '../../../components/deliveries/destination-words.ts';
import { healthOf } from '../../../components/status.tsx';
import type { Health } from '../../../ui/HealthDot.tsx';
import { triggerStatsQuery, useFailing } from '../trigger-figures.ts';

export interface Troubles {
  /** Destinations at which every attempt fails: how near each is to being disabled, in per cent. */
  readonly failing: ReadonlyMap<string, number>;
  /** What waits, by destination. */
  readonly queues: ReadonlyMap<string, DestinationQueue>;
  /** How many deliveries each disabled destination has missed. */
  readonly missed: ReadonlyMap<string, number>;
}

export function useTroubles(): Troubles {
  const { data } = useQuery(triggerStatsQuery);
  const failing = useFailing();
  return useMemo(() => {
    const triggers = data?.triggers ?? [];
    return {
      failing,
      queues: new Map(triggers.flatMap(({ queues }) => queues.map((each) => [each.destination_id, each] as const))),
      missed: new Map(
        triggers.flatMap(({ disabled }) => disabled.map((each) => [each.destination_id, each.missed] as const)),
      ),
    };
  }, [data, failing]);
}

const HEALTH: Record<DestinationHealth, Health> = {
  HEALTHY: 'healthy',
  RETRYING: 'retrying',
  BEHIND: 'behind',
  HELD: 'held',
  FAILING: 'failing',
  DISABLED: 'disabled',
};

/** A destination's health, knowing which fail and what waits. */
export function healthAmong(destination: DestinationSummary, { failing, queues }: Troubles): Health {
  const health = healthOf(destination);
  if (health !== 'healthy') return health;
  if (failing.has(destination.destination_id)) return 'failing';
  const queue = queues.get(destination.destination_id);
  return queue ? HEALTH[queue.health] : health;
}
