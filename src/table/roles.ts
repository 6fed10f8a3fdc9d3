/**
 * Table elements with `display: grid` lose their roles in some browsers, so the roles are set explicitly. They are
 * spread as props, because linters report them as redundant otherwise.
 */
export const roles = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  head: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const;
