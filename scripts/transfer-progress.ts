/** What the export and the import print. */
import type { WriteStream } from 'node:tty';
import type { Progress, Transferred } from '../server/platform/database/transfer/transfer.ts';

/** A line for each table with rows. */
export function progressOn(out: Pick<WriteStream, 'write'>): Progress {
  return ({ table, rows }) => {
    if (rows !== undefined && rows !== '0') out.write(`${table}: ${Number(rows).toLocaleString('en')} rows\n`);
  };
}

export const printed = (what: string, { tables, rows }: Transferred, ms: number): string =>
  `${what} ${rows.toLocaleString('en')} rows of ${tables} tables in ${(ms / 1000).toFixed(1)} s; counts and sums are equal.`;
