/**
 * Pages of runs, newest first, in about the same time whatever is asked for. A filter that few runs match is looked for
 * in windows along the index of run ids, each as wide as the time that is left allows. A page that runs out of time ends
 * before it is full and says how far it looked; the next one continues there.
 */
import { nextSize } from '../../lib/window-size.ts';
import type { Db } from '../../platform/database/schema.ts';
import { edgeOf, type ListedRun, list, type RunFilter } from './runs.ts';

/** `next`: the run after which the next page continues; null at the end. */
export type RunPage = { rows: ListedRun[]; next: string | null };

const BUDGET_MS = 250;
/** Narrow where text is read, which may be long. */
const FIRST_WINDOW = { text: 200, fields: 2_000 };
const WIDEST_WINDOW = { text: 5_000, fields: 20_000 };
/** The next window may lie where nothing has been read yet. */
const CARE = 0.5;

export async function page(
  db: Db,
  account_id: string,
  filter: RunFilter,
  { limit, before, budgetMs = BUDGET_MS }: { limit: number; before?: string | undefined; budgetMs?: number },
): Promise<RunPage> {
  const stopMs = performance.now() + budgetMs;
  const kind = filter.q === undefined ? 'fields' : 'text';
  const rows: ListedRun[] = [];
  let at = before;
  let size = FIRST_WINDOW[kind];
  for (;;) {
    const startedMs = performance.now();
    const from = isSparse(filter) ? await edgeOf(db, account_id, filter, at, size) : undefined;
    rows.push(...(await list(db, account_id, filter, { limit: limit + 1 - rows.length, before: at, from })));
    if (rows.length > limit) return { rows: rows.slice(0, limit), next: rows[limit - 1]?.run_id ?? null };
    at = from;
    const nowMs = performance.now();
    if (at === undefined || nowMs > stopMs) return { rows, next: at ?? null };
    size = nextSize(size, nowMs - startedMs, (stopMs - nowMs) * CARE, WIDEST_WINDOW[kind]);
  }
}

/** Whether matches may be far apart: more is asked than a function and a time, which indexes lead to. */
const isSparse = ({ run_ids, status, version, caller, min_ms, max_ms, q }: RunFilter): boolean =>
  run_ids === undefined && [status, version, caller, min_ms, max_ms, q].some((each) => each !== undefined);
