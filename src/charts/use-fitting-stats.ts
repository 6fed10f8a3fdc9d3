import { keepPreviousData, type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import type { CallRange } from '../../contract/states.ts';
import { type Counted, fittingRange } from './fitting-range.ts';

/** The statistics of the chosen time range, or of the one that fits the data of the last day. */
export function useFittingStats<Stats extends Counted, E, Key extends QueryKey>(
  queryOf: (range: CallRange) => UseQueryOptions<Stats, E, Stats, Key>,
  chosen: CallRange | undefined,
  enabled = true,
) {
  const day = useQuery({ ...queryOf('24h'), enabled: enabled && chosen === undefined }).data;
  const range = chosen ?? fittingRange([day], Date.now());
  const { data: stats, error } = useQuery({ ...queryOf(range), placeholderData: keepPreviousData, enabled });
  return { range, stats, error };
}
