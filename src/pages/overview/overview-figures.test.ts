import { expect, test } from 'vitest';
import type { EventStats } from '../../components/events/event-stats.ts';
import { figureRows, type RunStats } from './overview-figures.ts';

const at = (minute: number) => `2026-11-22T00:0${minute}:00.000000Z`;
const event = (minute: number, events: number) =>
  ({ at: at(minute), events, attempts: 0 }) as EventStats['buckets'][number];
const run = (minute: number, runs: number) => ({ at: at(minute), runs, failed: 0 });

test('statistics of events and runs share one row per bucket, even if one response starts a bucket later', () => {
  const events = { since: at(1), bucket_seconds: 60, buckets: [event(1, 0), event(2, 5), event(3, 1)] } as EventStats;
  const runs = { since: at(2), bucket_seconds: 60, buckets: [run(2, 7), run(3, 0), run(4, 2)] } as RunStats;
  const rows = figureRows(events, runs);
  expect(rows.map(({ span, events: counted, runs: made }) => [span.from % 3600, counted?.events, made?.runs])).toEqual([
    [240, undefined, 2],
    [180, 1, undefined],
    [120, 5, 7],
  ]);
});
