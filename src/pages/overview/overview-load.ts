import { call } from '../../api/client.ts';
import type { Reply } from '../../api/operation.ts';
import { queryClient } from '../../api/query-client.ts';
import {
  attentionConnectionsQuery,
  failingTriggersQuery,
  newestTriggersQuery,
  openProblemsQuery,
} from '../../layouts/attention.ts';
import {
  connectionsQuery,
  firstCallQuery,
  functionsQuery,
  keysQuery,
  latestEventsQuery,
  latestFailedQuery,
  latestRetryingQuery,
  latestRunsQuery,
  triggerStatsQuery,
} from './overview-queries.ts';

type Parts = Reply<'overviewGet'>;
const page = <P>(first: P) => ({ pages: [first], pageParams: [undefined] });

/** The queries of the Overview and the navigation, and the part of the combined response for each. */
const PARTS = [
  [connectionsQuery, (parts: Parts) => parts.connections],
  [attentionConnectionsQuery, (parts: Parts) => parts.attention_connections],
  [newestTriggersQuery, (parts: Parts) => parts.triggers],
  [failingTriggersQuery, (parts: Parts) => parts.failing_triggers],
  [triggerStatsQuery, (parts: Parts) => parts.trigger_stats],
  [functionsQuery, (parts: Parts) => parts.functions],
  [keysQuery, (parts: Parts) => parts.api_keys],
  [latestFailedQuery, (parts: Parts) => page(parts.failed_events)],
  [latestRetryingQuery, (parts: Parts) => page(parts.retrying_events)],
  [latestEventsQuery, (parts: Parts) => page(parts.events)],
  [latestRunsQuery, (parts: Parts) => page(parts.runs)],
  [openProblemsQuery, (parts: Parts) => parts.open_problems],
  [firstCallQuery, (parts: Parts) => parts],
] as const;

/** Fills the cache for the Overview, with one request if entries are missing. */
export async function loadOverview(): Promise<void> {
  const missing = PARTS.filter(([{ queryKey }]) => queryClient.getQueryData(queryKey) === undefined);
  if (missing.length === 0) return;
  const parts = await call('overviewGet');
  for (const [{ queryKey }, partOf] of missing) queryClient.setQueryData<unknown>(queryKey, partOf(parts));
}
