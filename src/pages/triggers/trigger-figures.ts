/** Statistics of all triggers in one request. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { q } from '../../api/queries.ts';

export const triggerStatsQuery = q('triggerStats', { query: { range: '24h' } });

/** Destinations whose attempts all fail, with their progress towards auto-disable in percent. */
export function useFailing(): ReadonlyMap<string, number> {
  const { data } = useQuery(triggerStatsQuery);
  return useMemo(
    () =>
      new Map(
        data?.triggers.flatMap(({ failing }) => failing.map((each) => [each.destination_id, each.warning] as const)),
      ),
    [data],
  );
}
