/** Figures of all triggers at once: one question, however many are listed. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { q } from '../../api/queries.ts';

export const triggerStatsQuery = q('triggerStats', { query: { range: '24h' } });

/** Destinations at which every attempt fails, with how near they are to being disabled, in per cent. */
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
