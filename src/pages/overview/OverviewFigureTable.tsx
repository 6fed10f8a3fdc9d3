import { spanText } from '../../charts/chart-times.ts';
import { OUTCOMES, PERCENTILES } from '../../components/event-stats.ts';
import { usePreference } from '../../hooks/use-preference.ts';
import { formatCount, formatDuration } from '../../lib/format.ts';
import { timeZone } from '../../stores/time-zone.ts';
import { Button } from '../../ui/Button.tsx';
import { scrollRegion } from '../../ui/scroll-region.ts';
import type { FiguresProps } from './OverviewFigures.tsx';
import { type FigureRow, figureRows } from './overview-figures.ts';

/** The figures of the charts in words: the stretches of time in which there was something, newest first. */
export function OverviewFigureTable({ events, runs, range, onEvents, onRuns }: FiguresProps) {
  const [zone] = usePreference(timeZone);
  const rows = figureRows(events, runs);
  if (rows.length === 0) return <p className="pb-3 text-fg-3">Nothing happened in the {range}.</p>;
  return (
    <div {...scrollRegion('Figures over time')} className="mb-4 max-h-96 overflow-auto focus-visible:-outline-offset-2">
      <table aria-label={`Figures, ${range}`} className="chart-figures">
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Events</th>
            {OUTCOMES.map(({ key, name }) => (
              <th key={key} scope="col">
                {name}
              </th>
            ))}
            {PERCENTILES.map(({ key, name }) => (
              <th key={key} scope="col">
                Latency {name}
              </th>
            ))}
            <th scope="col">Runs</th>
            <th scope="col">Errors</th>
            <th scope="col">
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row
              key={row.span.from}
              row={row}
              when={spanText(row.span, zone)}
              onEvents={() => onEvents(row.span)}
              onRuns={() => onRuns(row.span)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  readonly row: FigureRow;
  readonly when: string;
  readonly onEvents: () => void;
  readonly onRuns: () => void;
}

function Row({ row: { events, runs }, when, onEvents, onRuns }: RowProps) {
  return (
    <tr>
      <th scope="row" className="data">
        {when}
      </th>
      <Count of={events?.events} />
      {OUTCOMES.map(({ key }) => (
        <Count key={key} of={events?.[key]} />
      ))}
      {PERCENTILES.map(({ key }) => {
        const ms = events?.[key] ?? null;
        return (
          <td key={key} className="data">
            {ms === null ? '–' : formatDuration(ms)}
          </td>
        );
      })}
      <Count of={runs?.runs} />
      <Count of={runs?.failed} />
      <td>
        {events ? (
          <Button size="sm" variant="ghost" onClick={onEvents}>
            Events<span className="sr-only"> of {when}</span>
          </Button>
        ) : null}
        {runs ? (
          <Button size="sm" variant="ghost" onClick={onRuns}>
            Runs<span className="sr-only"> of {when}</span>
          </Button>
        ) : null}
      </td>
    </tr>
  );
}

const Count = ({ of = 0 }: { of: number | undefined }) => (
  <td className={of === 0 ? 'none' : undefined}>{formatCount(of)}</td>
);
