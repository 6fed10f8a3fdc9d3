/** Shadows of a function: a version is tried on stored requests before it becomes live (shadower.ts). */
import { SHADOWS_AT_ONCE } from '../../../contract/limits.ts';
import type { Input, Reply } from '../../../contract/operations.ts';
import { write } from '../../accounts/write.ts';
import { now, toTimestamp } from '../../lib/clock.ts';
import { badRequest, conflict, Failure, notFound } from '../../lib/failure.ts';
import { newId } from '../../lib/ids.ts';
import type { Ctx } from '../../platform/context.ts';
import type { FunctionsTable } from '../../platform/database/tables/function-tables.ts';
import { closePage, openPage } from '../../platform/paging.ts';
import { checkSandbox } from '../calls/sandbox-rule.ts';
import { chooseVersion, getOwn, lockOwn } from '../hosted-function.ts';
import * as runPages from '../store/run-pages.ts';
import type { ListedRun } from '../store/runs.ts';
import * as store from '../store/shadows.ts';
import { buildAndKeep } from '../versions/publish.ts';
import { addVersion, describe as describeVersion } from '../versions/versions.ts';
import { type Budget, foldMatrix } from './compare.ts';
import { describe, describeAnswered, describeRequest } from './shadow-shapes.ts';

type Asked = Input<'shadowCreate'>['body'];

/** Starts a shadow of a version that is not live, or of new code, which is published without becoming live. */
export async function create(ctx: Ctx, { params, body }: Input<'shadowCreate'>): Promise<Reply<'shadowCreate'>> {
  const { function_id } = params;
  const before = await getOwn(ctx, function_id);
  if (body.version !== undefined) await chooseVersion(ctx, before, body.version);
  assertNotLive(before, body.version);
  if (ctx.runtime.isFallback) await checkSandbox(ctx);
  await assertNoneRuns(await store.running(ctx.db, ctx.account_id, function_id));
  const requests = await chooseRequests(ctx, before, body);
  const handler = body.handler ?? (await chooseVersion(ctx, before)).handler;
  const built = body.files && (await buildAndKeep(ctx, before.runtime, body.files, handler));
  const { shadow_id, added } = await write(ctx, async (tx, about) => {
    const shadow_id = newId();
    about(function_id, { noun: 'shadow', function_id, shadow_id });
    const fn = await lockOwn(tx, ctx, function_id);
    assertNotLive(fn, body.version);
    assertNoneRuns(await store.running(tx, ctx.account_id, function_id));
    if ((await store.countRunning(tx, ctx.account_id)) >= SHADOWS_AT_ONCE)
      throw new Failure(429, `The account has ${SHADOWS_AT_ONCE} shadows in progress; wait for one to end.`, {
        headers: { 'Retry-After': '10' },
      });
    const added = built && (await addVersion(tx, ctx, fn, built, { message: body.message, serve: false }));
    if (added) about(function_id, { noun: 'function', function_id });
    await store.insert(tx, ctx.account_id, {
      shadow_id,
      function_id,
      version: added?.version ?? body.version ?? fn.last_version,
      live_version: fn.version,
      status: 'RUNNING',
      reason: null,
      verdict: null,
      findings: '[]',
      last: body.last,
      filter: JSON.stringify(body.filter),
      budget: JSON.stringify(body.budget satisfies Budget),
      deploy: body.deploy,
      deployed_at: null,
      total: requests.length,
      created_by: ctx.actor.name,
      created_at: now(),
      ended_at: null,
      node_id: null,
      next_at: now(),
    });
    await store.insertRequests(tx, ctx.account_id, shadow_id, requests);
    return { shadow_id, added };
  });
  ctx.nudge('shadower');
  const version = added ? describeVersion({ version: before.version }, added) : null;
  return { shadow: describe(await find(ctx, { function_id, shadow_id })), version };
}

function assertNotLive(fn: Pick<FunctionsTable, 'version'>, version: number | undefined): void {
  if (version === fn.version) throw badRequest(`version: expected one that is not live; version ${version} is live`);
}

function assertNoneRuns(shadow_id: string | undefined): void {
  if (shadow_id !== undefined)
    throw conflict(`Shadow ${shadow_id} of this function is in progress: wait for its end, or cancel it.`);
}

/** How long stored requests are searched. */
const SEARCH_MS = 2_000;
const PROBLEM_RUNS_MAX = 1_000;

