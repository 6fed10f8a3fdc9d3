/**
 * Finds the first version that fails. The stored request of a failed run is sent to older versions, in the sandbox like
 * every call, halving the range until a failing version directly follows a passing one. By default these runs have no
 * network and no gateway, as side effects would be repeated.
 */
import type { Input, Reply } from '../../../contract/operations.ts';
import { write } from '../../accounts/write.ts';
import { badRequest, notFound } from '../../lib/failure.ts';
import type { Ctx } from '../../platform/context.ts';
import type { RunsTable } from '../../platform/database/tables/function-tables.ts';
import { callableOf } from '../calls/callables.ts';
import { startCall } from '../calls/start-call.ts';
import { getOwn } from '../hosted-function.ts';
import * as store from '../store/runs.ts';
import { storedCall } from './stored-request.ts';

/** A response takes at most this long plus one run; the caller continues from its result. */
const BUDGET_MS = 30_000;

type Bisect = Reply<'runBisect'>['bisect'];
type Step = Bisect['steps'][number];

export async function bisect(ctx: Ctx, { params, body }: Input<'runBisect'>): Promise<Reply<'runBisect'>> {
  const { egress = 'NONE', max_steps = 20, from = 1 } = body ?? {};
  const fn = await getOwn(ctx, params.function_id);
  const run = await store.find(ctx.db, ctx.account_id, fn.function_id, params.run_id);
  if (!run) throw notFound('Run');
  const failure = failureOf(run);
  if (failure === null) throw badRequest('run_id: expected a run that failed, or returned a status of 400 or more');
  const request = storedCall(run, fn, ctx.settings);
  if (!request) throw badRequest('run_id: expected a run whose request was stored in full; this one was truncated');
  const last = body?.failing ?? run.version;
  if (from > last) throw badRequest(`from: expected a version up to ${last}`);
  if (body?.passing !== undefined && body.passing >= last)
    throw badRequest(`passing: expected a version below ${last}`);
  await write(ctx, async (_tx, about) => about(fn.function_id));

  const asked = egress === 'NONE' ? { ...fn, network_policy: 'DENY_ALL' as const, allowed_hosts: '[]' } : fn;
  const until = performance.now() + BUDGET_MS;
  const steps: Step[] = [];
  const tries = async (version: number): Promise<boolean> => {
    const callable = await callableOf(ctx, asked, version);
    const call = await startCall(ctx, callable, request, {
      caller: 'BISECT',
      withoutGateway: egress === 'NONE',
      isAwaited: true,
    });
    call.openBody().resume();
    await call.recorded;
    const made = await store.find(ctx.db, ctx.account_id, fn.function_id, call.run_id);
    if (!made) throw notFound('Run');
    const found = failureOf(made);
    const outcome = found === null ? 'PASSES' : found === failure ? 'SAME' : 'OTHER';
    steps.push({ version, run_id: made.run_id, status: made.status, response_status: made.response_status, outcome });
    return outcome === 'SAME';
  };
  const isOver = () => steps.length >= max_steps || performance.now() > until;

  let failing = body?.failing ?? null;
  let passing = body?.passing ?? null;
  const answer = (status: Bisect['status']): Reply<'runBisect'> => ({
    bisect: {
      status,
      passing,
      failing,
      remaining: failing === null ? null : Math.max(0, failing - (passing ?? from - 1) - 1),
      steps,
    },
  });
  if (failing === null) {
    if (!(await tries(run.version))) return answer('NOT_REPRODUCED');
    failing = run.version;
  }
  if (passing === null && failing > from) {
    if (isOver()) return answer('UNFINISHED');
    if (await tries(from)) failing = from;
    else passing = from;
  }
  if (passing === null) return answer('ALWAYS');
  while (failing - passing > 1) {
    if (isOver()) return answer('UNFINISHED');
    const middle = Math.floor((passing + failing) / 2);
    if (await tries(middle)) failing = middle;
    else passing = middle;
  }
  return answer('FOUND');
}

/** How a run failed, so that equal failures can be recognized; null when it succeeded. */
function failureOf({ status, error, response_status }: RunsTable): string | null {
  if (status === 'TIMEOUT') return 'TIMEOUT';
  if (status === 'ERROR' && error !== null) return `ERROR ${(JSON.parse(error) as { name: string }).name}`;
  if (status === 'ERROR' || (response_status !== null && response_status >= 400)) return `${status} ${response_status}`;
  return null;
}
