/** The verdict on the first deliveries of a bulk replay, once all of them have an outcome. */
import type { Db, ReplaysTable } from '../../platform/database/schema.ts';
import { type Progress, statusesOfFailed } from '../store/replays/replay-progress.ts';
import type { ReplayRequest } from './replay-gathering.ts';

/** The end of a step: PAUSED can be resumed. */
export type Verdict = { status: 'COMPLETED' | 'STOPPED' | 'PAUSED'; reason: string | null };

/**
 * Decides once all deliveries of the canary have an outcome, and before more are sent; null: it continues. A replay of a
 * filter stops if more than half failed. A replay of a problem stops if any failed, because it tests whether the cause is
 * gone, and can be paused otherwise.
 */
export async function judgeCanary(
  db: Db,
  { account_id, replay_id, canary, canary_passed, request }: ReplaysTable,
  { waiting, sent, done, failed }: Progress,
): Promise<Verdict | null> {
  if (canary === null || canary_passed || done !== canary || sent > 0 || !waiting) return null;
  const { problem, after_canary } = JSON.parse(request) as ReplayRequest;
  if (!problem)
    return failed * 2 > done
      ? { status: 'STOPPED', reason: `${failed} of the first ${done} deliveries failed again.` }
      : null;
  if (failed > 0) {
    const statuses = await statusesOfFailed(db, account_id, replay_id);
    const why = statuses.length > 0 ? ` with ${statuses.join(', ')}` : ' without a response';
    return { status: 'STOPPED', reason: `${failed} of the first ${done} deliveries failed again${why}.` };
  }
  if (after_canary !== 'PAUSE') return null;
  const first = done === 1 ? 'The first delivery' : `The first ${done} deliveries`;
  return { status: 'PAUSED', reason: `${first} did not fail. Resume the replay to send the others.` };
}
