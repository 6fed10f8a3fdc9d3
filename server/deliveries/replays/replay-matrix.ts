/**
 * The matrix of a replay reads each of its items. While a replay runs, every step is a live change that all open pages
 * read, so they share one matrix for a second. The matrix of a replay that does not run is always counted.
 */

import type { Ctx } from '../../platform/context.ts';
import type { ReplaysTable } from '../../platform/database/schema.ts';
import * as store from '../store/replays.ts';

const SHARED_MS = 1_000;
export type SharedMatrix = { counted: Promise<store.MatrixRow[]>; atMs: number };

/** How many deliveries of the replay went from which status to which. */
export function matrixOf(
  { db, memory, account_id }: Pick<Ctx, 'db' | 'memory' | 'account_id'>,
  { replay_id, status }: ReplaysTable,
): Promise<store.MatrixRow[]> {
  if (status !== 'RUNNING') return store.matrix(db, account_id, replay_id);
  const shared = memory.matrices;
  const nowMs = performance.now();
  for (const [key, { atMs }] of shared) if (nowMs - atMs >= SHARED_MS) shared.delete(key);
  const key = `${account_id} ${replay_id}`;
  const fresh = shared.get(key);
  if (fresh) return fresh.counted;
  const counted = store.matrix(db, account_id, replay_id);
  shared.set(key, { counted, atMs: nowMs });
  counted.catch(() => shared.delete(key));
  return counted;
}
