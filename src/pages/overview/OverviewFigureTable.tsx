import { isoTime, type Span } from '../../charts/chart-times.ts';
import { CountCell, DurationCell, type FigureColumn, FigureTable } from '../../charts/FigureTable.tsx';
import { type EventStats, OUTCOMES, PERCENTILES } from '../../components/events/event-stats.ts';
import { path } from '../../lib/path.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { type FigureRow, figureRows, type RunStats } from './overview-figures.ts';

export interface FiguresProps {
  readonly events: EventStats;
  readonly runs: RunStats;
  /** `last 24 hours`. */
  readonly range: string;
  readonly onEvents: (span: Span) => void;
  readonly onRuns: (span: Span) => void;
}

const COLUMNS: readonly FigureColumn<FigureRow>[] = [
  { name: 'Events', cell: ({ events }) => <CountCell of={events?.events} /> },
  ...OUTCOMES.map(
    ({ key, name }): FigureColumn<FigureRow> => ({
      name,
      cell: ({ span, events }, when) => (
        <CountCell
          of={events?.[key]}
          list={
            key === 'failed'
              ? path.events({ status: 'FAILED', after: isoTime(span.from), before: isoTime(span.to) })
              : undefined
          }
          label={`deliveries failed, ${when}`}
        />
      ),
    }),
  ),
  ...PERCENTILES.map(
    ({ key, name }): FigureColumn<FigureRow> => ({
      name: `Latency ${name}`,
      cell: ({ events }) => <DurationCell ms={events?.[key] ?? null} />,
    }),
  ),
  { name: 'Runs', cell: ({ runs }) => <CountCell of={runs?.runs} /> },
  {
    name: 'Failed runs',
    cell: ({ span, runs }, when) => (
      <CountCell
        of={runs?.failed}
        list={path.runs({ status: 'FAILED', since: isoTime(span.from), until: isoTime(span.to) })}
        label={`runs failed, ${when}`}
      />
    ),
  },
];

/** The data of the charts as a table: the periods with activity, newest first. */
export function OverviewFigureTable({ events, runs, range, onEvents, onRuns }: FiguresProps) {
  const rows = figureRows(events, runs);
  if (rows.length === 0) return <p className="pb-3 text-fg-3">No activity in the {range}.</p>;
  return (
    <FigureTable
      label={`Statistics, ${range}`}
      region="Statistics over time"
      className="mb-4 max-h-96 overflow-auto focus-visible:-outline-offset-2"
      rows={rows}
      columns={COLUMNS}
      actions={(row, when) => (
        <>
          {row.events ? (
            <Button size="sm" variant="ghost" onClick={() => onEvents(row.span)}>
              Events<span className="sr-only"> of {when}</span>
            </Button>
          ) : null}
          {row.runs ? (
            <Button size="sm" variant="ghost" onClick={() => onRuns(row.span)}>
              Runs<span className="sr-only"> of {when}</span>
            </Button>
          ) : null}
        </>
      )}
    />
  );
}
