import type { DataTag, QueryKey } from '@tanstack/react-query';
import { usePrefetchedQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query-client.ts';
import { newestTriggersQuery } from '../../layouts/attention.ts';
import { preference } from '../../stores/preference.ts';
import { connectionsQuery, functionsQuery, keysQuery } from './overview-queries.ts';

/** The completed setup steps. */
type StepsDone = Readonly<Record<'key' | 'function' | 'connection' | 'trigger', boolean>>;

/** Whether this user still wants to see the setup steps. */
export const firstSteps = preference('sluice.first_steps', ['shown', 'hidden'], 'shown');

/** Whether this user still wants to see the tasks of the demo. */
export const demoTasksShown = preference('sluice.demo_tasks', ['shown', 'hidden'], 'shown');

/** The function and the key that a first step creates for another step: they do not complete their own. */
export const FIRST_FUNCTION = 'first-webhook';
export const CONNECTION_KEY = 'Connection to the own API';

type Cached = <T>(query: { queryKey: DataTag<QueryKey, T, unknown> }) => T | undefined;

/** What the account contains. An event that was received counts for its trigger. */
const doneIn = (data: Cached): StepsDone => ({
  key: data(keysQuery)?.api_keys.some((key) => key.last_used_at && key.name !== CONNECTION_KEY) === true,
  function: data(functionsQuery)?.functions.some(({ name }) => name !== FIRST_FUNCTION) === true,
  connection: data(connectionsQuery)?.connections.some(({ status }) => status === 'ACTIVE') === true,
  trigger: data(newestTriggersQuery)?.triggers.some(({ last_event_at }) => last_event_at) === true,
});

/** Follows the queries, which the page's loader fetched. */
export function useStepsDone(): StepsDone {
  usePrefetchedQuery(keysQuery);
  usePrefetchedQuery(functionsQuery);
  usePrefetchedQuery(connectionsQuery);
  usePrefetchedQuery(newestTriggersQuery);
  return doneIn(({ queryKey }) => queryClient.getQueryData(queryKey));
}

/** For the loader: whether the page will show the steps. */
export const stepsWillShow = (): boolean =>
  firstSteps.get() === 'shown' &&
  Object.values(doneIn(({ queryKey }) => queryClient.getQueryData(queryKey))).includes(false);
