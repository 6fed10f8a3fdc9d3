import type { Reply } from '../../api/operation.ts';
import { q } from '../../api/queries.ts';

export type Capture = Reply<'captureList'>['captures'][number];

export const capturesQuery = q('captureList');

/** The captures that affect calls of a connection. */
export const capturesOf = (captures: readonly Capture[], connection: { connection_id: string; app: string }) =>
  captures.filter(({ connection_id, app }) => connection_id === connection.connection_id || app === connection.app);

export const SPANS = [
  { value: '15', label: '15 minutes' },
  { value: '60', label: '1 hour' },
  { value: '240', label: '4 hours' },
  { value: '1440', label: '24 hours' },
] as const;

export const SHARES = [
  { value: '100', label: 'All calls' },
  { value: '10', label: '10 % of the calls' },
  { value: '1', label: '1 % of the calls' },
] as const;
