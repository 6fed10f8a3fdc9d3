/**
 * A table that is laid out as a grid loses its meaning in some browsers unless it is said again. Spread, because it is
 * only redundant for tables that look like tables.
 */
export const roles = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  head: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const;
