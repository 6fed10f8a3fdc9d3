import { hashKey, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { type ApiError, toApiError } from '../api/api-error.ts';
import { holdList, readingOf, showRows, subscribeWaiting } from '../api/live/list-reading.ts';
import { showNewRows } from '../api/live/live-lists.ts';
import type { PagesQuery } from '../api/queries.ts';
import { holdRows } from './held-rows.ts';

export interface ListOptions<Page, Row> {
  readonly rows: (page: Page) => readonly Row[];
  readonly rowId: (row: Row) => string;
  /** Hold new rows back in any case, because a panel is open or rows are selected. */
  readonly hold?: boolean | undefined;
}

/** A paged list as a page displays it. */
export interface List<Row> {
  readonly rows: readonly Row[];
  readonly rowId: (row: Row) => string;
  /** The number of new rows held back. show() inserts them and, unless `hold` is set, scrolls to them. */
  readonly waiting: number;
  /** More rows than `waiting` are held back. */
  readonly waitingMore: boolean;
  readonly show: () => void;
  /** The first page is loading. */
  readonly pending: boolean;
  /** The list is being refetched while its rows are shown. */
  readonly refreshing: boolean;
  readonly error: ApiError | undefined;
  readonly retry: () => void;
  readonly hasMore: boolean;
  readonly loadMore: () => void;
  readonly setReading: (reading: boolean) => void;
  readonly setVisible: (ids: readonly string[]) => void;
  /** Incremented to scroll the list to its top. */
  readonly topAsked: number;
  /** Changes with the query, for example with other filters. */
  readonly key: string;
}

/** Reads a paged list: `useList(pages('eventListAll', { query }), { rows, rowId })`. Both functions must be constants. */
export function useList<Page, Row>(
  query: PagesQuery<Page>,
  { rows: rowsOf, rowId, hold = false }: ListOptions<Page, Row>,
): List<Row> {
  const result = useInfiniteQuery({ ...query, placeholderData: keepPreviousData });
  const { data, fetchNextPage, refetch, hasNextPage, isFetching, isFetchingNextPage, isError } = result;
  const all = useMemo(() => data?.pages.flatMap((page) => [...rowsOf(page)]) ?? [], [data, rowsOf]);

  const key = hashKey(query.queryKey);
  const [reading, setReading] = useState(false);
  const [top, setTop] = useState<{ key: string; id: string | undefined }>();
  const held = hold || reading;
  const newest = all[0] === undefined ? undefined : rowId(all[0]);
  const topId = held && top?.key === key ? top.id : undefined;
  // not held: show all rows, and hold from the newest one on
  if (topId === undefined && (top?.key !== key || top.id !== newest) && !result.isPlaceholderData)
    setTop({ key, id: newest });
  const { shown, waiting } = useMemo(() => holdRows(all, rowId, topId), [all, rowId, topId]);

  useEffect(() => {
    holdList(key, held);
    return () => {
      holdList(key, false);
      showRows(key, undefined);
    };
  }, [key, held]);
  const arrived = useSyncExternalStore(subscribeWaiting, () => readingOf(key).waiting.size);
  const [topAsked, setTopAsked] = useState(0);
  const show = useCallback(
    () =>
      void showNewRows(key).then(() => {
        setTop(undefined);
        // beside an open panel, or with rows selected, keep the scroll position
        if (!hold) setTopAsked((asked) => asked + 1);
      }),
    [key, hold],
  );
  const setVisible = useCallback((ids: readonly string[]) => showRows(key, ids), [key]);

  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !isError) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isError, fetchNextPage]);
  return {
    rows: shown,
    rowId,
    waiting: waiting + arrived,
    waitingMore: readingOf(key).waitingMore,
    show,
    // a page may be empty if matches are sparse; the next page is then loading
    pending: (data === undefined || (all.length === 0 && hasNextPage)) && !isError,
    refreshing: isFetching && !isFetchingNextPage && data !== undefined,
    error: isError ? toApiError(result.error) : undefined,
    retry: () => void (data === undefined ? refetch() : fetchNextPage()),
    hasMore: hasNextPage,
    loadMore,
    setReading,
    setVisible,
    topAsked,
    key,
  };
}
