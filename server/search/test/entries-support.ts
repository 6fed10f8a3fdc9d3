/** Functions and documents as sent to a searcher. */
import type { Entry } from '../catalogue.ts';
import { packCode, toShared } from '../index/packed-code.ts';
import type { FreshCode } from '../messages.ts';

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
  slot: 0,
  ...more,
});

export const freshCode = (number: number, text: string): FreshCode => [
  number,
  toShared(packCode({ 'index.ts': text })),
];
