import { describe, expect, it } from 'vitest';
import {
  bucketsOf,
  type CallStats,
  durationSeries,
  lastBusy,
  outcomeSeries,
  shareWords,
  totalsOf,
} from './call-stats.ts';

const empty = {
  count: 0,
  ok: 0,
  client_errors: 0,
  server_errors: 0,
  unanswered: 0,
  p50_ms: null,
  p95_ms: null,
  p99_ms: null,
};
const stats: CallStats = {
  since: '2026-11-21T13:00:00.000000Z',
  bucket_seconds: 60,
  dropped: 0,
  buckets: [
    { at: '2026-11-21T13:00:00.000000Z', ...empty, count: 990, ok: 990, p50_ms: 12, p95_ms: 40, p99_ms: 90 },
    {
      at: '2026-11-21T13:01:00.000000Z',
      ...empty,
      count: 10,
      client_errors: 7,
      unanswered: 3,
      p50_ms: 8,
      p95_ms: 9,
      p99_ms: 9,
    },
    { at: '2026-11-21T13:02:00.000000Z', ...empty },
  ],
};
const quiet: CallStats = { ...stats, buckets: [{ at: stats.since, ...empty }] };

describe('figures of calls', () => {
  it('are series with gaps where there were no calls', () => {
    expect(bucketsOf(stats)).toEqual({ since: Date.parse('2026-11-21T13:00:00Z') / 1_000, seconds: 60, count: 3 });
    expect(outcomeSeries(stats).map(({ name, values }) => [name, values])).toEqual([
      ['OK', [990, 0, 0]],
      ['4xx', [0, 7, 0]],
      ['5xx', [0, 0, 0]],
      ['No response', [0, 3, 0]],
    ]);
    expect(durationSeries(stats)[0]?.values).toEqual([12, 8, null]);
  });

  it('are summed up, except percentiles', () => {
    expect(totalsOf(stats)).toEqual({ count: 1_000, ok: 990, client_errors: 7, server_errors: 0, unanswered: 3 });
    expect(lastBusy(stats)?.p50_ms).toBe(8);
    expect(lastBusy(quiet)).toBeUndefined();
  });

  it('are shown as shares, without empty ones', () => {
    expect(shareWords(totalsOf(stats))).toBe('99.0 % OK, 0.7 % 4xx, 0.3 % no response');
    expect(shareWords(totalsOf(quiet))).toBe('');
  });
});
