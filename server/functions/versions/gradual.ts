/**
 * Gradual deploys: a version serves a share of the calls by URL and by events, beside the live version. Nodes read the
 * share with the function (calls/callables.ts). A worker compares the failures of both versions and rolls back. A
 * deploy of any version ends it: the row names the live version beside which it was started.
 */
import type { Input, Reply } from '../../../contract/operations.ts';
import { systemCtx, write } from '../../accounts/write.ts';
import { now } from '../../lib/clock.ts';
import { badRequest, notFound } from '../../lib/failure.ts';
import type { Ctx, Services } from '../../platform/context.ts';
import type { GradualDeploysTable } from '../../platform/database/tables/function-tables.ts';
import { createLoop, type Worker } from '../../platform/loop.ts';
import { chooseVersion, getOwn, lockOwn } from '../hosted-function.ts';
import * as store from '../store/gradual.ts';

export async function get(ctx: Ctx, { params }: Input<'gradualGet'>): Promise<Reply<'gradualGet'>> {
  await getOwn(ctx, params.function_id);
  return { gradual: await read(ctx, params.function_id) };
}

/** Starts a gradual deploy, or changes the share or the version of the one in progress. */
export async function put(ctx: Ctx, { params, body }: Input<'gradualPut'>): Promise<Reply<'gradualPut'>> {
  const { function_id } = params;
  const before = await getOwn(ctx, function_id);
  await chooseVersion(ctx, before, body.version);
  await write(ctx, async (tx, about) => {
    about(function_id, { noun: 'function', function_id });
    const fn = await lockOwn(tx, ctx, function_id);
    if (fn.version === body.version)
      throw badRequest(`version: expected one that is not live; version ${body.version} is live`);
    const at = now();
    const running = await store.find(tx, ctx.account_id, function_id);
    const isSame = running?.status === 'RUNNING' && running.version === body.version;
    await store.put(tx, {
      account_id: ctx.account_id,
      function_id,
      ...body,
      live_version: fn.version,
      status: 'RUNNING',
      reason: null,
      started_at: isSame ? running.started_at : at,
      ended_at: null,
      check_at: at,
    });
  });
  return { gradual: await read(ctx, function_id) };
}

/** Ends a gradual deploy: the live version serves all calls. */
export async function remove(ctx: Ctx, { params }: Input<'gradualDelete'>): Promise<Reply<'gradualDelete'>> {
  const { function_id } = params;
  await getOwn(ctx, function_id);
  await write(ctx, async (tx, about) => {
    about(function_id, { noun: 'function', function_id });
    if (!(await store.remove(tx, ctx.account_id, function_id))) throw notFound('Gradual deploy');
  });
  return {};
}

async function read(ctx: Ctx, function_id: string): Promise<Reply<'gradualGet'>['gradual']> {
  const row = await store.find(ctx.db, ctx.account_id, function_id);
  if (!row) return null;
  return {
    version: row.version,
    live_version: row.live_version,
    status: row.status,
    percent: row.percent,
    window_minutes: row.window_minutes,
    min_calls: row.min_calls,
    max_failed_percent: row.max_failed_percent,
    reason: row.reason,
    started_at: row.started_at,
    ended_at: row.ended_at,
    calls: await store.calls(ctx.db, row),
  };
}

const EVERY_MS = 2_000;
const AT_ONCE = 20;

/** Worker that rolls back versions that fail more often than the live one. */
export function createGradualWatcher(services: Services): Worker {
  return createLoop({
    name: 'gradualWatcher',
    log: services.log,
    everyMs: EVERY_MS,
    async work() {
      for (const row of await store.claim(services.db, EVERY_MS, AT_ONCE)) await check(services, row);
      return undefined;
    },
  });
}

async function check(services: Services, row: GradualDeploysTable): Promise<void> {
  const { account_id, function_id, version, live_version, min_calls, max_failed_percent } = row;
  const { live, version: tried } = await store.calls(services.db, row);
  if (tried.calls < min_calls) return;
  const [own, others] = [tried, live].map(({ calls, failed }) => (calls === 0 ? 0 : (failed / calls) * 100));
  if ((own ?? 0) - (others ?? 0) <= max_failed_percent) return;
  const reason =
    `${tried.failed} of ${tried.calls} calls of version ${version} failed, ` +
    `and ${live.failed} of ${live.calls} of version ${live_version}.`;
  const ctx = systemCtx(services, account_id, 'Automatic roll-back', 'gradualDelete');
  await write(ctx, async (tx, about) => {
    about(function_id, { noun: 'function', function_id });
    await store.rollBack(tx, row, reason, now());
  });
  // The event of the source sluice follows within a second.
  services.memory.changedAccounts.add(account_id);
  services.log.warn({ function_id, version, live_version }, 'version rolled back, too many calls failed');
}
