/** Functions and documents as sent to a searcher. */
import { Catalogue } from '../catalogue.ts';
import { packCode, toShared } from '../index/packed-code.ts';
import type { FreshCode } from '../messages.ts';
import type { Entry } from '../table/entry.ts';
import { FunctionTable } from '../table/function-table.ts';

/** A function with one version that has this document. */
export const entryOf = (code: number, more: Partial<Entry> = {}): Entry => ({
  function_id: String(code).padStart(4, '0'),
  account_id: 'me',
  name: `function ${code}`,
  description: '',
  runtime: 'nodejs24.x',
  visibility: 'PUBLIC',
  version: 1,
  code,
  versions: [[1, code]],
  score: 0,
  ...more,
});

export const freshCode = (number: number, text: string): FreshCode => [
  number,
  toShared(packCode({ 'index.ts': text })),
];

/** Functions in shared memory, and the catalogue of a thread that reads them. */
export function stored(entries: readonly Entry[] = []) {
  const catalogue = new Catalogue();
  const table: FunctionTable = new FunctionTable(() => catalogue.settledNumber);
  catalogue.change(table.all());
  const change = (more: readonly Entry[], removed: readonly string[]) => catalogue.change(table.change(more, removed));
  change(entries, []);
  return { catalogue, table, change, idOf: (slot: number) => catalogue.row(slot).function_id };
}
