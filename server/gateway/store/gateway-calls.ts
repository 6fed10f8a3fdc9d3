import { type SqlBool, sql } from 'kysely';
import { firstIdAt } from '../../lib/ids.ts';
import type { Db, GatewayCallsTable } from '../../platform/database/schema.ts';

/** Calls of a run, oldest first. */
export async function listOfRun(
  db: Db,
  account_id: string,
  run_id: string,
  since_ms: number,
  limit: number,
): Promise<GatewayCallsTable[]> {
  return db
    .selectFrom('gateway_calls')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('run_id', '=', run_id)
    .where('call_id', '>=', firstIdAt(since_ms))
    .orderBy('call_id')
    .limit(limit)
    .execute();
}

/** The first digit of the status; `none` selects calls without a response of the app. */
export type StatusClass = '2xx' | '3xx' | '4xx' | '5xx' | 'none';
export type CallFilter = {
  status?: StatusClass | undefined;
  method?: string | undefined;
  key_id?: string | undefined;
  since_ms?: number | undefined;
  until_ms?: number | undefined;
};

/** Newest first; with `before`, only older calls. */
export async function list(
  db: Db,
  account_id: string,
  connection_id: string,
  filter: CallFilter,
  page: { limit: number; before?: string | undefined },
): Promise<GatewayCallsTable[]> {
  let query = db
    .selectFrom('gateway_calls')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('connection_id', '=', connection_id);
  if (filter.status === 'none') query = query.where('status', 'is', null);
  else if (filter.status) query = query.where(sql<SqlBool>`status / 100 = ${Number(filter.status[0])}`);
  if (filter.method) query = query.where('method', '=', filter.method);
  if (filter.key_id) query = query.where('key_id', '=', filter.key_id);
  if (filter.since_ms !== undefined) query = query.where('call_id', '>=', firstIdAt(filter.since_ms));
  if (filter.until_ms !== undefined) query = query.where('call_id', '<', firstIdAt(filter.until_ms));
  if (page.before) query = query.where('call_id', '<', page.before);
  return query.orderBy('call_id', 'desc').limit(page.limit).execute();
}

/** The newest call of a connection that succeeded (a status below 400 and a whole response), or that did not. */
export async function lastOf(
  db: Db,
  account_id: string,
  connection_id: string,
  result: 'succeeded' | 'failed',
): Promise<GatewayCallsTable | undefined> {
  const succeeded = sql<SqlBool>`(status is not null and status < 400 and error is null)`;
  return db
    .selectFrom('gateway_calls')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('connection_id', '=', connection_id)
    .where(result === 'succeeded' ? succeeded : sql<SqlBool>`not ${succeeded}`)
    .orderBy('call_id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export type CallBucket = {
  /** Index of the bucket. */
  index: number;
  count: number;
  ok: number;
  client_errors: number;
  server_errors: number;
  unanswered: number;
  percentiles: [p50: number, p95: number, p99: number];
};

/** The first 48 bits of the ID are its creation time. */
const AT_MS = sql`('x' || translate(left(call_id::text, 13), '-', ''))::bit(48)::bigint`;

/** Counts by result since this time, in buckets of this length; empty buckets are omitted. */
export async function buckets(
  db: Db,
  account_id: string,
  connection_id: string,
  { since_ms, bucket_ms }: { since_ms: number; bucket_ms: number },
): Promise<CallBucket[]> {
  const { rows } = await sql<CallBucket>`
    select ((${AT_MS} - ${since_ms}::bigint) / ${bucket_ms}::bigint)::int as index, count(*),
      count(*) filter (where status < 400) as ok,
      count(*) filter (where status between 400 and 499) as client_errors,
      count(*) filter (where status >= 500) as server_errors,
      count(*) filter (where status is null) as unanswered,
      percentile_disc(array[0.5, 0.95, 0.99]) within group (order by duration_ms) as percentiles
    from gateway_calls
    where account_id = ${account_id} and connection_id = ${connection_id} and call_id >= ${firstIdAt(since_ms)}
    group by 1 order by 1
  `.execute(db);
  return rows;
}

/** The first call since then, if any. */
export async function firstSince(db: Db, account_id: string, since_ms: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('gateway_calls')
    .select('call_id')
    .where('account_id', '=', account_id)
    .where('call_id', '>=', firstIdAt(since_ms))
    .orderBy('call_id')
    .limit(1)
    .executeTakeFirst();
  return row?.call_id;
}

/** The calls of one app, in one bucket or (without an index) in all. */
export type AppBucket = { app: string; index: number | null; calls: number; errors: number; p95_ms: number | null };

/** Calls of all apps, by start time. Empty buckets are omitted. */
export async function appBuckets(
  db: Db,
  account_id: string,
  { since_ms, bucket_ms }: { since_ms: number; bucket_ms: number },
): Promise<AppBucket[]> {
  const { rows } = await sql<AppBucket>`
    select app, index, count(*) as calls, count(*) filter (where status is null or status >= 400) as errors,
      percentile_disc(0.95) within group (order by duration_ms) as p95_ms
    from (
      select app, status, duration_ms, ((${AT_MS} - ${since_ms}::bigint) / ${bucket_ms}::bigint)::int as index
      from gateway_calls where account_id = ${account_id} and call_id >= ${firstIdAt(since_ms)}
    ) calls
    group by grouping sets ((app), (app, index)) order by app, index
  `.execute(db);
  return rows;
}
