/** Spreadsheets execute a cell that begins with one of these as a formula, even in quotes (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\t\r\n]/;

export type Cell = string | number | null | undefined;

/** A line of CSV, with its end. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(cellOf).join(',')}\r\n`;

/** A cell as RFC 4180 quotes it, with an apostrophe before text that a spreadsheet would execute. */
function cellOf(value: Cell): string {
  if (value === null || value === undefined) return '';
  const text = FORMULA.test(String(value)) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The last line of an incomplete file. */
export const csvErrorOf = (body: unknown): string =>
  csvLine([`# incomplete: ${(body as { message: string }).message}`]);
