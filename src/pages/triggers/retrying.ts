import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { DestinationSummary } from '../../api/entities.ts';
import { pages } from '../../api/queries.ts';
import { healthOf } from '../../components/status.tsx';
import type { Health } from '../../ui/HealthDot.tsx';

/** Pages, although only the first is read: lists in pages follow the live stream row by row. */
export const retryingQuery = pages('eventListAll', { query: { status: 'RETRYING' } });

/** Destinations that the newest waiting events wait for. */
export function useRetrying(): ReadonlySet<string> {
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

/** A destination's health, knowing which have deliveries that wait for another attempt. */
export function healthAmong(destination: DestinationSummary, retrying: ReadonlySet<string>): Health {
  const health = healthOf(destination);
  return health === 'healthy' && retrying.has(destination.destination_id) ? 'retrying' : health;
}