/** The newest requests that match. */
async function chooseRequests(ctx: Ctx, fn: FunctionsTable, { last, filter }: Asked): Promise<store.NewRequest[]> {
  const { db, account_id } = ctx;
  const { function_id } = fn;
  const { problem_id, since, until, ...more } = filter;
  const run_ids = problem_id && (await store.runsOfProblem(db, account_id, function_id, problem_id, PROBLEM_RUNS_MAX));
  if (run_ids?.length === 0) throw badRequest('filter.problem_id: expected a problem with runs of this function');
  const wanted = {
    function_id,
    ...more,
    run_ids: run_ids || undefined,
    since: since && toTimestamp(since),
    until: until && toTimestamp(until),
  };
  await ctx.memory.runs.settle((key) => key.function_id === function_id, ctx.settings.runPatience.manyMs);
  const untilMs = performance.now() + SEARCH_MS;
  const chosen: ListedRun[] = [];
  let before: string | undefined;
  do {
    const { rows, next } = await runPages.page(db, account_id, wanted, { limit: last, before });
    chosen.push(...rows.filter(isUsable));
    before = next ?? undefined;
  } while (before !== undefined && chosen.length < last && performance.now() < untilMs);
  if (chosen.length === 0) throw badRequest('filter: expected one that stored requests of this function match');
  return chosen.slice(0, last).map((run) => ({
    run_id: run.run_id,
    method: run.method,
    path: run.path,
    received_at: run.created_at,
    stored_outcome: run.status !== 'OK' || (run.response_status ?? 500) >= 400 ? 'FAILURE' : 'SUCCESS',
    stored_version: run.version,
    stored_status: run.response_status,
  }));
}

/** Not the runs of a bisect, which repeat other requests, and no WebSockets. */
const isUsable = ({ status, caller, response_status }: ListedRun): boolean =>
  status !== 'RUNNING' && caller !== 'BISECT' && response_status !== 101;

/** Shadows of a function, newest first. */
export async function list(ctx: Ctx, input: Input<'shadowList'>): Promise<Reply<'shadowList'>> {
  const { function_id } = await getOwn(ctx, input.params.function_id);
  const { limit, after } = openPage(ctx, input);
  const found = await store.list(ctx.db, ctx.account_id, function_id, { limit: limit + 1, before: after?.[0] });
  const { rows, next_token } = closePage(ctx, input, found, (row) => [row.shadow_id]);
  return { shadows: rows.map(describe), next_token };
}

/** A shadow with its results so far. */
export async function get(ctx: Ctx, { params }: Input<'shadowGet'>): Promise<Reply<'shadowGet'>> {
  const shadow = await find(ctx, params);
  const { matrix, figures, hosts } = await store.results(ctx.db, ctx.account_id, params.shadow_id);
  return {
    shadow: describe(shadow),
    matrix: foldMatrix(matrix),
    responses: {
      same: figures.same_response,
      different: figures.different_response,
      varying: figures.varying_response,
    },
    logs: { same: figures.same_log, different: figures.different_log, varying: figures.varying_log },
    durations: {
      before: { p50_ms: figures.before_p50, p95_ms: figures.before_p95 },
      after: { p50_ms: figures.after_p50, p95_ms: figures.after_p95 },
    },
    hosts,
  };
}

/** Ends a shadow; the runs in progress are interrupted. One that has ended stays as it is. */
export async function cancel(ctx: Ctx, { params }: Input<'shadowCancel'>): Promise<Reply<'shadowCancel'>> {
  await find(ctx, params);
  await write(ctx, async (tx, about) => {
    about(params.function_id, { noun: 'shadow', ...params });
    const ended = { verdict: null, reason: null, findings: '[]', deployed_at: null, ended_at: now() };
    await store.end(tx, ctx.account_id, params.shadow_id, { status: 'CANCELED', ...ended });
  });
  return { shadow: describe(await find(ctx, params)) };
}

/** Requests of a shadow, newest first. */
export async function listRequests(ctx: Ctx, input: Input<'shadowRequestList'>): Promise<Reply<'shadowRequestList'>> {
  const { shadow_id } = await find(ctx, input.params);
  const { limit, after } = openPage(ctx, input);
  const { differs } = input.query;
  const page = { limit: limit + 1, before: after?.[0] };
  const found = await store.requests(ctx.db, ctx.account_id, shadow_id, { differs }, page);
  const { rows, next_token } = closePage(ctx, input, found, (row) => [row.run_id]);
  return { requests: rows.map(describeRequest), next_token };
}

/** A request with the responses and logs of both versions. */
export async function getRequest(ctx: Ctx, { params }: Input<'shadowRequestGet'>): Promise<Reply<'shadowRequestGet'>> {
  const { shadow_id } = await find(ctx, params);
  const row = await store.request(ctx.db, ctx.account_id, shadow_id, params.run_id);
  if (!row) throw notFound('Request');
  return { request: describeAnswered(row) };
}

async function find(ctx: Ctx, { function_id, shadow_id }: { function_id: string; shadow_id: string }) {
  await getOwn(ctx, function_id);
  const shadow = await store.find(ctx.db, ctx.account_id, function_id, shadow_id);
  if (!shadow) throw notFound('Shadow');
  return shadow;
}
