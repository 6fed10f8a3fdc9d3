/** Loaded on demand, with the chart code. */
import '../../charts/charts.css';
import { useMemo } from 'react';
import type { Span } from '../../charts/chart-times.ts';
import { CountCell, DurationCell, FigureTable, rowsOf } from '../../charts/FigureTable.tsx';
import TimeChart from '../../charts/TimeChart.tsx';
import {
  bucketsOf,
  durationTick,
  type EventStats,
  lastBusy,
  latencySeries,
  PERCENTILES,
} from '../../components/events/event-stats.ts';
import { formatCount, formatDuration } from '../../lib/format.ts';
import { accepted, attemptSeries, responseCounts, totalsOf } from './destinations/destination-stats.ts';

export interface HealthChartsProps {
  readonly stats: EventStats;
  /** `last 24 hours`. */
  readonly range: string;
  readonly as: 'charts' | 'table';
}

/** Attempts and their latency over time, as charts or as a table of the same data. */
export default function HealthCharts({ stats, range, as }: HealthChartsProps) {
  return as === 'table' ? <Table stats={stats} range={range} /> : <Charts stats={stats} range={range} />;
}

const unbrushed = (_span: Span) => undefined;

function Charts({ stats, range }: Omit<HealthChartsProps, 'as'>) {
  const drawn = useMemo(
    () => ({ buckets: bucketsOf(stats), attempts: attemptSeries(stats), latency: latencySeries(stats) }),
    [stats],
  );
  const { attempts, failures } = totalsOf(stats);
  const last = lastBusy(stats);
  const shared = { buckets: drawn.buckets, brush: undefined, onBrush: unbrushed };
  const latest = PERCENTILES.map(({ key }) => last?.[key] ?? null);
  return (
    <div className="charts chart-small mt-3 grid gap-3">
      <TimeChart
        {...shared}
        kind="bars"
        title="Attempts"
        series={drawn.attempts}
        format={formatCount}
        tick={formatCount}
        rest={{ figures: [attempts - failures, failures], of: range }}
        summary={`Attempts by outcome, ${range}: ${attempts - failures} succeeded, ${failures} failed. The table has the same numbers.`}
      />
      <TimeChart
        {...shared}
        kind="lines"
        title="Latency"
        series={drawn.latency}
        format={formatDuration}
        tick={durationTick}
        rest={{ figures: latest, of: last ? 'latest' : range }}
        summary={`Latency as percentiles, ${range}. The table has the same numbers.`}
      />
    </div>
  );
}

function Table({ stats, range }: Omit<HealthChartsProps, 'as'>) {
  const rows = rowsOf(stats.buckets, bucketsOf(stats), ({ attempts }) => attempts > 0);
  if (rows.length === 0) return <p className="mt-2 text-12 text-fg-3">No attempts in the {range}.</p>;
  return (
    <div className="mt-3 grid gap-3">
      <FigureTable
        label={`Attempts, ${range}`}
        region="Attempt statistics"
        className="max-h-60 overflow-auto focus-visible:-outline-offset-2"
        rows={rows}
        columns={[
          { name: 'Succeeded', cell: ({ bucket }) => <td>{formatCount(accepted(bucket))}</td> },
          { name: 'Failed', cell: ({ bucket }) => <CountCell of={bucket.failures} /> },
          ...PERCENTILES.map(({ key, name }) => ({
            name,
            cell: ({ bucket }: (typeof rows)[number]) => <DurationCell ms={bucket[key]} />,
          })),
        ]}
      />
      <table aria-label={`Responses, ${range}`} className="chart-figures">
        <thead>
          <tr>
            <th scope="col">Response</th>
            <th scope="col">Attempts</th>
          </tr>
        </thead>
        <tbody>
          {responseCounts(stats).map(({ word, count }) => (
            <tr key={word}>
              <th scope="row">{word}</th>
              <td>{formatCount(count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
