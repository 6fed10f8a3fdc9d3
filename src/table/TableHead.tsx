import type { Column, ReactTable, RowData } from '@tanstack/react-table';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { Checkbox } from '../ui/controls/Checkbox.tsx';
import { cx } from '../ui/cx.ts';
import type { ColumnMeta, Features } from './columns.ts';
import { roles } from './roles.ts';
import type { Layout } from './use-layout.ts';

export interface TableHeadProps<Row extends RowData> {
  table: ReactTable<Features, Row>;
  layout: Layout;
  selectable: boolean;
  refreshing?: boolean | undefined;
}

export const PLAIN: ColumnMeta = { width: 'minmax(0, 1fr)' };

export function metaOf<Row extends RowData>(column: Column<Features, Row>): ColumnMeta {
  return column.columnDef.meta ?? PLAIN;
}

/** The grid template of rows. On a phone rows have two lines: lead and tail, below and end. */
export function gridOf<Row extends RowData>(
  table: ReactTable<Features, Row>,
  layout: Layout,
  selectable: boolean,
): string {
  const box = selectable ? ['24px'] : [];
  if (layout.phone) return [...box, 'minmax(0, 1fr)', 'auto'].join(' ');
  const tracks = table
    .getAllLeafColumns()
    .map(metaOf)
    .filter((meta) => layout.shown.has(meta))
    .map((meta) => meta.width);
  return [...box, ...tracks].join(' ');
}

/** The sticky column headers. */
export function TableHead<Row extends RowData>({ table, layout, selectable, refreshing }: TableHeadProps<Row>) {
  return (
    <thead
      {...roles.group}
      className={layout.phone ? 'sr-only' : 'sticky top-0 z-10 grid border-b border-line bg-sunken text-11 text-fg-3'}
    >
      {table.getHeaderGroups().map((group) => (
        <tr
          key={group.id}
          {...roles.row}
          aria-rowindex={1}
          className="relative grid h-row-head items-center gap-3 px-4 max-sm:px-3"
          style={{ gridTemplateColumns: gridOf(table, layout, selectable) }}
        >
          {selectable ? (
            <th {...roles.head} className="grid">
              {/* on a phone the header is for screen readers only, so nothing in it is focusable */}
              {layout.phone ? (
                'Selected'
              ) : (
                <Checkbox
                  aria-label="Select all loaded rows"
                  checked={table.getIsAllRowsSelected()}
                  mixed={table.getIsSomeRowsSelected()}
                  onChange={table.getToggleAllRowsSelectedHandler()}
                />
              )}
            </th>
          ) : null}
          {group.headers.map((header) => {
            const meta = metaOf(header.column);
            const Arrow = meta.sorted === 'ascending' ? ArrowUp : ArrowDown;
            return layout.shown.has(meta) ? (
              <th
                key={header.id}
                {...roles.head}
                scope="col"
                aria-sort={meta.sorted}
                className={cx(
                  'flex min-w-0 items-center gap-1 truncate text-left font-medium tracking-caps',
                  meta.align === 'end' && 'justify-end',
                )}
              >
                <table.FlexRender header={header} />
                {meta.sorted ? <Arrow size={12} className="flex-none" aria-hidden /> : null}
              </th>
            ) : null;
          })}
          {refreshing ? <td aria-hidden className="ui-skeleton absolute inset-x-0 bottom-0 h-0.5 bg-accent" /> : null}
        </tr>
      ))}
    </thead>
  );
}
