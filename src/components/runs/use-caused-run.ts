import { useInfiniteQuery } from '@tanstack/react-query';
import type { Delivery } from '../../api/entities.ts';
import { pages } from '../../api/queries.ts';

export interface CausedRun {
  readonly functionId: string;
  readonly runId: string;
}

/** Runs in progress, newest first, updated live. */
const goingQuery = pages('runListAll', { query: { status: 'RUNNING' } });

/** The run caused by a delivery: the one in progress, else the last one; undefined if there is none. */
export function useCausedRun(delivery: Delivery, look: boolean): CausedRun | undefined {
  const { delivery_id, status, attempts, last_run_id, last_function_id } = delivery;
  const open = status === 'PENDING' || status === 'RETRYING';
  const { data } = useInfiniteQuery({ ...goingQuery, enabled: look && open });
  // `attempts` counts finished attempts, whose runs are in `last_run_id`
  const going = open
    ? data?.pages
        .flatMap(({ runs }) => runs)
        .find(({ cause }) => cause?.delivery_id === delivery_id && cause.attempt > attempts)
    : undefined;
  if (going) return { functionId: going.function_id, runId: going.run_id };
  return last_run_id && last_function_id ? { functionId: last_function_id, runId: last_run_id } : undefined;
}
