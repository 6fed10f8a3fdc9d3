/** Aggregates of a connection's call statistics, for the charts, their table, and the connection's health. */

import type { Reply } from '../../../api/operation.ts';
import type { ChartSeries } from '../../../charts/chart-options.ts';
import type { Buckets } from '../../../charts/chart-times.ts';
import type { Ink } from '../../../charts/inks.ts';
import { OUTCOME_INKS } from '../../../charts/outcome-inks.ts';
import { formatPercent } from '../../../lib/format.ts';

export type CallStats = Reply<'connectionCallStats'>;
export type CallBucket = CallStats['buckets'][number];

export type Outcome = 'ok' | 'client_errors' | 'server_errors' | 'unanswered';
/** Outcomes of a call in stacking order; successes are pale. */
export const OUTCOMES: readonly { readonly key: Outcome; readonly name: string; readonly ink: Ink }[] = [
  { key: 'ok', name: 'OK', ink: OUTCOME_INKS.succeeded },
  { key: 'client_errors', name: '4xx', ink: OUTCOME_INKS.rejected },
  { key: 'server_errors', name: '5xx', ink: OUTCOME_INKS.failed },
  { key: 'unanswered', name: 'No response', ink: OUTCOME_INKS.unanswered },
];
const DURATIONS = [
  { key: 'p50_ms', name: 'p50', ink: { token: 'chart-1' } },
  { key: 'p95_ms', name: 'p95', ink: { token: 'chart-2' } },
  { key: 'p99_ms', name: 'p99', ink: { token: 'chart-3' } },
] as const;

export function bucketsOf({ since, bucket_seconds, buckets }: CallStats): Buckets {
  return { since: Date.parse(since) / 1_000, seconds: bucket_seconds, count: buckets.length };
}

export const outcomeSeries = ({ buckets }: CallStats): readonly ChartSeries[] =>
  OUTCOMES.map(({ key, name, ink }) => ({ name, ink, values: buckets.map((bucket) => bucket[key]) }));

export const durationSeries = ({ buckets }: CallStats): readonly ChartSeries[] =>
  DURATIONS.map(({ key, name, ink }) => ({ name, ink, values: buckets.map((bucket) => bucket[key]) }));

export type Totals = Readonly<Record<Outcome | 'count', number>>;
export function totalsOf({ buckets }: CallStats): Totals {
  const sum = (key: keyof Totals) => buckets.reduce((total, bucket) => total + bucket[key], 0);
  return {
    count: sum('count'),
    ok: sum('ok'),
    client_errors: sum('client_errors'),
    server_errors: sum('server_errors'),
    unanswered: sum('unanswered'),
  };
}

/** The latest bucket with calls: percentiles of several buckets cannot be combined. */
export function lastBusy({ buckets }: CallStats): CallBucket | undefined {
  return buckets.findLast(({ count }) => count > 0);
}

/** `98.2 % OK, 1.5 % 4xx, 0.3 % no response`; outcomes without calls are left out. */
export function shareWords(totals: Totals): string {
  return OUTCOMES.filter(({ key }) => totals[key] > 0)
    .map(
      ({ key, name }) => `${formatPercent(totals[key] / totals.count)} ${key === 'unanswered' ? 'no response' : name}`,
    )
    .join(', ');
}
