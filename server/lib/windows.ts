const NARROWEST = 25;

/**
 * The number of rows of the next window of a search, after one of `size` rows that took `tookMs`: what fits into the
 * remaining time, at most four times the last one.
 */
export function nextSize(size: number, tookMs: number, leftMs: number, widest: number): number {
  const fits = Math.floor((size * leftMs) / Math.max(tookMs, 0.1));
  return Math.max(NARROWEST, Math.min(fits, size * 4, widest));
}

/** The next window may be in a range that is not cached. */
const CARE = 0.5;

type Windows<Row> = {
  limit: number;
  /** The page begins after this row. */
  before: string | undefined;
  budgetMs: number;
  /** The budget while no row is found; at least `budgetMs`. */
  emptyBudgetMs?: number | undefined;
  /** Window sizes in rows. */
  first: number;
  widest: number;
  idOf: (row: Row) => string;
};

/** `last`: the last row read; undefined at the end. */
type Window<Row> = { rows: Row[]; last: string | undefined };

/**
 * Searches a page in windows, each as wide as the remaining time allows. `read` returns at most `wanted` matches among
 * the `size` rows after `before`. `next`: the row after which the next page continues, null at the end.
 */
export async function pageInWindows<Row>(
  { limit, before, budgetMs, emptyBudgetMs = budgetMs, first, widest, idOf }: Windows<Row>,
  read: (before: string | undefined, size: number, wanted: number) => Promise<Window<Row>>,
): Promise<{ rows: Row[]; next: string | null }> {
  const beginMs = performance.now();
  const rows: Row[] = [];
  let at = before;
  let size = first;
  for (;;) {
    const startedMs = performance.now();
    const window = await read(at, size, limit + 1 - rows.length);
    rows.push(...window.rows);
    const lastOfPage = rows[limit - 1];
    if (rows.length > limit) return { rows: rows.slice(0, limit), next: lastOfPage ? idOf(lastOfPage) : null };
    at = window.last;
    const nowMs = performance.now();
    const stopMs = beginMs + (rows.length === 0 ? emptyBudgetMs : budgetMs);
    if (at === undefined || nowMs > stopMs) return { rows, next: at ?? null };
    size = nextSize(size, nowMs - startedMs, (stopMs - nowMs) * CARE, widest);
  }
}
