/** The filters of the list of connections, as its URL has them. */
import type { Connection } from '../../../api/entities.ts';
import type { Body } from '../../../api/operation.ts';

export const filterDefaults = { app: '', status: '', method: '', health: '', tag: '', end_user: '', q: '' };
export type ConnectionFilters = typeof filterDefaults;

/** The value of `health` that selects what `attention` of the API selects. */
export const ATTENTION = 'attention';

const shared = ({ app, status, method, tag, end_user, q }: ConnectionFilters) => ({
  app: app || undefined,
  status: (status || undefined) as Connection['status'] | undefined,
  method: (method || undefined) as Connection['method'] | undefined,
  tag: tag || undefined,
  end_user: end_user || undefined,
  q: q || undefined,
});

/** The input of the list. */
export const listInput = (filters: ConnectionFilters) => ({
  query: { ...shared(filters), attention: filters.health === ATTENTION ? ('true' as const) : undefined },
});

/** The filter of a bulk action that selects the same connections. */
export const bulkFilter = (filters: ConnectionFilters): NonNullable<Body<'connectionBulk'>['filter']> => ({
  ...shared(filters),
  ...(filters.health === ATTENTION ? { attention: true } : {}),
});
