/** Rows as tab-separated values, which spreadsheets paste as cells. */

/** The parts of a column definition that name it and read its value. */
interface Column {
  readonly accessorKey?: unknown;
  readonly header?: unknown;
}

/** The header and all loaded rows, with the values of the API: times in full, objects as JSON. */
export function tsvOf(columns: readonly object[], rows: readonly unknown[]): string {
  const named = (columns as readonly Column[]).flatMap(({ accessorKey, header }) =>
    typeof accessorKey === 'string' && typeof header === 'string' ? [{ accessorKey, header }] : [],
  );
  const lines = rows.map((row) => named.map(({ accessorKey }) => cellOf(valueAt(row, accessorKey))));
  return [named.map(({ header }) => header), ...lines].map((cells) => cells.join('\t')).join('\n');
}

const valueAt = (row: unknown, key: string): unknown =>
  typeof row === 'object' && row !== null ? (row as Record<string, unknown>)[key] : undefined;

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = (typeof value === 'object' ? JSON.stringify(value) : String(value)).replace(/[\t\r\n]+/g, ' ');
  // a spreadsheet would run it as a formula
  return /^[=+@-]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
}
