/**
 * New rows wait while someone reads: those above the newest row that was let in are held back and counted. Rows are
 * newest first and keep their order.
 */
export interface Held<Row> {
  readonly shown: readonly Row[];
  readonly waiting: number;
}

/** `topId` is the newest row that was let in; undefined lets everything in. */
export function holdRows<Row>(rows: readonly Row[], rowId: (row: Row) => string, topId: string | undefined): Held<Row> {
  const index = topId === undefined ? 0 : rows.findIndex((row) => rowId(row) === topId);
  // the row is gone: nothing to hold on to
  return index <= 0 ? { shown: rows, waiting: 0 } : { shown: rows.slice(index), waiting: index };
}
