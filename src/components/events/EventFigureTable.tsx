import type { Span } from '../../charts/chart-times.ts';
import { CountCell, FigureTable, rowsOf } from '../../charts/FigureTable.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { bucketsOf, type EventStats, OUTCOMES } from './event-stats.ts';

export interface EventFigureTableProps {
  readonly stats: EventStats;
  /** `last 24 hours`. */
  readonly range: string;
  readonly onBrush: (span: Span) => void;
}

/** The data of the chart as a table: the buckets with events, newest first. */
export function EventFigureTable({ stats, range, onBrush }: EventFigureTableProps) {
  const rows = rowsOf(stats.buckets, bucketsOf(stats), ({ events }) => events > 0);
  if (rows.length === 0) return <p className="px-4 pb-3 text-fg-3 max-sm:px-3">No events in the {range}.</p>;
  return (
    <FigureTable
      label={`Event statistics, ${range}`}
      region="Event statistics"
      className="max-h-48 overflow-auto border-t border-line px-4 max-sm:px-3 focus-visible:-outline-offset-2"
      rows={rows}
      columns={[
        { name: 'Events', cell: ({ bucket }) => <CountCell of={bucket.events} /> },
        ...OUTCOMES.map(({ key, name }) => ({
          name,
          cell: ({ bucket }: (typeof rows)[number]) => <CountCell of={bucket[key]} />,
        })),
      ]}
      actions={({ span }, when) => (
        <Button size="sm" variant="ghost" onClick={() => onBrush(span)}>
          Show<span className="sr-only"> events of {when}</span>
        </Button>
      )}
    />
  );
}
