import { type Span, spanOf, spanText } from '../../../charts/chart-times.ts';
import { usePreference } from '../../../hooks/use-preference.ts';
import { formatCount, formatDuration } from '../../../lib/format.ts';
import { timeZone } from '../../../stores/time-zone.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { scrollRegion } from '../../../ui/scroll-region.ts';
import { bucketsOf, type CallStats, OUTCOMES } from './call-stats.ts';

export interface FigureTableProps {
  readonly stats: CallStats;
  /** `last 24 hours`. */
  readonly range: string;
  readonly onBrush: (span: Span) => void;
}

const PERCENTILES = ['p50', 'p95', 'p99'] as const;

/** The figures of the charts in words: the stretches of time with calls, newest first. */
export function FigureTable({ stats, range, onBrush }: FigureTableProps) {
  const [zone] = usePreference(timeZone);
  const buckets = bucketsOf(stats);
  const rows = stats.buckets
    .map((bucket, index) => ({ bucket, span: spanOf(buckets, index) }))
    .filter(({ bucket }) => bucket.count > 0)
    .reverse();
  if (rows.length === 0) return <p className="px-4 pb-3 text-fg-3 max-sm:px-3">No calls in the {range}.</p>;
  return (
    <div
      {...scrollRegion('Figures of calls')}
      className="max-h-60 overflow-auto border-t border-line px-4 max-sm:px-3 focus-visible:-outline-offset-2"
    >
      <table aria-label={`Figures of calls, ${range}`} className="chart-figures">
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Calls</th>
            {OUTCOMES.map(({ key, name }) => (
              <th key={key} scope="col">
                {name}
              </th>
            ))}
            {PERCENTILES.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
            <th scope="col">
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ bucket, span }) => (
            <tr key={bucket.at}>
              <th scope="row" className="data">
                {spanText(span, zone)}
              </th>
              <td>{formatCount(bucket.count)}</td>
              {OUTCOMES.map(({ key }) => (
                <td key={key} className={bucket[key] === 0 ? 'none' : undefined}>
                  {formatCount(bucket[key])}
                </td>
              ))}
              {PERCENTILES.map((name) => (
                <td key={name} className="data">
                  {formatDuration(bucket[`${name}_ms`] ?? 0)}
                </td>
              ))}
              <td>
                <Button size="sm" variant="ghost" onClick={() => onBrush(span)}>
                  Show<span className="sr-only"> calls of {spanText(span, zone)}</span>
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
