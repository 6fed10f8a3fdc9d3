import type { ReplayStatus } from '../../../contract/states.ts';
import { fromNow } from '../../lib/clock.ts';
import type { ReplaysTable } from '../../platform/database/schema.ts';
import type { Finding, Observe } from '../condition.ts';
import * as store from '../store/others.ts';
import { plural, shortened } from '../wording.ts';

/** Replays that ended while no node was running are reported if it was not longer ago. */
const LATEST_MS = 86_400_000;

/** Bulk replays that are complete or stopped. One that a user canceled is not reported. */
export const observeReplays: Observe = async (look) => {
  const { tx, account_id, trigger, reports, watching_since, limit } = look;
  const dayAgo = fromNow(-LATEST_MS);
  const statuses: ReplayStatus[] = [
    ...(reports('replay.finished') ? (['COMPLETED'] as const) : []),
    ...(reports('replay.stopped') ? (['STOPPED'] as const) : []),
  ];
  const since = watching_since > dayAgo ? watching_since : dayAgo;
  const ended = await store.endedReplays(tx, account_id, trigger.trigger_id, { since, statuses, limit });
  return { findings: ended.map(found), calm: [] };
};

function found({ replay_id, status, reason, finished_at, ...replay }: ReplaysTable): Finding {
  const { total, succeeded, failed, skipped, created_by, created_at } = replay;
  const name = `Replay of ${plural(total, 'delivery', 'deliveries')}`;
  const isComplete = status === 'COMPLETED';
  const counts = `${succeeded} succeeded, ${failed} failed, ${skipped} ${skipped === 1 ? 'was' : 'were'} skipped.`;
  return {
    key: `replay:${replay_id}`,
    since: created_at,
    state: 'happened',
    isMoment: true,
    notice: {
      type: isComplete ? 'replay.finished' : 'replay.stopped',
      severity: isComplete ? 'info' : 'warning',
      title: `${name} ${isComplete ? 'is complete' : 'stopped'}`,
      text: isComplete ? counts : `${reason ?? 'It ended early.'} ${counts}`,
      path: `/replays/${replay_id}`,
      resource: { kind: 'replay', id: replay_id, name },
      count: total,
      last_error: isComplete ? null : shortened(reason),
      details: { total, succeeded, failed, skipped, created_by, finished_at },
    },
  };
}
