/**
 * Holds back new rows while the user reads the list: rows above the newest shown one are hidden and counted. Rows are
 * newest first and keep their order.
 */
export interface Held<Row> {
  readonly shown: readonly Row[];
  readonly waiting: number;
}

/** `topId` is the newest shown row; undefined shows all rows. */
export function holdRows<Row>(rows: readonly Row[], rowId: (row: Row) => string, topId: string | undefined): Held<Row> {
  const index = topId === undefined ? 0 : rows.findIndex((row) => rowId(row) === topId);
  // the row no longer exists, so show all rows
  return index <= 0 ? { shown: rows, waiting: 0 } : { shown: rows.slice(index), waiting: index };
}
