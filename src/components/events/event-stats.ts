/** Series and totals of event statistics, for the chart above the list and its table. */

import { CALL_RANGES, type CallRange } from '../../../contract/states.ts';
import type { Reply } from '../../api/operation.ts';
import { q } from '../../api/queries.ts';
import type { ChartSeries } from '../../charts/chart-options.ts';
import type { Buckets, Span } from '../../charts/chart-times.ts';
import type { Ink } from '../../charts/inks.ts';
import { OUTCOME_INKS } from '../../charts/outcome-inks.ts';
import type { EventFilters } from './event-query.ts';

export type EventStats = Reply<'eventStats'>;
export type EventBucket = EventStats['buckets'][number];

/** Delivery outcomes in stacking order; successes are pale. */
export const OUTCOMES = [
  { key: 'succeeded', name: 'Succeeded', ink: OUTCOME_INKS.succeeded },
  { key: 'skipped', name: 'Skipped', ink: OUTCOME_INKS.skipped },
  { key: 'open', name: 'Pending', ink: OUTCOME_INKS.pending },
  { key: 'failed', name: 'Failed', ink: OUTCOME_INKS.failed },
] as const satisfies readonly { key: keyof EventBucket; name: string; ink: Ink }[];
type Counted = (typeof OUTCOMES)[number]['key'] | 'events';

/** The range of the chart: its own selection, else the relative range of the list. */
export function rangeOf(chosen: string, { time }: EventFilters): CallRange {
  return CALL_RANGES.find((each) => each === chosen) ?? CALL_RANGES.find((each) => each === time) ?? '24h';
}

export const eventStatsQuery = (range: CallRange, { trigger, destination }: EventFilters) =>
  q('eventStats', {
    query: { range, trigger_id: trigger || undefined, destination_id: destination || undefined },
  });

/** Events and runs use the same buckets. */
export function bucketsOf({
  since,
  bucket_seconds,
  buckets,
}: Pick<EventStats, 'since' | 'bucket_seconds'> & { readonly buckets: readonly unknown[] }): Buckets {
  return { since: Date.parse(since) / 1_000, seconds: bucket_seconds, count: buckets.length };
}

export const outcomeSeries = ({ buckets }: EventStats): readonly ChartSeries[] =>
  OUTCOMES.map(({ key, name, ink }) => ({ name, ink, values: buckets.map((bucket) => bucket[key]) }));

export const totalOf = ({ buckets }: EventStats, key: Counted): number =>
  buckets.reduce((total, bucket) => total + bucket[key], 0);

export const PERCENTILES = [
  { key: 'p50_ms', name: 'p50', ink: { token: 'chart-1' } },
  { key: 'p95_ms', name: 'p95', ink: { token: 'chart-2' } },
  { key: 'p99_ms', name: 'p99', ink: { token: 'chart-3' } },
] as const satisfies readonly { key: keyof EventBucket; name: string; ink: Ink }[];

/** The duration percentiles of attempts. */
export const latencySeries = ({ buckets }: EventStats): readonly ChartSeries[] =>
  PERCENTILES.map(({ key, name, ink }) => ({ name, ink, values: buckets.map((bucket) => bucket[key]) }));

/** A short duration for the axis. */
export function durationTick(ms: number): string {
  if (ms === 0) return '0';
  return ms < 1_000 ? `${ms} ms` : `${ms / 1_000} s`;
}

/** The last bucket with attempts, because percentiles of buckets cannot be aggregated. */
export const lastBusy = ({ buckets }: EventStats): EventBucket | undefined =>
  buckets.findLast(({ attempts }) => attempts > 0);

/** The absolute time span of the list. */
export function spanIn(after: string, before: string): Span | undefined {
  const [from, to] = [Date.parse(after) / 1_000, Date.parse(before) / 1_000];
  return Number.isNaN(from) || Number.isNaN(to) ? undefined : { from, to };
}
