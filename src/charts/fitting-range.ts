/** The time range that a chart begins with: the last hour if all of the last day's data is in it. */
import type { CallRange } from '../../contract/states.ts';

export interface Counted {
  readonly since: string;
  /** Later than `since` if a text search stopped early: the older buckets are unknown. */
  readonly searched_since?: string;
  readonly bucket_seconds: number;
  readonly buckets: readonly unknown[];
}

const HOUR_MS = 3_600_000;
/** The last hour has begun a little later once it is loaded. */
const MARGIN_MS = 120_000;

/** `day`: statistics of the last 24 hours; those that have not loaded are undefined. */
export function fittingRange(day: readonly (Counted | undefined)[], now: number): CallRange {
  if (day.some((each) => each?.searched_since && each.searched_since > each.since)) return '24h';
  const starts = day.map((each) => each && firstMs(each)).filter((each) => each !== undefined);
  return starts.length > 0 && Math.min(...starts) >= now - HOUR_MS + MARGIN_MS ? '1h' : '24h';
}

/** The start of the first bucket that is not empty. */
function firstMs({ since, bucket_seconds, buckets }: Counted): number | undefined {
  const index = buckets.findIndex(isFilled);
  return index < 0 ? undefined : Date.parse(since) + index * bucket_seconds * 1000;
}

/** A bucket is a number, or counts and durations by name. */
const isFilled = (bucket: unknown): boolean =>
  typeof bucket === 'number'
    ? bucket > 0
    : typeof bucket === 'object' && bucket !== null && Object.values(bucket).some((each) => Number(each) > 0);
