import { useInfiniteQuery } from '@tanstack/react-query';
import type { Delivery } from '../../api/entities.ts';
import { pages } from '../../api/queries.ts';

export interface CausedRun {
  readonly functionId: string;
  readonly runId: string;
}

/** Runs in progress, newest first: live changes add new ones at the front. */
const goingQuery = pages('runListAll', { query: { status: 'RUNNING' } });

/** The run of a delivery's attempt: the one in progress, else the last one; undefined where none was caused. */
export function useCausedRun(delivery: Delivery, look: boolean): CausedRun | undefined {
  const { delivery_id, status, attempts, last_run_id, last_function_id } = delivery;
  const open = status === 'PENDING' || status === 'RETRYING';
  const { data } = useInfiniteQuery({ ...goingQuery, enabled: look && open });
  // an attempt is counted once it is over; its run is known by then
  const going = open
    ? data?.pages
        .flatMap(({ runs }) => runs)
        .find(({ cause }) => cause?.delivery_id === delivery_id && cause.attempt > attempts)
    : undefined;
  if (going) return { functionId: going.function_id, runId: going.run_id };
  return last_run_id && last_function_id ? { functionId: last_function_id, runId: last_run_id } : undefined;
}
