import { type Span, spanOf, spanText } from '../../charts/chart-times.ts';
import { usePreference } from '../../hooks/use-preference.ts';
import { formatCount } from '../../lib/format.ts';
import { timeZone } from '../../stores/time-zone.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { scrollRegion } from '../../ui/scroll-region.ts';
import { bucketsOf, type EventStats, OUTCOMES } from './event-stats.ts';

export interface EventFigureTableProps {
  readonly stats: EventStats;
  /** `last 24 hours`. */
  readonly range: string;
  readonly onBrush: (span: Span) => void;
}

/** The figures of the chart in words: the stretches of time with events, newest first. */
export function EventFigureTable({ stats, range, onBrush }: EventFigureTableProps) {
  const [zone] = usePreference(timeZone);
  const buckets = bucketsOf(stats);
  const rows = stats.buckets
    .map((bucket, index) => ({ bucket, span: spanOf(buckets, index) }))
    .filter(({ bucket }) => bucket.events > 0)
    .reverse();
  if (rows.length === 0) return <p className="px-4 pb-3 text-fg-3 max-sm:px-3">No events in the {range}.</p>;
  return (
    <div
      {...scrollRegion('Figures of events')}
      className="max-h-48 overflow-auto border-t border-line px-4 max-sm:px-3 focus-visible:-outline-offset-2"
    >
      <table aria-label={`Figures of events, ${range}`} className="chart-figures">
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Events</th>
            {OUTCOMES.map(({ key, name }) => (
              <th key={key} scope="col">
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
              <td>{formatCount(bucket.events)}</td>
              {OUTCOMES.map(({ key }) => (
                <td key={key} className={bucket[key] === 0 ? 'none' : undefined}>
                  {formatCount(bucket[key])}
                </td>
              ))}
              <td>
                <Button size="sm" variant="ghost" onClick={() => onBrush(span)}>
                  Show<span className="sr-only"> events of {spanText(span, zone)}</span>
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
