import { usePrefetchedQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query-client.ts';
import { newestTriggersQuery } from '../../layouts/attention.ts';
import { preference } from '../../stores/preference.ts';
import { connectionsQuery, functionsQuery, keysQuery } from './overview-queries.ts';

/** The completed setup steps. */
export type StepsDone = Readonly<Record<'key' | 'function' | 'connection' | 'trigger', boolean>>;

/** Whether this user still wants to see the setup steps. */
export const firstSteps = preference('sluice.first_steps', ['shown', 'hidden'], 'shown');

/** Whether this user still wants to see the tasks of the demo. */
export const demoTasksShown = preference('sluice.demo_tasks', ['shown', 'hidden'], 'shown');

export function useStepsDone(): StepsDone {
  return {
    key: usePrefetchedQuery(keysQuery).data.api_keys.length > 0,
    function: usePrefetchedQuery(functionsQuery).data.functions.length > 0,
    connection: usePrefetchedQuery(connectionsQuery).data.connections.some(({ status }) => status === 'ACTIVE'),
    trigger: usePrefetchedQuery(newestTriggersQuery).data.triggers.length > 0,
  };
}

/** For the loader: whether the page will show the steps. */
export function stepsWillShow(): boolean {
  const nothing = <T>(list: readonly T[] | undefined) => list === undefined || list.length === 0;
  const connections = queryClient.getQueryData(connectionsQuery.queryKey)?.connections;
  return (
    firstSteps.get() === 'shown' &&
    (nothing(queryClient.getQueryData(keysQuery.queryKey)?.api_keys) ||
      nothing(queryClient.getQueryData(functionsQuery.queryKey)?.functions) ||
      nothing(connections?.filter(({ status }) => status === 'ACTIVE')) ||
      nothing(queryClient.getQueryData(newestTriggersQuery.queryKey)?.triggers))
  );
}
