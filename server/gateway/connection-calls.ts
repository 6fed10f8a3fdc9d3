import { RUN_CALLS_MAX } from '../../contract/limits.ts';
import type { Input, Reply } from '../../contract/operations.ts';
import * as connectionStore from '../connections/store/connections.ts';
import * as runStore from '../functions/store/runs.ts';
import { notFound } from '../lib/failure.ts';
import { msOf } from '../lib/ids.ts';
import { chartRange, timestampOf } from '../platform/chart-range.ts';
import type { Ctx } from '../platform/context.ts';
import type { GatewayCallsTable } from '../platform/database/schema.ts';
import { openPage, pageToken } from '../platform/paging.ts';
import * as store from './store/gateway-calls.ts';

/** Calls through one connection, newest first. */
export async function list(ctx: Ctx, input: Input<'connectionCallList'>): Promise<Reply<'connectionCallList'>> {
  const { limit, after } = openPage(ctx, input);
  const { connection_id } = input.params;
  await mustBeThere(ctx, connection_id);
  const { status, method, key_id, since, until } = input.query;
  const filter = {
    connection_id,
    status,
    method,
    key_id,
    since_ms: since === undefined ? undefined : Date.parse(since),
    until_ms: until === undefined ? undefined : Date.parse(until),
  };
  const { rows, next } = await store.page(ctx.db, ctx.account_id, filter, { limit, before: after?.[0] });
  const next_token = next && pageToken(ctx, input, [next]);
  return { calls: rows.map(describe), next_token, dropped: ctx.memory.calls.dropped(ctx.account_id) };
}

/** Time series of the calls through one connection: counts by result, and durations. */
export async function stats(
  ctx: Ctx,
  { params, query }: Input<'connectionCallStats'>,
): Promise<Reply<'connectionCallStats'>> {
  await mustBeThere(ctx, params.connection_id);
  const chart = chartRange(query.range);
  const found = await store.buckets(ctx.db, ctx.account_id, params.connection_id, chart);
  return {
    since: timestampOf(chart.since_ms),
    bucket_seconds: chart.bucket_ms / 1000,
    buckets: chart.fill(found, (at, each) => {
      const { index: _, percentiles, ...counts } = each ?? EMPTY;
      const [p50_ms = null, p95_ms = null, p99_ms = null] = percentiles;
      return { at, ...counts, p50_ms, p95_ms, p99_ms };
    }),
    dropped: ctx.memory.calls.dropped(ctx.account_id),
  };
}

const EMPTY = { index: 0, count: 0, ok: 0, client_errors: 0, server_errors: 0, unanswered: 0, percentiles: [] };

/** Time series of the calls to each app of the account: counts, failures and durations. */
export async function ofApps(ctx: Ctx, { query }: Input<'connectionStats'>): Promise<Reply<'connectionStats'>> {
  const chart = chartRange(query.range);
  const found = await store.appBuckets(ctx.db, ctx.account_id, chart);
  const apps = [...Map.groupBy(found, ({ app }) => app)].map(([app, rows]) => {
    const whole = rows.find(({ index }) => index === null);
    const over = rows.flatMap(({ index, calls }) => (index === null ? [] : [{ index, calls }]));
    return {
      app,
      calls: whole?.calls ?? 0,
      errors: whole?.errors ?? 0,
      p95_ms: whole?.p95_ms ?? null,
      buckets: chart.fill(over, (_, each) => each?.calls ?? 0),
    };
  });
  return {
    since: timestampOf(chart.since_ms),
    bucket_seconds: chart.bucket_ms / 1000,
    apps: apps.sort((a, b) => b.calls - a.calls || a.app.localeCompare(b.app)),
  };
}

/** When the first call of the last 24 hours was made. */
export async function firstOfDay({ db, account_id }: Ctx): Promise<string | null> {
  const call_id = await store.firstSince(db, account_id, chartRange('24h').since_ms);
  return call_id === undefined ? null : timestampOf(msOf(call_id));
}

async function mustBeThere(ctx: Ctx, connection_id: string): Promise<void> {
  if (!(await connectionStore.find(ctx.db, ctx.account_id, connection_id))) throw notFound('Connection');
}

/** Calls of a run through the gateway, oldest first. */
export async function listOfRun(ctx: Ctx, { params }: Input<'runCallList'>): Promise<Reply<'runCallList'>> {
  const run = await runStore.find(ctx.db, ctx.account_id, params.function_id, params.run_id);
  if (!run) throw notFound('Run');
  const since_ms = msOf(params.run_id);
  const rows = await store.listOfRun(ctx.db, ctx.account_id, params.run_id, since_ms, RUN_CALLS_MAX);
  return { calls: rows.map(describe) };
}

const describe = (row: GatewayCallsTable): Reply<'connectionCallList'>['calls'][number] => ({
  call_id: row.call_id,
  at: timestampOf(msOf(row.call_id)),
  connection_id: row.connection_id,
  app: row.app,
  run_id: row.run_id,
  key_id: row.key_id,
  key_name: row.key_name,
  method: row.method,
  path: row.path,
  status: row.status,
  duration_ms: row.duration_ms,
  request_bytes: row.request_bytes,
  response_bytes: row.response_bytes,
  error: row.error,
  request_id: row.request_id,
});
