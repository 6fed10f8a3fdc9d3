import type { Span } from '../../../charts/chart-times.ts';
import { CountCell, DurationCell, FigureTable, rowsOf } from '../../../charts/FigureTable.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { bucketsOf, type CallStats, OUTCOMES } from './call-stats.ts';

export interface CallFigureTableProps {
  readonly stats: CallStats;
  /** `last 24 hours`. */
  readonly range: string;
  readonly onBrush: (span: Span) => void;
}

const PERCENTILES = ['p50', 'p95', 'p99'] as const;

/** The data of the charts as a table: the periods with calls, newest first. */
export function CallFigureTable({ stats, range, onBrush }: CallFigureTableProps) {
  const rows = rowsOf(stats.buckets, bucketsOf(stats), ({ count }) => count > 0);
  if (rows.length === 0) return <p className="px-4 pb-3 text-fg-3 max-sm:px-3">No calls in the {range}.</p>;
  type Row = (typeof rows)[number];
  return (
    <FigureTable
      label={`Call statistics, ${range}`}
      region="Call statistics"
      className="max-h-60 overflow-auto border-t border-line px-4 max-sm:px-3 focus-visible:-outline-offset-2"
      rows={rows}
      columns={[
        { name: 'Calls', cell: ({ bucket }) => <CountCell of={bucket.count} /> },
        ...OUTCOMES.map(({ key, name }) => ({ name, cell: ({ bucket }: Row) => <CountCell of={bucket[key]} /> })),
        ...PERCENTILES.map((name) => ({
          name,
          cell: ({ bucket }: Row) => <DurationCell ms={bucket[`${name}_ms`] ?? 0} />,
        })),
      ]}
      actions={({ span }, when) => (
        <Button size="sm" variant="ghost" onClick={() => onBrush(span)}>
          Show<span className="sr-only"> calls of {when}</span>
        </Button>
      )}
    />
  );
}
