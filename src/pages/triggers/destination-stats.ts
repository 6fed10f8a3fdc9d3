/** What the figures of one destination come to. */
import type { CallRange, DeliveryReason } from '../../../contract/states.ts';
import type { Reply } from '../../api/operation.ts';
import { q } from '../../api/queries.ts';
import type { ChartSeries } from '../../charts/chart-options.ts';
import type { Buckets } from '../../charts/chart-times.ts';
import { sentenceCase } from '../../lib/format.ts';

export type EventStats = Reply<'eventStats'>;
type Bucket = EventStats['buckets'][number];

export const destinationStatsQuery = (range: CallRange, trigger_id: string, destination_id: string) =>
  q('eventStats', { query: { range, trigger_id, destination_id } });

export function bucketsOf({ since, bucket_seconds, buckets }: EventStats): Buckets {
  return { since: Date.parse(since) / 1_000, seconds: bucket_seconds, count: buckets.length };
}

export const accepted = ({ attempts, failures }: Bucket): number => attempts - failures;

/** Attempts by whether they were accepted: pale where it went well. */
export const attemptSeries = ({ buckets }: EventStats): readonly ChartSeries[] => [
  { name: 'Accepted', ink: { token: 'ok-solid', share: 0.55 }, values: buckets.map(accepted) },
  { name: 'Failed', ink: { token: 'bad-solid' }, values: buckets.map(({ failures }) => failures) },
];

export const PERCENTILES = [
  { key: 'p50_ms', name: 'p50', ink: { token: 'chart-1' } },
  { key: 'p95_ms', name: 'p95', ink: { token: 'chart-2' } },
  { key: 'p99_ms', name: 'p99', ink: { token: 'chart-3' } },
] as const;

export const latencySeries = ({ buckets }: EventStats): readonly ChartSeries[] =>
  PERCENTILES.map(({ key, name, ink }) => ({ name, ink, values: buckets.map((bucket) => bucket[key]) }));

export interface Totals {
  readonly attempts: number;
  readonly failures: number;
  /** Of deliveries that are settled; null while none is. */
  readonly share: number | null;
}
export function totalsOf({ buckets }: EventStats): Totals {
  const sum = (key: 'attempts' | 'failures' | 'succeeded' | 'failed') =>
    buckets.reduce((total, bucket) => total + bucket[key], 0);
  const attempts = sum('attempts');
  const failures = sum('failures');
  return { attempts, failures, share: attempts === 0 ? null : (attempts - failures) / attempts };
}

/** The last bucket with attempts: percentiles of buckets can't be added up to one of all. */
export const lastBusy = ({ buckets }: EventStats): Bucket | undefined =>
  buckets.findLast(({ attempts }) => attempts > 0);

export interface Answer {
  readonly word: string;
  readonly count: number;
  readonly good: boolean;
}

/** `503`, or why there was no answer. */
export function answersOf({ codes }: EventStats): readonly Answer[] {
  return codes.map(({ status, reason, count }) => ({
    word: status === null ? (reason === null ? 'No answer' : reasonWord(reason)) : String(status),
    count,
    good: status !== null && status >= 200 && status < 300,
  }));
}

const SHORT: Partial<Record<DeliveryReason, string>> = { DNS_ERROR: 'DNS error', TLS_ERROR: 'TLS error' };
const reasonWord = (reason: string): string => SHORT[reason as DeliveryReason] ?? sentenceCase(reason);
