/** Queries by operation name. A key is [name, input], so `invalidate('eventList', 'eventListAll')` names operations. */
import {
  type QueryKey,
  queryOptions,
  type UseQueryOptions,
  type UseQueryResult,
  useQuery,
} from '@tanstack/react-query';
import { send } from './client.ts';
import type { AnyInput, CallArgs, Operation, PagedOperation, Reply } from './operation.ts';
import { queryClient } from './query-client.ts';

type OneKey = readonly [operation: Operation, input: AnyInput];
type PagesKey = readonly [operation: Operation, input: AnyInput, kind: 'pages'];

/** A query: `q('triggerGet', { params: { trigger_id } })`, for useQuery, usePrefetchedQuery and loaders. */
export function q<O extends Operation>(operation: O, ...[given]: CallArgs<O>) {
  const input: AnyInput = given ?? {};
  const queryKey: OneKey = [operation, input];
  return queryOptions({
    queryKey,
    queryFn: ({ signal }): Promise<Reply<O>> => send(operation, input, signal),
  });
}

/** The options of an infinite query over a paged list. */
export interface PagesQuery<Page> {
  readonly queryKey: PagesKey;
  readonly queryFn: (context: { pageParam: string | undefined; signal: AbortSignal }) => Promise<Page>;
  readonly initialPageParam: string | undefined;
  readonly staleTime?: number;
  readonly getNextPageParam: (last: Page) => string | undefined;
}

/** A paged list, read by next_token: `pages('eventListAll', { query: { status: 'FAILED' } })`. */
export function pages<O extends PagedOperation>(operation: O, ...[given]: CallArgs<O>): PagesQuery<Reply<O>> {
  const input: AnyInput = given ?? {};
  return {
    queryKey: [operation, input, 'pages'],
    queryFn: ({ pageParam, signal }) =>
      send(operation, { ...input, query: { ...input.query, next_token: pageParam } }, signal),
    initialPageParam: undefined,
    ...(liveLists.has(operation) ? { staleTime: Number.POSITIVE_INFINITY } : {}),
    getNextPageParam: (last) => (last as { next_token: string | null }).next_token ?? undefined,
  };
}

/** Lists that live-lists.ts updates row by row; their pages are never refetched as a whole. */
const LIVE_LISTS = ['eventList', 'eventListAll', 'runList', 'runListAll', 'connectionCallList', 'callList'] as const;
export type LiveListOperation = (typeof LIVE_LISTS)[number];
export const liveLists: ReadonlySet<unknown> = new Set(LIVE_LISTS);

type Ensured = { readonly queryKey: QueryKey };

/**
 * For loaders: loads the queries before the page renders. Cached data is used immediately and refreshed in the
 * background if stale.
 */
export async function ensure(...queries: readonly Ensured[]): Promise<null> {
  await Promise.all(
    queries.map((query): Promise<unknown> => {
      const options = { ...(query as ReturnType<typeof q>), staleTime: 'static' } as const;
      if (!('initialPageParam' in query)) return queryClient.query(options);
      return queryClient.infiniteQuery({ ...(query as PagesQuery<unknown>), staleTime: 'static' });
    }),
  );
  return null;
}

/** A query result whose data the loader has already fetched. */
export type Prefetched<T> = Omit<UseQueryResult<T>, 'data'> & { readonly data: T };

/** Reads a query that the page's loader fetched. Throws the query key if the loader's `ensure(…)` lacks it. */
export function usePrefetchedQuery<T>(options: UseQueryOptions<T, Error, T, OneKey>): Prefetched<T> {
  const result = useQuery(options);
  if (result.data !== undefined) return { ...result, data: result.data };
  throw result.error ?? new Error(`${JSON.stringify(options.queryKey)}: no loader fetched it.`);
}

/** Invalidates these operations: displayed queries are refetched now, the others when next displayed. */
export function invalidate(...operations: readonly Operation[]): Promise<void> {
  return queryClient.invalidateQueries({
    predicate: ({ queryKey }) => operations.some((operation) => operation === queryKey[0]),
  });
}
