const NARROWEST = 25;

/**
 * The width in rows of the next window of a search, after one of `size` rows that took `tookMs`: what fits into the time
 * left, at most four times the last one.
 */
export function nextSize(size: number, tookMs: number, leftMs: number, widest: number): number {
  const fits = Math.floor((size * leftMs) / Math.max(tookMs, 0.1));
  return Math.max(NARROWEST, Math.min(fits, size * 4, widest));
}
