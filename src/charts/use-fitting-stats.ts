import { hashKey, keepPreviousData, type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import type { CallRange } from '../../contract/states.ts';
import { type Counted, fittingRange } from './fitting-range.ts';

/** The statistics of the chosen time range, or of the one that fits the data of the last day. */
export function useFittingStats<Stats extends Counted, E, Key extends QueryKey>(
  queryOf: (range: CallRange) => UseQueryOptions<Stats, E, Stats, Key>,
  chosen: CallRange | undefined,
  enabled = true,
) {
  const ofDay = queryOf('24h');
  const day = useQuery({ ...ofDay, placeholderData: keepPreviousData, enabled: enabled && chosen === undefined }).data;
  const range = chosen ?? fittingRange([day], Date.now());
  const { data: stats, error } = useQuery({
    ...queryOf(range),
    // the day is loaded for the range alone: its bars are not drawn as those of an hour
    placeholderData: (previous, query) =>
      chosen === undefined && query?.queryHash === hashKey(ofDay.queryKey) ? undefined : previous,
    enabled,
  });
  return { range, stats, error };
}
