import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { DestinationHealth } from '../../../../contract/states.ts';
import type { DestinationSummary } from '../../../api/entities.ts';
import type { DestinationQueue } from '../../../components/deliveries/destination-words.ts';
import { healthOf } from '../../../components/status.tsx';
import type { Health } from '../../../ui/HealthDot.tsx';
import { triggerStatsQuery, useFailing } from '../trigger-figures.ts';

export interface Troubles {
  /** Destinations whose attempts all fail: progress towards auto-disable, in percent. */
  readonly failing: ReadonlyMap<string, number>;
  /** Queues by destination. */
  readonly queues: ReadonlyMap<string, DestinationQueue>;
  /** Paused destinations. */
  readonly paused: ReadonlySet<string>;
  /** Missed deliveries of each disabled destination. */
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
      paused: new Set(triggers.flatMap(({ paused }) => paused.map(({ destination_id }) => destination_id))),
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
  PAUSED: 'paused',
  DISABLED: 'disabled',
};

/** The health of a destination. */
export function healthAmong(destination: DestinationSummary, { failing, queues, paused }: Troubles): Health {
  const health = healthOf(destination);
  if (health !== 'healthy') return health;
  if (paused.has(destination.destination_id)) return 'paused';
  if (failing.has(destination.destination_id)) return 'failing';
  const queue = queues.get(destination.destination_id);
  return queue ? HEALTH[queue.health] : health;
}
