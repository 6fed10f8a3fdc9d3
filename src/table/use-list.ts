import { hashKey, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { type ApiError, toApiError } from '../api/api-error.ts';
import { holdList, readingOf, showRows, subscribeWaiting } from '../api/live/list-reading.ts';
import { letIn } from '../api/live/live-lists.ts';
import type { PagesQuery } from '../api/queries.ts';
import { holdRows } from './held-rows.ts';

export interface ListOptions<Page, Row> {
  readonly rows: (page: Page) => readonly Row[];
  readonly rowId: (row: Row) => string;
  /** Hold new rows back all the same: a panel of one is open, some are selected. */
  readonly hold?: boolean | undefined;
}

/** A list in pages as a page of the console shows it. */
export interface List<Row> {
  readonly rows: readonly Row[];
  readonly rowId: (row: Row) => string;
  /** New rows that wait; show() inserts them, and scrolls to them unless `hold` is set. For the page's LivePill. */
  readonly waiting: number;
  /** More than `waiting` wait. */
  readonly waitingMore: boolean;
  readonly show: () => void;
  /** Nothing is known yet. */
  readonly pending: boolean;
  /** It is asked for again under the rows that are shown. */
  readonly refreshing: boolean;
  readonly error: ApiError | undefined;
  readonly retry: () => void;
  readonly hasMore: boolean;
  readonly loadMore: () => void;
  readonly setReading: (reading: boolean) => void;
  readonly setVisible: (ids: readonly string[]) => void;
  /** Grows when the list is to be scrolled to its top. */
  readonly topAsked: number;
  /** Changes when it is another list: other filters. */
  readonly key: string;
}

/** `useList(pages('eventListAll', { query }), { rows: (page) => page.events, rowId })` reads a list; functions constant. */
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
  // not held: every row is let in, and the newest is where holding starts from
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
      void letIn(key).then(() => {
        setTop(undefined);
        // beside an open panel, or with rows selected, the place is kept
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
    // a page may end before it holds anything, where matches are far apart: then the next is on its way
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
