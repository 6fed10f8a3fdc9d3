/**
 * Pages of runs, newest first, in roughly constant time for any filter. A filter that few runs match is searched in
 * windows along the index of run ids, each as wide as the remaining time allows. A page that runs out of time is
 * shorter and reports its position; the next one continues there.
 */
import { pageInWindows } from '../../lib/windows.ts';
import type { Db } from '../../platform/database/schema.ts';
import { edgeOf, type ListedRun, list, listIds, type RunFilter, type RunWindow } from './runs.ts';

const BUDGET_MS = 250;
/** Narrow for text filters, as texts may be long. */
const FIRST_WINDOW = { text: 200, fields: 2_000 };
const WIDEST_WINDOW = { text: 5_000, fields: 20_000 };

type Asked = { limit: number; before?: string | undefined; budgetMs?: number };
/** `next`: the run after which the next page continues; null at the end. */
type Page<Row> = { rows: Row[]; next: string | null };

export const page = (db: Db, account_id: string, filter: RunFilter, asked: Asked): Promise<Page<ListedRun>> =>
  pageOf(db, account_id, filter, asked, list);

/** The same page with ids only. */
export const pageOfIds = (db: Db, account_id: string, filter: RunFilter, asked: Asked): Promise<Page<RunId>> =>
  pageOf(db, account_id, filter, asked, listIds);

type RunId = Pick<ListedRun, 'run_id'>;

function pageOf<Row extends RunId>(
  db: Db,
  account_id: string,
  filter: RunFilter,
  { limit, before, budgetMs = BUDGET_MS }: Asked,
  read: (db: Db, account_id: string, filter: RunFilter, page: RunWindow) => Promise<Row[]>,
): Promise<Page<Row>> {
  const kind = filter.q === undefined ? 'fields' : 'text';
  const windows = { limit, before, budgetMs, first: FIRST_WINDOW[kind], widest: WIDEST_WINDOW[kind] };
  return pageInWindows<Row>({ ...windows, idOf: ({ run_id }) => run_id }, async (at, size, wanted) => {
    const last = isSparse(filter) ? await edgeOf(db, account_id, filter, at, size) : undefined;
    return { rows: await read(db, account_id, filter, { limit: wanted, before: at, from: last }), last };
  });
}

/** Whether matches may be far apart: filters other than function and time, which have indexes. */
const isSparse = ({ run_ids, status, version, caller, key_id, min_ms, max_ms, q }: RunFilter): boolean =>
  run_ids === undefined && [status, version, caller, key_id, min_ms, max_ms, q].some((each) => each !== undefined);
