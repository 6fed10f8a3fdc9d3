import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { DestinationSummary } from '../../api/entities.ts';
import { pages } from '../../api/queries.ts';
import { healthOf } from '../../components/status.tsx';
import type { Health } from '../../ui/HealthDot.tsx';
import { useFailing } from './trigger-figures.ts';

/** Pages, although only the first is read: lists in pages follow the live stream row by row. */
export const retryingQuery = pages('eventListAll', { query: { status: 'RETRYING' } });

/** Destinations that the newest waiting events wait for. */
function useRetrying(): ReadonlySet<string> {
  const events = useInfiniteQuery(retryingQuery).data?.pages[0]?.events;
  return useMemo(
    () =>
      new Set(
        events?.flatMap(({ outcomes }) =>
          outcomes.filter(({ status }) => status === 'RETRYING').map(({ destination_id }) => destination_id),
        ),
      ),
    [events],
  );
}

export interface Troubles {
  /** Where every attempt fails. */
  readonly failing: ReadonlyMap<string, number>;
  /** With deliveries that wait for another attempt. */
  readonly retrying: ReadonlySet<string>;
}

export function useTroubles(): Troubles {
  return { failing: useFailing(), retrying: useRetrying() };
}

/** A destination's health, knowing which fail and which wait. */
export function healthAmong(destination: DestinationSummary, { failing, retrying }: Troubles): Health {
  const health = healthOf(destination);
  if (health !== 'healthy') return health;
  if (failing.has(destination.destination_id)) return 'failing';
  return retrying.has(destination.destination_id) ? 'retrying' : health;
}
