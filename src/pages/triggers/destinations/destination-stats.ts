/** Aggregates of one destination's statistics. */
import type { CallRange, DeliveryReason } from '../../../../contract/states.ts';
import { q } from '../../../api/queries.ts';
import type { ChartSeries } from '../../../charts/chart-options.ts';
import type { EventBucket, EventStats } from '../../../components/events/event-stats.ts';
import { sentenceCase } from '../../../lib/format.ts';

export const destinationStatsQuery = (range: CallRange, trigger_id: string, destination_id: string) =>
  q('eventStats', { query: { range, trigger_id, destination_id } });

export const accepted = ({ attempts, failures }: EventBucket): number => attempts - failures;

/** Attempts by outcome; successes are pale. */
export const attemptSeries = ({ buckets }: EventStats): readonly ChartSeries[] => [
  { name: 'Succeeded', ink: { token: 'ok-solid', share: 0.55 }, values: buckets.map(accepted) },
  { name: 'Failed', ink: { token: 'bad-solid' }, values: buckets.map(({ failures }) => failures) },
];

export interface Totals {
  readonly attempts: number;
  readonly failures: number;
  /** The share of settled deliveries that succeeded; null if none is settled. */
  readonly share: number | null;
}
export function totalsOf({ buckets }: EventStats): Totals {
  const sum = (key: 'attempts' | 'failures' | 'succeeded' | 'failed') =>
    buckets.reduce((total, bucket) => total + bucket[key], 0);
  const attempts = sum('attempts');
  const failures = sum('failures');
  return { attempts, failures, share: attempts === 0 ? null : (attempts - failures) / attempts };
}

export interface ResponseCount {
  readonly word: string;
  readonly count: number;
  readonly good: boolean;
}

/** Attempts by response code, or by the reason for no response. */
export function responseCounts({ codes }: EventStats): readonly ResponseCount[] {
  return codes.map(({ status, reason, count }) => ({
    word: status === null ? (reason === null ? 'No response' : reasonWord(reason)) : String(status),
    count,
    good: status !== null && status >= 200 && status < 300,
  }));
}

const SHORT: Partial<Record<DeliveryReason, string>> = { DNS_ERROR: 'DNS error', TLS_ERROR: 'TLS error' };
const reasonWord = (reason: string): string => SHORT[reason as DeliveryReason] ?? sentenceCase(reason);
