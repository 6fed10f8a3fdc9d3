import { type Span, spanText } from '../../charts/chart-times.ts';
import { type EventStats, OUTCOMES, PERCENTILES } from '../../components/events/event-stats.ts';
import { Link } from '../../components/Link.tsx';
import { usePreference } from '../../hooks/use-preference.ts';
import { formatCount, formatDuration } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { timeZone } from '../../stores/time-zone.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { scrollRegion } from '../../ui/scroll-region.ts';
import { type FigureRow, figureRows, type RunStats } from './overview-figures.ts';

export interface FiguresProps {
  readonly events: EventStats;
  readonly runs: RunStats;
  /** `last 24 hours`. */
  readonly range: string;
  readonly onEvents: (span: Span) => void;
  readonly onRuns: (span: Span) => void;
}

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
            <th scope="col">Failed runs</th>
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

const iso = (seconds: number) => new Date(seconds * 1_000).toISOString();

function Row({ row: { span, events, runs }, when, onEvents, onRuns }: RowProps) {
  const [from, to] = [iso(span.from), iso(span.to)];
  return (
    <tr>
      <th scope="row" className="data">
        {when}
      </th>
      <Count of={events?.events} />
      {OUTCOMES.map(({ key }) => (
        <Count
          key={key}
          of={events?.[key]}
          list={key === 'failed' ? path.events({ status: 'FAILED', after: from, before: to }) : undefined}
          label={`deliveries failed, ${when}`}
        />
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
      <Count
        of={runs?.failed}
        list={path.runs({ status: 'FAILED', since: from, until: to })}
        label={`runs failed, ${when}`}
      />
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

interface CountProps {
  readonly of: number | undefined;
  /** The list of what is counted, and its name for who can't see the column. */
  readonly list?: string | undefined;
  readonly label?: string;
}

function Count({ of = 0, list, label }: CountProps) {
  if (of === 0 || list === undefined) return <td className={of === 0 ? 'none' : undefined}>{formatCount(of)}</td>;
  return (
    <td>
      <Link className="link text-bad-fg underline underline-offset-2" to={list}>
        {formatCount(of)}
        <span className="sr-only"> {label}</span>
      </Link>
    </td>
  );
}
