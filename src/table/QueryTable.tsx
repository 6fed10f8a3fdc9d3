import type { RowData } from '@tanstack/react-table';
import type { ReactNode } from 'react';
import { formatCount } from '../lib/format.ts';
import { CopyButton } from '../ui/controls/CopyButton.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { FilteredEmpty, type FilteredEmptyProps } from '../ui/FilteredEmpty.tsx';
import { KeyHint } from '../ui/KeyCap.tsx';
import { DataTable, type DataTableProps } from './DataTable.tsx';
import { TableSkeleton } from './TableSkeleton.tsx';
import { tsvOf } from './tsv.ts';
import type { List } from './use-list.ts';

type Kept = 'label' | 'columns' | 'rowName' | 'rowLink' | 'rowVersion' | 'currentId' | 'density' | 'selection';

export interface QueryTableProps<Row extends RowData> extends Pick<DataTableProps<Row>, Kept> {
  readonly list: List<Row>;
  /** The plural of a row: "events". */
  readonly noun: string;
  /** The empty state without filters. */
  readonly empty: ReactNode;
  /** The active filters; an empty list shows them. */
  readonly filters?: FilteredEmptyProps['filters'] | undefined;
  readonly onClearFilters?: (() => void) | undefined;
  /** At the start of the footer: the selection and its actions. */
  readonly foot?: ReactNode;
  /** Key hints besides j, k and x. */
  readonly keys?: ReactNode;
}

/** A paged list of the API as a table, with loading, error and empty states. */
export function QueryTable<Row extends RowData>(props: QueryTableProps<Row>) {
  const { list, noun, empty, filters = [], onClearFilters, foot, keys, ...table } = props;
  return (
    <>
      <DataTable
        {...table}
        key={list.key}
        rows={list.rows}
        rowId={list.rowId}
        onEndNear={list.hasMore ? list.loadMore : undefined}
        refreshing={list.refreshing}
        onReading={list.setReading}
        onVisible={list.setVisible}
        topAsked={list.topAsked}
        after={<After list={list} noun={noun} empty={empty} filters={filters} onClearFilters={onClearFilters} />}
      />
      <div className="@container/foot flex min-h-8 flex-none items-center gap-4 border-t border-line px-4 text-12 max-sm:px-3 text-fg-3">
        <span className="min-w-0 flex-1" role="status">
          {foot}
        </span>
        <span className="flex items-center gap-4 @max-[560px]/foot:hidden">
          {table.rowLink ? <KeyHint keys={['j', 'k']}>move</KeyHint> : null}
          {table.selection ? <KeyHint keys={['x']}>select</KeyHint> : null}
          {keys}
        </span>
        {list.rows.length > 0 ? (
          <CopyButton text={() => tsvOf(table.columns, list.rows)} label={`Copy ${noun} as a table`} />
        ) : null}
        <span className="whitespace-nowrap">{windowOf(list, noun)}</span>
      </div>
    </>
  );
}

/** `12 triggers`. */
function windowOf<Row>({ rows, hasMore, pending }: List<Row>, noun: string): string {
  if (pending) return '';
  return hasMore
    ? `${formatCount(rows.length)} loaded, more below`
    : `${formatCount(rows.length)} ${rows.length === 1 ? singular(noun) : noun}`;
}

const singular = (noun: string) => noun.replace(/ies$/, 'y').replace(/s$/, '');

type AfterProps<Row extends RowData> = Required<Pick<QueryTableProps<Row>, 'list' | 'noun' | 'empty'>> & {
  filters: FilteredEmptyProps['filters'];
  onClearFilters: (() => void) | undefined;
};

/** The content after the last row, or instead of rows. */
function After<Row extends RowData>({ list, noun, empty, filters, onClearFilters }: AfterProps<Row>) {
  if (list.pending) return <TableSkeleton label={`Loading ${noun}`} />;
  if (list.error) {
    return (
      <ErrorState
        title={list.rows.length > 0 ? `More ${noun} could not be loaded` : `The ${noun} could not be loaded`}
        detail={list.error.message}
        requestId={list.error.requestId}
        onRetry={list.retry}
      />
    );
  }
  if (list.rows.length > 0) return list.hasMore ? <TableSkeleton rows={2} label={`Loading more ${noun}`} /> : null;
  if (filters.length > 0 && onClearFilters) {
    return <FilteredEmpty noun={noun} filters={filters} onClearAll={onClearFilters} />;
  }
  return empty;
}
