/** Charts of events: stored statistics (figures.ts), and for the time since, the events themselves. */
import { type RawBuilder, sql } from 'kysely';
import { durationOf } from '../../../lib/durations.ts';
import { firstIdAt } from '../../../lib/ids.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { attemptColumns, minuteOf, rolledUpUntil, SIZES_MS } from './figures.ts';

export type StatsScope = { trigger_id?: string | undefined; destination_id?: string | undefined };
export type StatsRange = { since_ms: number; bucket_ms: number };
/** A query, and the time up to which statistics are stored. */
type Query = { account_id: string; scope: StatsScope; range: StatsRange; until_ms: number };

const openQuery = async (db: Db, account_id: string, scope: StatsScope, range: StatsRange): Promise<Query> => ({
  account_id,
  scope,
  range,
  until_ms: Math.max(range.since_ms, await rolledUpUntil(db)),
});

export type EventBucket = {
  index: number;
  events: number;
  succeeded: number;
  failed: number;
  open: number;
  skipped: number;
};

/** Events by time of receipt, and their deliveries by current status. Buckets without events are omitted. */
export async function eventBuckets(
  db: Db,
  account_id: string,
  scope: StatsScope,
  range: StatsRange,
): Promise<EventBucket[]> {
  const query = await openQuery(db, account_id, scope, range);
  const { rows } = await sql<EventBucket>`
    select ${indexOf('at_ms', range)} as index, ${SUMS} from (
      ${stored(query, 'event_figures', levelOf(scope), COUNTS)}
      union all ${live(query)}
    ) f group by 1 order by 1
  `.execute(db);
  return rows;
}

export type TriggerBucket = EventBucket & { trigger_id: string };

/** The same for every trigger. */
export async function triggerBuckets(db: Db, account_id: string, range: StatsRange): Promise<TriggerBucket[]> {
  const query = await openQuery(db, account_id, {}, range);
  const { rows } = await sql<TriggerBucket>`
    select trigger_id, ${indexOf('at_ms', range)} as index, ${SUMS} from (
      ${stored(query, 'event_figures', sql`trigger_id is not null and destination_id is null`, COUNTS)}
      union all ${live(query)}
    ) f group by 1, 2 order by 1, 2
  `.execute(db);
  return rows;
}

/** Attempts for the events of that time: `status` of the response, or the `reason` if there was none. */
export type AttemptBucket = {
  index: number;
  status: number | null;
  reason: string | null;
  failed: boolean;
  attempts: number;
};

/** Attempts by time and result. */
export async function attemptBuckets(
  db: Db,
  account_id: string,
  scope: StatsScope,
  range: StatsRange,
): Promise<AttemptBucket[]> {
  const query = await openQuery(db, account_id, scope, range);
  const columns = sql`made_ms, response_status, reason, failed, attempts`;
  const { rows } = await sql<AttemptBucket>`
    select ${indexOf('made_ms', range)} as index, response_status as status, reason, failed, sum(attempts)::bigint as attempts
    from (
      ${stored(query, 'attempt_figures', levelOf(scope), columns)}
      union all select made_ms, response_status, reason, failed, 1 from (${liveAttempts(query)}) a
    ) f where made_ms >= ${range.since_ms} group by 1, 2, 3, 4
  `.execute(db);
  return rows;
}

export type DurationBucket = { index: number; percentiles: [p50: number, p95: number, p99: number] };

/** Percentiles of their duration, in milliseconds. */
export async function durationBuckets(
  db: Db,
  account_id: string,
  scope: StatsScope,
  range: StatsRange,
): Promise<DurationBucket[]> {
  const query = await openQuery(db, account_id, scope, range);
  const { rows } = await sql<{ index: number; classes: DurationBucket['percentiles'] }>`
    with f as (
      select ${indexOf('made_ms', range)} as index, duration, sum(n) as n from (
        select f.made_ms, u.duration, u.n from (
          ${stored(query, 'attempt_figures', levelOf(scope), sql`made_ms, durations, counts`)}
        ) f cross join lateral unnest(f.durations, f.counts) u(duration, n)
        union all select made_ms, duration, 1 from (${liveAttempts(query)}) a
      ) f where made_ms >= ${range.since_ms} group by 1, 2
    ), upto as (
      select index, duration, sum(n) over (partition by index order by duration) as n,
        sum(n) over (partition by index) as total from f
    )
    select index, array[${least(0.5)}, ${least(0.95)}, ${least(0.99)}] as classes from upto group by 1
  `.execute(db);
  const inMs = ([p50, p95, p99]: DurationBucket['percentiles']): DurationBucket['percentiles'] => [
    durationOf(p50),
    durationOf(p95),
    durationOf(p99),
  ];
  return rows.map(({ index, classes }) => ({ index, percentiles: inMs(classes) }));
}

