import { type RawBuilder, sql } from 'kysely';
import { firstIdAt } from '../lib/ids.ts';
import type { Db } from './schema.ts';

export type StatsScope = { trigger_id?: string | undefined; destination_id?: string | undefined };
export type StatsRange = { since_ms: number; bucket_ms: number };

/** The first 48 bits of an id are the time it was made. */
const atMs = (id: RawBuilder<unknown>) => sql`('x' || translate(left(${id}::text, 13), '-', ''))::bit(48)::bigint`;
const bucketOf = (id: RawBuilder<unknown>, { since_ms, bucket_ms }: StatsRange) =>
  sql<number>`((${atMs(id)} - ${since_ms}::bigint) / ${bucket_ms}::bigint)::int`;

const scoped = (alias: string, { trigger_id, destination_id }: StatsScope) => {
  const terms: RawBuilder<unknown>[] = [sql`true`];
  if (trigger_id) terms.push(sql`${sql.ref(`${alias}.trigger_id`)} = ${trigger_id}`);
  if (destination_id) terms.push(sql`${sql.ref(`${alias}.destination_id`)} = ${destination_id}`);
  return sql.join(terms, sql` and `);
};

export type EventBucket = {
  index: number;
  events: number;
  succeeded: number;
  failed: number;
  open: number;
  skipped: number;
};

/** Events by when they came, and where their deliveries stand now. Buckets without events are left out. */
export async function eventBuckets(
  db: Db,
  account_id: string,
  scope: StatsScope,
  range: StatsRange,
): Promise<EventBucket[]> {
  const { rows } = await sql<EventBucket>`
    select ${bucketOf(sql`d.event_id`, range)} as index, count(distinct d.event_id) as events,
      count(*) filter (where d.status = 'SUCCEEDED') as succeeded,
      count(*) filter (where d.status = 'FAILED') as failed,
      count(*) filter (where d.status in ('PENDING', 'RETRYING')) as open,
      count(*) filter (where d.status in ('SKIPPED', 'CANCELED')) as skipped
    from deliveries d
    where d.account_id = ${account_id} and d.event_id >= ${firstIdAt(range.since_ms)} and ${scoped('d', scope)}
    group by 1 order by 1
  `.execute(db);
  return rows;
}

export type TriggerBucket = { trigger_id: string; index: number; events: number };

/** Events of every trigger by when they came. Buckets without events are left out. */
export async function triggerBuckets(db: Db, account_id: string, range: StatsRange): Promise<TriggerBucket[]> {
  const { rows } = await sql<TriggerBucket>`
    select e.trigger_id, ${bucketOf(sql`e.event_id`, range)} as index, count(*) as events
    from events e
    where e.account_id = ${account_id} and e.event_id >= ${firstIdAt(range.since_ms)}
    group by 1, 2 order by 1, 2
  `.execute(db);
  return rows;
}

export type TriggerOutcome = { trigger_id: string; succeeded: number; failed: number; open: number };

/** Where the deliveries of those events stand now. */
export async function triggerOutcomes(db: Db, account_id: string, range: StatsRange): Promise<TriggerOutcome[]> {
  const { rows } = await sql<TriggerOutcome>`
    select d.trigger_id, count(*) filter (where d.status = 'SUCCEEDED') as succeeded,
      count(*) filter (where d.status = 'FAILED') as failed,
      count(*) filter (where d.status in ('PENDING', 'RETRYING')) as open
    from deliveries d
    where d.account_id = ${account_id} and d.event_id >= ${firstIdAt(range.since_ms)}
    group by 1
  `.execute(db);
  return rows;
}

export type AttemptBucket = {
  index: number;
  attempts: number;
  failures: number;
  percentiles: [p50: number, p95: number, p99: number];
};

/** Attempts of events since then, by when the attempt was made, with their durations in milliseconds. */
export async function attemptBuckets(
  db: Db,
  account_id: string,
  scope: StatsScope,
  range: StatsRange,
): Promise<AttemptBucket[]> {
  const { rows } = await sql<AttemptBucket>`
    select floor((extract(epoch from a.started_at) * 1000 - ${range.since_ms}::bigint) / ${range.bucket_ms}::bigint)::int as index,
      count(*) as attempts, count(*) filter (where a.reason is not null) as failures,
      percentile_disc(array[0.5, 0.95, 0.99]) within group (order by a.duration_ms) as percentiles
    ${attempts(account_id, scope, range)}
    group by 1 order by 1
  `.execute(db);
  return rows;
}

export type CodeCount = { status: number | null; reason: string | null; count: number };

/** What receivers answered; without an answer, why there was none. The most frequent first. */
export async function codeCounts(
  db: Db,
  account_id: string,
  scope: StatsScope,
  range: StatsRange,
): Promise<CodeCount[]> {
  const { rows } = await sql<CodeCount>`
    select a.response_status as status, case when a.response_status is null then a.reason end as reason, count(*) as count
    ${attempts(account_id, scope, range)}
    group by 1, 2 order by 3 desc, 1 limit 20
  `.execute(db);
  return rows;
}

function attempts(account_id: string, scope: StatsScope, { since_ms }: StatsRange) {
  const from = firstIdAt(since_ms);
  const isScoped = scope.trigger_id !== undefined || scope.destination_id !== undefined;
  // Only a delivery knows where an attempt went, and the figures of all ask for nothing else of it.
  const ofDelivery = sql`join deliveries d
      on d.account_id = a.account_id and d.event_id = a.event_id and d.delivery_id = a.delivery_id and d.event_id >= ${from}`;
  return sql`
    from attempts a ${isScoped ? ofDelivery : sql``}
    where a.account_id = ${account_id} and a.event_id >= ${from}
      and a.started_at >= to_timestamp(${since_ms / 1000}::float8) and ${scoped('d', scope)}`;
}
