/**
 * The matrix of a replay reads each of its items. While a replay runs, every step is a live change that all open pages
 * read, so they share one matrix for a second. The matrix of a replay that does not run is always counted.
 */

import type { Ctx } from '../../platform/context.ts';
import type { ReplaysTable } from '../../platform/database/schema.ts';
import * as store from '../store/replays/replays.ts';

/** The number of deliveries of the replay by status before and after. */
export async function matrixOf(
  { db, memory, account_id }: Pick<Ctx, 'db' | 'memory' | 'account_id'>,
  { replay_id, status }: ReplaysTable,
): Promise<store.MatrixRow[]> {
  const count = () => store.matrix(db, account_id, replay_id);
  if (status !== 'RUNNING') return count();
  return (await memory.matrices.find(`${account_id} ${replay_id}`, count)) ?? [];
}
