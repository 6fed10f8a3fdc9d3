import {
  createColumnHelper,
  metaHelper,
  type RowData,
  rowSelectionFeature,
  type TableOptions,
  tableFeatures,
} from '@tanstack/react-table';

export interface ColumnMeta {
  /** The grid track of the column: `88px`, `minmax(120px, 1fr)`. One column per table is flexible. */
  readonly width: string;
  /** Numbers are right-aligned. */
  readonly align?: 'end' | undefined;
  /** Hidden if the list is narrow, for example beside an open panel; `late`: only if the others have no room. */
  readonly fold?: boolean | 'late' | undefined;
  /** The position in the two-line row on a phone; without it the column is hidden there. */
  readonly phone?: 'lead' | 'tail' | 'below' | 'end' | undefined;
  /** The order in which the service returns rows. */
  readonly sorted?: 'descending' | 'ascending' | undefined;
  /** Contains the row's link; the first column by default. */
  readonly link?: boolean | undefined;
  /** Actions: visible only while the row is hovered or focused. */
  readonly quiet?: boolean | undefined;
}

/** The features of TanStack Table that the tables use. */
export const features = tableFeatures({ rowSelectionFeature, columnMeta: metaHelper<ColumnMeta>() });
export type Features = typeof features;

/** A column helper: `const col = columnsOf<EventRow>(); col.columns([col.accessor('received_at', {…})])`. */
export const columnsOf = <Row extends RowData>() => createColumnHelper<Features, Row>();

export type Columns<Row extends RowData> = TableOptions<Features, Row>['columns'];
