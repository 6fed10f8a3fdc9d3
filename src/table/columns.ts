import {
  createColumnHelper,
  metaHelper,
  type RowData,
  rowSelectionFeature,
  type TableOptions,
  tableFeatures,
} from '@tanstack/react-table';

export interface ColumnMeta {
  /** The column's grid track: `88px`, `minmax(120px, 1fr)`. One column of a table gives way. */
  readonly width: string;
  /** Numbers are right-aligned. */
  readonly align?: 'end' | undefined;
  /** Left out where the list is narrow: beside an open panel. */
  readonly fold?: boolean | undefined;
  /** Its place in the two lines a row has on a phone; left out there without one. */
  readonly phone?: 'lead' | 'tail' | 'below' | 'end' | undefined;
  /** The order the service gives the rows. */
  readonly sorted?: 'descending' | 'ascending' | undefined;
  /** Holds the row's link; the first column does otherwise. */
  readonly link?: boolean | undefined;
  /** Shown on hover and focus of the row only: actions. */
  readonly quiet?: boolean | undefined;
}

/** What our tables use of TanStack Table. */
export const features = tableFeatures({ rowSelectionFeature, columnMeta: metaHelper<ColumnMeta>() });
export type Features = typeof features;

/** Columns of a row: `const col = columnsOf<EventRow>(); col.columns([col.accessor('received_at', {…})])`. */
export const columnsOf = <Row extends RowData>() => createColumnHelper<Features, Row>();

export type Columns<Row extends RowData> = TableOptions<Features, Row>['columns'];
