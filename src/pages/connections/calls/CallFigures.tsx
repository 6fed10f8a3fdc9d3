import { RANGE_WORDS } from '../../../charts/ranges.ts';
import '../../../charts/charts.css';
import { lazy, Suspense, useMemo } from 'react';
import { chartPart, type Span } from '../../../charts/chart-times.ts';
import { formatCount, formatDuration, plural } from '../../../lib/format.ts';
import { CallFigureTable } from './CallFigureTable.tsx';
import type { Range } from './call-query.ts';
import {
  bucketsOf,
  type CallStats,
  durationSeries,
  lastBusy,
  OUTCOMES,
  outcomeSeries,
  shareWords,
  totalsOf,
} from './call-stats.ts';

const TimeChart = lazy(() => import('../../../charts/TimeChart.tsx'));

export interface CallFiguresProps {
  readonly stats: CallStats;
  readonly range: Range;
  readonly as: 'charts' | 'table';
  /** The time range that filters the list. */
  readonly brush: Span | undefined;
  readonly onBrush: (span: Span) => void;
}

/** Calls by outcome and their latency, as charts or as a table of the same data. */
export function CallFigures({ stats, range, as, brush, onBrush }: CallFiguresProps) {
  const drawn = useMemo(
    () => ({
      buckets: bucketsOf(stats),
      outcomes: outcomeSeries(stats),
      durations: durationSeries(stats),
      totals: totalsOf(stats),
      last: lastBusy(stats),
    }),
    [stats],
  );
  const { buckets, outcomes, durations, totals, last } = drawn;
  const words = RANGE_WORDS[range];
  if (as === 'table') return <CallFigureTable stats={stats} range={words} onBrush={onBrush} />;
  const shown = chartPart(buckets, brush);
  const shared = { buckets, brush: shown, onBrush };
  return (
    <div className="charts-pair px-4 pb-3 max-sm:px-3">
      <Suspense fallback={<Room />}>
        <TimeChart
          {...shared}
          kind="bars"
          title="Calls"
          series={outcomes}
          format={formatCount}
          tick={formatCount}
          rest={{ figures: OUTCOMES.map(({ key }) => totals[key]), of: words }}
          summary={`Calls by outcome, ${words}: ${plural(totals.count, 'call')}. ${shareWords(totals)} The table has the same numbers.`}
        />
        <TimeChart
          {...shared}
          kind="lines"
          title="Duration"
          series={durations}
          format={formatDuration}
          tick={durationTick}
          rest={{ figures: last ? [last.p50_ms, last.p95_ms, last.p99_ms] : [], of: last ? 'latest' : words }}
          summary={`Duration of calls as percentiles, ${words}. ${durationWords(last)} The table has the same numbers.`}
        />
      </Suspense>
    </div>
  );
}

function durationWords(last: ReturnType<typeof lastBusy>): string {
  if (!last || last.p50_ms === null || last.p95_ms === null || last.p99_ms === null) return 'There were no calls.';
  return `Latest: p50 ${formatDuration(last.p50_ms)}, p95 ${formatDuration(last.p95_ms)}, p99 ${formatDuration(last.p99_ms)}.`;
}

function durationTick(ms: number): string {
  if (ms === 0) return '0';
  return ms < 1_000 ? `${ms} ms` : `${ms / 1_000} s`;
}

/** Reserves the height of the charts. */
function Room() {
  return (
    <>
      <div className="chart-room" />
      <div className="chart-room" />
    </>
  );
}
