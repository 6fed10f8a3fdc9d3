import type { CallRange } from '../../contract/states.ts';
import { toTimestamp } from '../lib/clock.ts';

const MINUTE_MS = 60_000;
const RANGES: Record<CallRange, { buckets: number; bucket_ms: number }> = {
  '1h': { buckets: 60, bucket_ms: MINUTE_MS },
  '24h': { buckets: 48, bucket_ms: 30 * MINUTE_MS },
  '7d': { buckets: 56, bucket_ms: 180 * MINUTE_MS },
  '30d': { buckets: 60, bucket_ms: 720 * MINUTE_MS },
};

/** The time range of a chart, in whole buckets; the current one is the last. */
export type ChartRange = {
  since_ms: number;
  bucket_ms: number;
  /** One entry per bucket, oldest first; `found`: the row of that index, if any. */
  fill<F extends { index: number }, T>(found: F[], each: (at: string, found: F | undefined) => T): T[];
};

export function chartRange(range: CallRange): ChartRange {
  const { buckets, bucket_ms } = RANGES[range];
  const since_ms = (Math.floor(Date.now() / bucket_ms) - buckets + 1) * bucket_ms;
  return {
    since_ms,
    bucket_ms,
    fill(found, each) {
      const byIndex = new Map(found.map((one) => [one.index, one]));
      return Array.from({ length: buckets }, (_, index) =>
        each(timestampOf(since_ms + index * bucket_ms), byIndex.get(index)),
      );
    },
  };
}

export const timestampOf = (atMs: number) => toTimestamp(new Date(atMs).toISOString());
