import type { Input, Reply } from '../../../contract/operations.ts';
import { msOf } from '../../lib/ids.ts';
import { chartRange, timestampOf } from '../../platform/chart-range.ts';
import type { Ctx } from '../../platform/context.ts';
import { getOwn } from '../hosted-function.ts';
import * as runPages from '../store/run-pages.ts';
import * as store from '../store/run-stats.ts';
import type { RunFilter } from '../store/runs.ts';

/** The bounds of duration buckets, in milliseconds. */
const EDGES = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 30_000, 60_000] as const;
const HOUR_MS = 3_600_000;
const HOURS = 24;

/** The number of runs of a function, or of all, over time, and their durations. */
export async function stats(ctx: Ctx, { query }: Input<'runStats'>): Promise<Reply<'runStats'>> {
  const { range, q, ...which } = query;
  if (which.function_id) await getOwn(ctx, which.function_id);
  const chart = chartRange(range);
  const { since_ms, bucket_ms } = chart;
  const found = q ? await withText(ctx, { ...which, q }, since_ms) : undefined;
  const scope = { since_ms, ...which, run_ids: found?.run_ids };
  const [figures, over, buckets] = await Promise.all([
    store.figures(ctx.db, ctx.account_id, scope),
    store.timeBuckets(ctx.db, ctx.account_id, scope, bucket_ms),
    store.durationBuckets(ctx.db, ctx.account_id, scope, EDGES),
  ]);
  const [p50_ms = null, p95_ms = null, p99_ms = null] = figures.percentiles ?? [];
  const durations = new Map(buckets.map((bucket) => [bucket.index, bucket]));
  return {
    since: timestampOf(since_ms),
    searched_since: found?.since ?? timestampOf(since_ms),
    runs: figures.runs,
    failed: figures.failed,
    p50_ms,
    p95_ms,
    p99_ms,
    durations: [0, ...EDGES].map((from_ms, index) => {
      const { runs = 0, failed = 0 } = durations.get(index) ?? {};
      return { from_ms, to_ms: EDGES[index] ?? null, runs, failed };
    }),
    bucket_seconds: bucket_ms / 1000,
    buckets: chart.fill(over, (at, each) => ({ at, runs: each?.runs ?? 0, failed: each?.failed ?? 0 })),
  };
}

/** A text filter searches the newest runs first, within these limits; statistics cover the runs found by then. */
const SEARCH_MS = 500;
const SEARCHED_RUNS_MAX = 20_000;

async function withText(ctx: Ctx, filter: RunFilter, since_ms: number): Promise<{ run_ids: string[]; since: string }> {
  const asked = { ...filter, since: timestampOf(since_ms) };
  const page = { limit: SEARCHED_RUNS_MAX, budgetMs: SEARCH_MS };
  const { rows, next } = await runPages.pageOfIds(ctx.db, ctx.account_id, asked, page);
  return { run_ids: rows.map(({ run_id }) => run_id), since: timestampOf(next === null ? since_ms : msOf(next)) };
}

/** Which versions ran, and how often. */
export async function ofVersions(ctx: Ctx, input: Input<'versionStats'>): Promise<Reply<'versionStats'>> {
  const { function_id } = await getOwn(ctx, input.params.function_id);
  const { since_ms } = chartRange(input.query.range);
  const versions = await store.versionFigures(ctx.db, ctx.account_id, { since_ms, function_id });
  return {
    since: timestampOf(since_ms),
    runs: versions.reduce((sum, { runs }) => sum + runs, 0),
    versions,
  };
}

/** The statistics of every function for the list, in one query. */
export async function ofFunctions(ctx: Ctx): Promise<Reply<'functionStats'>> {
  const since_ms = (Math.floor(Date.now() / HOUR_MS) - HOURS + 1) * HOUR_MS;
  const found = await store.functionBuckets(ctx.db, ctx.account_id, { since_ms, bucket_ms: HOUR_MS });
  const functions = [...Map.groupBy(found, ({ function_id }) => function_id)].map(([function_id, buckets]) => {
    const row = {
      function_id,
      runs: 0,
      failed: 0,
      buckets: Array<number>(HOURS).fill(0),
      failures: Array<number>(HOURS).fill(0),
    };
    for (const { index, runs, failed } of buckets) {
      if (index < 0 || index >= HOURS) continue;
      row.runs += runs;
      row.failed += failed;
      row.buckets[index] = runs;
      row.failures[index] = failed;
    }
    return row;
  });
  return { since: timestampOf(since_ms), bucket_seconds: HOUR_MS / 1000, functions };
}
