import { pages, q } from '../../api/queries.ts';

/** Queries of the Overview; the badges of the navigation use some of them. */
export const connectionsQuery = q('connectionList', { query: { limit: 100 } });
export const functionsQuery = q('functionList', { query: { limit: 1 } });
export const keysQuery = q('apiKeyList');
/** Paged, although only the first page is shown: live updates apply to paged lists by row. */
export const latestFailedQuery = pages('eventListAll', { query: { status: 'FAILED' } });
export const latestRetryingQuery = pages('eventListAll', { query: { status: 'RETRYING' } });
export const latestEventsQuery = pages('eventListAll');
export const latestRunsQuery = pages('runListAll');
/** The combined response, for when gateway calls begin. */
export const firstCallQuery = q('overviewGet');
/** A trigger that reports failures, if there is one. */
export const notifyingTriggersQuery = q('triggerList', { query: { source: 'sluice', limit: 1 } });
/** Also used by the list of triggers. */
export const triggerStatsQuery = q('triggerStats', { query: { range: '24h' } });
