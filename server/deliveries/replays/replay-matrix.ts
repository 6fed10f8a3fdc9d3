/**
 * The matrix of a replay reads each of its items. While a replay runs, every step is a live change that all open pages
 * read, so they share one matrix: for a second, or for ten times as long as it took to count, so that the pages of a
 * replay of a million events do not occupy the database. The matrix of a replay that does not run is always counted.
 */

import type { Ctx } from '../../platform/context.ts';
import type { ReplaysTable } from '../../platform/database/schema.ts';
import * as store from '../store/replays/replays.ts';

/** A counted matrix, when its count began, and how long that took. */
export type CountedMatrix = { rows: store.MatrixRow[]; atMs: number; tookMs: number };

const SHARED_MS = 1000;
const SHARED_TIMES = 10;

/** The number of deliveries of the replay by status before and after. */
export async function matrixOf(
  { db, memory: { matrices }, account_id }: Pick<Ctx, 'db' | 'memory' | 'account_id'>,
  { replay_id, status }: ReplaysTable,
): Promise<store.MatrixRow[]> {
  const count = () => store.matrix(db, account_id, replay_id);
  if (status !== 'RUNNING') return count();
  const key = `${account_id} ${replay_id}`;
  const known = matrices.recent(key);
  if (known && performance.now() - known.atMs > Math.max(SHARED_MS, known.tookMs * SHARED_TIMES)) matrices.drop(key);
  const counted = await matrices.find(key, async () => {
    const atMs = performance.now();
    const rows = await count();
    return { rows, atMs, tookMs: performance.now() - atMs };
  });
  return counted?.rows ?? [];
}
