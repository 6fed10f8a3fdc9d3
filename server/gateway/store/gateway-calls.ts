import { type SqlBool, sql } from 'kysely';
import { firstIdAt } from '../../lib/ids.ts';
import type { Db, GatewayCallsTable } from '../../platform/database/schema.ts';
import { type CallFilter, pageOfIds } from './call-pages.ts';

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

/** Calls through one connection, newest first, after `before`. `next`: where the next page starts; null at the end. */
export async function page(
  db: Db,
  account_id: string,
  filter: CallFilter & { connection_id: string },
  { limit, before }: { limit: number; before?: string | undefined },
): Promise<{ rows: GatewayCallsTable[]; next: string | null }> {
  const { ids, next } = await pageOfIds(db, account_id, filter, { limit, before, withRefused: false });
  if (ids.length === 0) return { rows: [], next };
  const rows = await db
    .selectFrom('gateway_calls')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('call_id', 'in', ids)
    .orderBy('call_id', 'desc')
    .execute();
  return { rows, next };
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
