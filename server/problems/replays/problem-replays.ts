/**
 * Replays of what a problem affects: bulk replays (server/deliveries/replays/replayer.ts) whose deliveries are those of
 * the problem that have not succeeded. A problem has one replay at a time, and a delivery that succeeds before it is sent
 * is skipped: so no destination gets an event twice.
 */
import { PROBLEM_CANARY, PROBLEM_REPLAY_RATE } from '../../../contract/limits.ts';
import type { Input, Reply } from '../../../contract/operations.ts';
import { write } from '../../accounts/write.ts';
import * as replays from '../../deliveries/replays/replays.ts';
import { activeReplay } from '../../deliveries/store/replays/problem-deliveries.ts';
import { badRequest, notFound } from '../../lib/failure.ts';
import type { Ctx } from '../../platform/context.ts';
import type { ProblemsTable } from '../../platform/database/tables/problem-tables.ts';
import * as problemStore from '../store/problems.ts';
import { planOf } from './plan.ts';

const UNCHANGED = { function_id: null, function_version: null, body_template: null, transform_then: false };

/**
 * Sends again everything that failed with a problem, or was missed by its destinations while they were disabled, and has
 * not succeeded. `dry_run` only counts it. 400 while another replay of the problem has not ended, and if nothing is left
 * to send.
 */
export async function create(
  ctx: Ctx,
  { params, body }: Input<'problemReplayCreate'>,
): Promise<Reply<'problemReplayCreate'>> {
  const { dry_run, canary = PROBLEM_CANARY, after_canary = 'CONTINUE' } = body;
  const rate_per_second = body.rate_per_second ?? PROBLEM_REPLAY_RATE;
  const { problem_id } = params;
  if (dry_run) {
    const problem = await problemStore.find(ctx.db, ctx.account_id, problem_id);
    if (!problem) throw notFound('Problem');
    return { replay: null, plan: await planOf(ctx, sourceOf(problem), rate_per_second) };
  }
  const row = await write(ctx, async (tx, about) => {
    about(problem_id, { noun: 'problem', problem_id });
    // Locked: two requests at a time would send the same deliveries.
    const problem = await problemStore.lock(tx, ctx.account_id, problem_id);
    if (!problem) throw notFound('Problem');
    const active = await activeReplay(tx, ctx.account_id, problem_id);
    if (active) throw badRequest(`problem_id: replay ${active} of this problem has not ended; cancel it first`);
    const started = await replays.begin(
      tx,
      ctx,
      {
        filter: {},
        only_undelivered: true,
        rate_per_second,
        ...(canary > 0 ? { canary } : {}),
        after_canary,
        problem: { ...sourceOf(problem), title: problem.title },
      },
      UNCHANGED,
      () => undefined,
    );
    if (started.total === 0 && started.gather_before === null)
      throw badRequest('problem_id: it has no delivery that can be sent again; see a dry run for the reasons');
    return started;
  });
  replays.announce(ctx, row);
  return { replay: replays.describe(row), plan: null };
}

const sourceOf = ({ problem_id, first_seen_at }: Pick<ProblemsTable, 'problem_id' | 'first_seen_at'>) => ({
  problem_id,
  first_seen_at,
});
