/** Changes of a problem's state by a person. */
import type { Input, Reply } from '../../contract/operations.ts';
import type { ProblemState } from '../../contract/states.ts';
import { write } from '../accounts/write.ts';
import { now, toTimestamp } from '../lib/clock.ts';
import { badRequest, notFound } from '../lib/failure.ts';
import type { Ctx } from '../platform/context.ts';
import type { ProblemsTable } from '../platform/database/tables/problem-tables.ts';
import { describe } from './problem-shapes.ts';
import * as store from './store/problems.ts';

const IGNORED_FACTOR = 10;

/** Records who works on a problem, with a note. A RESOLVED problem cannot be acknowledged. */
export const acknowledge = (
  ctx: Ctx,
  { params, body }: Input<'problemAcknowledge'>,
): Promise<Reply<'problemAcknowledge'>> =>
  change(ctx, params.problem_id, 'ACKNOWLEDGED', (before) => {
    if (before.state === 'RESOLVED')
      throw badRequest('state: expected a problem that is not RESOLVED; reopen it first');
    return { state_note: body.note ?? null };
  });

/**
 * Ignores a problem until a time, until it has had a number of failures, or until it has had ten times as many. 400 for
 * a time in the past, and for a number that it has already reached.
 */
export const ignore = (ctx: Ctx, { params, body }: Input<'problemIgnore'>): Promise<Reply<'problemIgnore'>> =>
  change(ctx, params.problem_id, 'IGNORED', (before) => {
    const until = body.until === undefined ? null : toTimestamp(body.until);
    if (until !== null && until <= now()) throw badRequest('until: expected a time in the future');
    const above = body.above_failures ?? (until === null ? before.failures * IGNORED_FACTOR : null);
    if (above !== null && above < before.failures)
      throw badRequest(`above_failures: expected at least ${before.failures}, the number of its failures so far`);
    return { state_note: body.note ?? null, ignored_until: until, ignored_above: above };
  });

/** Resolves a problem. It is open again, as a regression, when it fails after this. */
export const resolve = (ctx: Ctx, { params, body }: Input<'problemResolve'>): Promise<Reply<'problemResolve'>> =>
  change(ctx, params.problem_id, 'RESOLVED', () => ({
    state_note: body.note ?? null,
    resolved_as: 'PERSON',
    check_at: null,
  }));

/** Opens a problem again. It is resolved automatically only after a new failure. */
export const reopen = (ctx: Ctx, { params }: Input<'problemReopen'>): Promise<Reply<'problemReopen'>> =>
  change(ctx, params.problem_id, 'OPEN', () => ({ opened_at: now() }));

const CLEARED = { state_note: null, ignored_until: null, ignored_above: null, resolved_as: null } as const;

/** Reopening an OPEN problem and resolving a RESOLVED one change nothing. */
async function change(
  ctx: Ctx,
  problem_id: string,
  state: ProblemState,
  more: (before: ProblemsTable) => store.StateChange,
) {
  const row = await write(ctx, async (tx, about) => {
    about(problem_id, { noun: 'problem', problem_id });
    const before = await store.lock(tx, ctx.account_id, problem_id);
    if (!before) throw notFound('Problem');
    const isSame = before.state === state && (state === 'OPEN' || state === 'RESOLVED');
    if (!isSame) {
      const by = { state, state_by: ctx.actor.name, state_at: now() };
      await store.update(tx, ctx.account_id, problem_id, { ...CLEARED, ...by, ...more(before) });
    }
    return store.find(tx, ctx.account_id, problem_id);
  });
  if (!row) throw notFound('Problem');
  return { problem: describe(row) };
}