/** The lowest duration class at which the cumulative share is reached. */
const least = (share: number) => sql`min(duration) filter (where n >= ${sql.lit(share)} * total)`;

const indexOf = (column: string, { since_ms, bucket_ms }: StatsRange) =>
  sql<number>`((${sql.ref(column)} - ${since_ms}::bigint) / ${bucket_ms}::bigint)::int`;

const COUNTS = sql`trigger_id, at_ms, events, succeeded, failed, open, skipped`;
const SUMS = sql`sum(events)::bigint as events, sum(succeeded)::bigint as succeeded, sum(failed)::bigint as failed,
  sum(open)::bigint as open, sum(skipped)::bigint as skipped`;

function levelOf({ trigger_id, destination_id }: StatsScope): RawBuilder<unknown> {
  const ofTrigger = trigger_id ? sql`trigger_id = ${trigger_id}` : sql`true`;
  if (destination_id) return sql`${ofTrigger} and destination_id = ${destination_id}`;
  return trigger_id ? sql`${ofTrigger} and destination_id is null` : sql`trigger_id is null and destination_id is null`;
}

/** Whole buckets as stored; the last one from finer buckets. */
function stored(
  { account_id, range: { since_ms, bucket_ms }, until_ms }: Query,
  table: 'event_figures' | 'attempt_figures',
  level: RawBuilder<unknown>,
  columns: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const parts: RawBuilder<unknown>[] = [];
  let from = since_ms;
  for (const ms of SIZES_MS) {
    const to = ms > bucket_ms ? from : Math.max(from, Math.floor(until_ms / ms) * ms);
    if (to > from)
      parts.push(sql`select ${columns} from ${sql.table(table)} where account_id = ${account_id} and seconds = ${ms / 1000}
        and at_ms >= ${from} and at_ms < ${to} and ${level}`);
    from = to;
  }
  if (parts.length === 0) return sql`select ${columns} from ${sql.table(table)} where false`;
  return sql.join(parts, sql` union all `);
}

/** Events since then, and their deliveries. */
function live({ account_id, scope, until_ms }: Query): RawBuilder<unknown> {
  const from = firstIdAt(until_ms);
  const { destination_id } = scope;
  // For one destination, each delivery counts as an event.
  const events = sql`
    select e.trigger_id, ${minuteOf(sql`e.event_id`)}, 1, 0, 0, 0, 0 from events e
    where e.account_id = ${account_id} and e.event_id >= ${from} and ${within('e', { trigger_id: scope.trigger_id })}
    union all`;
  return sql`${destination_id ? sql`` : events}
    select d.trigger_id, ${minuteOf(sql`d.event_id`)}, ${destination_id ? 1 : 0}::int, (d.status = 'SUCCEEDED')::int,
      (d.status = 'FAILED')::int, (d.status in ('PENDING', 'RETRYING'))::int, (d.status in ('SKIPPED', 'CANCELED'))::int
    from deliveries d where d.account_id = ${account_id} and d.event_id >= ${from} and ${within('d', scope)}`;
}

function liveAttempts({ account_id, scope, until_ms }: Query): RawBuilder<unknown> {
  const from = firstIdAt(until_ms);
  const isScoped = scope.trigger_id !== undefined || scope.destination_id !== undefined;
  // The destination of an attempt is stored in its delivery; statistics of the whole account do not need it.
  const ofDelivery = sql`join deliveries d
    on d.account_id = a.account_id and d.event_id = a.event_id and d.delivery_id = a.delivery_id and d.event_id >= ${from}`;
  return sql`select ${attemptColumns} from attempts a ${isScoped ? ofDelivery : sql``}
    where a.account_id = ${account_id} and a.event_id >= ${from} and ${within('d', scope)}`;
}

function within(alias: string, { trigger_id, destination_id }: StatsScope): RawBuilder<unknown> {
  const terms: RawBuilder<unknown>[] = [sql`true`];
  if (trigger_id) terms.push(sql`${sql.ref(`${alias}.trigger_id`)} = ${trigger_id}`);
  if (destination_id) terms.push(sql`${sql.ref(`${alias}.destination_id`)} = ${destination_id}`);
  return sql`(${sql.join(terms, sql` and `)})`;
}
