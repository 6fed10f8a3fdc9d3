import { pages, q } from '../../api/queries.ts';

/** What the Overview reads. The badges of the navigation read some of it too. */
export const connectionsQuery = q('connectionList');
export const functionsQuery = q('functionList', { query: { limit: 1 } });
export const keysQuery = q('apiKeyList');
/** Pages, although only the first is shown: lists in pages follow the live stream row by row. */
export const latestFailedQuery = pages('eventListAll', { query: { status: 'FAILED' } });
export const latestRetryingQuery = pages('eventListAll', { query: { status: 'RETRYING' } });
export const latestEventsQuery = pages('eventListAll');
export const latestRunsQuery = pages('runListAll');
/** The list of triggers reads it, too. */
export const triggerStatsQuery = q('triggerStats', { query: { range: '24h' } });
