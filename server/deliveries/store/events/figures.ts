/**
 * Rollups of events and their outcomes: the charts of a month over millions of events read a few hundred rows.
 *
 * Events, their deliveries and their attempts all count for the minute in which the event was received. A settled
 * minute is rolled up once (`seconds` 60): for the account, for each trigger and for each destination. Minutes are
 * rolled up into half hours and then deleted, and half hours into three hours. Everything before `until_ms` is rolled
 * up; later events are counted by each query (event-stats.ts).
 *
 * A later change of an event in such a minute (a retry, a replay, a disabled destination) records the minute in
 * `stale_figures`, in the same transaction. Its half hour is then counted again from the events. Stored counts are
 * never incremented, so errors cannot accumulate. An event that is finished within its first minute, the usual case,
 * causes no extra writes.
 */
import { type RawBuilder, sql } from 'kysely';
import { DURATION_EDGES } from '../../../lib/durations.ts';
import { firstIdAt, msOf } from '../../../lib/ids.ts';
import type { Db, Tx } from '../../../platform/database/schema.ts';

const MINUTE_MS = 60_000;
const [HALF_HOUR, WIDEST] = [1800, 10_800];
const HALF_HOUR_MS = HALF_HOUR * 1000;
const WIDEST_MS = WIDEST * 1000;
/** Retention of minutes: longer than the chart of an hour, and than an unfinished half hour. */
const MINUTES_KEPT_MS = 4 * 3_600_000;
/** Bucket sizes, widest first. */
export const SIZES_MS = [WIDEST_MS, HALF_HOUR_MS, MINUTE_MS] as const;
const DAY_MS = 86_400_000;
/** The longest chart and a margin. */
const KEPT_DAYS = 31;

/** Upper limit of the duration of a transaction that changes an event in its first minute, and of clock differences. */
const SETTLED_MS = 120_000;
const CHANGED_LATE_MS = 60_000;
/** Size of one step. */
const STEP_MINUTES = 15;
const STEP_HALF_HOURS = 2;
const STALE_AT_ONCE = 10;

const EDGES = sql.lit(`{${DURATION_EDGES.join(',')}}`);
const msIn = (id: RawBuilder<unknown>) => sql`('x' || translate(left(${id}::text, 13), '-', ''))::bit(48)::bigint`;
/** The time in an id, rounded down to the minute. */
export const minuteOf = (id: RawBuilder<unknown>) => sql`(${msIn(id)} / 60000 * 60000)`;
/** The class of a duration; see lib/durations.ts. */
const durationClass = (ms: RawBuilder<unknown>) => sql`width_bucket(${ms}, ${EDGES}::int[])`;
const cut = (ms: number, to: number) => Math.floor(ms / to) * to;

/** Whether this event's minute may already be rolled up when its deliveries change. */
export const isLate = ({ event_id }: { event_id: string }): boolean => msOf(event_id) < Date.now() - CHANGED_LATE_MS;

/** Part of a statement that changes deliveries: records the minutes of its late rows (the CTE `rows`). */
export const noteLate = (rows: string): RawBuilder<unknown> => sql`
  insert into stale_figures (account_id, at_ms)
  select distinct account_id, ${minuteOf(sql`event_id`)} from ${sql.table(rows)}
  where event_id < ${firstIdAt(Date.now() - CHANGED_LATE_MS)}::uuid`;

/** The time up to which everything is rolled up. */
export async function rolledUpUntil(db: Db): Promise<number> {
  const { rows } = await sql<{ until_ms: number }>`select until_ms from figures_state`.execute(db);
  return rows[0]?.until_ms ?? 0;
}

/**
 * Rolls up the next part of the settled minutes and of the changed ones; returns whether more is left. If several nodes
 * run it at once, all but one find nothing to do. `nowMs` defaults to the database's time.
 */
export async function rollUp(db: Db, nowMs?: number): Promise<boolean> {
  const { rows } = await sql<{ until_ms: number; now_ms: number; stale: boolean }>`
    select until_ms, (extract(epoch from now()) * 1000)::float8 as now_ms,
      exists (select from stale_figures) as stale from figures_state`.execute(db);
  const [state] = rows;
  if (!state) return false;
  const settled = cut((nowMs ?? state.now_ms) - SETTLED_MS, MINUTE_MS);
  const isBehind = state.until_ms !== settled && (await underLock(db, (tx, until) => advance(tx, until, settled)));
  const isStale = state.stale && (await underLock(db, (tx, until) => renew(tx, until)));
  return isBehind || isStale;
}

async function underLock(db: Db, work: (tx: Tx, until: number) => Promise<boolean>): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ until_ms: number }>`
      select until_ms from figures_state for update skip locked`.execute(tx);
    if (!rows[0]) return false;
    // A busy half hour of a large account exceeds the normal statement timeout.
    await sql`set local statement_timeout = '120s'`.execute(tx);
    return work(tx, rows[0].until_ms);
  });
}

/** Rolls up the next settled minutes; directly into half hours if they are older than the retention of minutes. */
async function advance(tx: Tx, before: number, settled: number): Promise<boolean> {
  const from = await startOf(tx, before, settled);
  const past = cut(settled - MINUTES_KEPT_MS, HALF_HOUR_MS);
  let until: number;
  if (from < past) {
    const first = cut(from, HALF_HOUR_MS);
    until = Math.min(past, first + STEP_HALF_HOURS * HALF_HOUR_MS);
    await replace(tx, HALF_HOUR, await spansOfAll(tx, first, until), counted(HALF_HOUR));
  } else {
    until = Math.min(settled, from + STEP_MINUTES * MINUTE_MS);
    await replace(tx, 60, await spansOfAll(tx, from, until), counted(60));
    const halfHours = await spansOfAll(tx, cut(from, HALF_HOUR_MS), cut(until, HALF_HOUR_MS));
    await replace(tx, HALF_HOUR, halfHours, fromFiner(60, HALF_HOUR));
    if (halfHours.length > 0) await forget(tx, [60], until - MINUTES_KEPT_MS);
  }
  const widest = await spansOfAll(tx, cut(from, WIDEST_MS), cut(until, WIDEST_MS));
  await replace(tx, WIDEST, widest, fromFiner(HALF_HOUR, WIDEST));
  await sql`update figures_state set until_ms = ${until}`.execute(tx);
  return until < settled;
}

/**
 * Recounts the half hours in `stale_figures`. Their rows are deleted first, so that later changes are recorded again.
 */
async function renew(tx: Tx, until: number): Promise<boolean> {
  const { rows } = await sql<{ account_id: string; at_ms: number }>`
    delete from stale_figures where (account_id, at_ms / ${HALF_HOUR_MS}::bigint) in (
      select account_id, at_ms / ${HALF_HOUR_MS}::bigint from stale_figures group by 1, 2 limit ${STALE_AT_ONCE})
    returning account_id, at_ms`.execute(tx);
  const known = rows.filter(({ at_ms }) => at_ms < until && at_ms >= oldest(until));
  const spans = (ms: number): Span[] =>
    distinct(known.map(({ account_id, at_ms }) => ({ account_id, from: cut(at_ms, ms), to: cut(at_ms, ms) + ms })));
  const whole = (ms: number) => spans(ms).filter(({ to }) => to <= until);
  const recent = spans(MINUTE_MS).filter(({ from }) => from >= until - MINUTES_KEPT_MS);
  await replace(tx, 60, recent, counted(60));
  await replace(tx, HALF_HOUR, whole(HALF_HOUR_MS), counted(HALF_HOUR));
  await replace(tx, WIDEST, whole(WIDEST_MS), fromFiner(HALF_HOUR, WIDEST));
  const { rows: left } = await sql`select from stale_figures limit 1`.execute(tx);
  return left.length > 0;
}

/** Deletes rollups older than the longest chart, and those of days that retention has removed. */
export async function dropOldFigures(db: Db, retentionDays: number, nowMs: number): Promise<void> {
  const before = Math.max(oldest(nowMs), cut(nowMs - retentionDays * DAY_MS, DAY_MS));
  await forget(db, [60, HALF_HOUR, WIDEST], before);
}

async function forget(db: Db | Tx, sizes: number[], before: number): Promise<void> {
  for (const table of ['event_figures', 'attempt_figures'] as const)
    await sql`delete from ${sql.table(table)} f using accounts a, unnest(${sizes}::int[]) s(seconds)
      where f.account_id = a.account_id and f.seconds = s.seconds and f.at_ms < ${before}`.execute(db);
}

const oldest = (nowMs: number) => cut(nowMs - KEPT_DAYS * DAY_MS, WIDEST_MS);

/**
 * Where to continue. Initially, the first event that a chart can show. If the clock was ahead, minutes that were
 * wrongly considered settled are rolled up again.
 */
async function startOf(tx: Tx, until: number, settled: number): Promise<number> {
  if (until >= oldest(settled)) return Math.min(until, settled);
  const { rows } = await sql<{ event_id: string }>`
    select first.event_id from accounts a cross join lateral (
      select e.event_id from events e where e.account_id = a.account_id and e.event_id >= ${firstIdAt(oldest(settled))}
      order by e.event_id limit 1) first
    order by 1 limit 1`.execute(tx);
  return rows[0] ? Math.min(settled, cut(msOf(rows[0].event_id), WIDEST_MS)) : settled;
}

/**
 * Records for a recount the half hours between the first event that a chart can show and the first rollup: earlier
 * versions deleted rollups after a week.
 */
export async function noteUncounted(db: Db): Promise<void> {
  const until = await rolledUpUntil(db);
  if (until === 0) return;
  const halfHour = sql`${HALF_HOUR_MS}::bigint`;
  await sql`
    insert into stale_figures (account_id, at_ms)
    select a.account_id, missing.at_ms from accounts a
    cross join lateral (
      select ${minuteOf(sql`e.event_id`)} as at_ms from events e
      where e.account_id = a.account_id and e.event_id >= ${firstIdAt(oldest(until))} order by e.event_id limit 1) first
    left join lateral (
      select f.at_ms from event_figures f where f.account_id = a.account_id and f.seconds = ${WIDEST}
      order by f.at_ms limit 1) stored on true
    cross join lateral generate_series(
      first.at_ms / ${halfHour} * ${halfHour}, coalesce(stored.at_ms, ${until}::bigint) - 1, ${halfHour}) missing(at_ms)`.execute(
    db,
  );
}

type Span = { account_id: string; from: number; to: number };

async function spansOfAll(tx: Tx, from: number, to: number): Promise<Span[]> {
  if (to <= from) return [];
  const accounts = await tx.selectFrom('accounts').select('account_id').execute();
  return accounts.map(({ account_id }) => ({ account_id, from, to }));
}

const distinct = (spans: Span[]): Span[] => [
  ...new Map(spans.map((span) => [`${span.account_id} ${span.from}`, span])).values(),
];

type Bounds = { first: string; end: string };
type Rows = Record<'event_figures' | 'attempt_figures', (bounds: Bounds) => RawBuilder<unknown>>;

async function replace(tx: Tx, seconds: number, spans: Span[], rows: Rows): Promise<void> {
  if (spans.length === 0) return;
  const given = spans.map((span) => ({ ...span, from_id: firstIdAt(span.from), to_id: firstIdAt(span.to) }));
  const s = sql`json_to_recordset(${JSON.stringify(given)}::json)
    as s(account_id uuid, "from" bigint, "to" bigint, from_id uuid, to_id uuid)`;
  // Explicit bounds for partition pruning, which the planner cannot derive from the join.
  const bounds = {
    first: firstIdAt(Math.min(...spans.map(({ from }) => from))),
    end: firstIdAt(Math.max(...spans.map(({ to }) => to))),
  };
  for (const table of ['event_figures', 'attempt_figures'] as const) {
    await sql`delete from ${sql.table(table)} f using ${s}
      where f.account_id = s.account_id and f.seconds = ${seconds} and f.at_ms >= s."from" and f.at_ms < s."to"`.execute(
      tx,
    );
    await sql`with s as materialized (select * from ${s})
      insert into ${sql.table(table)} (account_id, seconds, at_ms, trigger_id, destination_id, ${COLUMNS[table]})
      ${rows[table](bounds)}`.execute(tx);
  }
}

const COLUMNS = {
  event_figures: sql`events, succeeded, failed, open, skipped`,
  attempt_figures: sql`made_ms, response_status, reason, failed, attempts, durations, counts`,
};
const SUMS = sql`sum(events), sum(succeeded), sum(failed), sum(open), sum(skipped)`;
const ATTEMPT_SUMS = sql`sum(n), array_agg(duration order by duration), array_agg(n order by duration)`;

/** Grouped three times: for the account, for each trigger, for each destination. */
const EACH = sql`grouping sets ((), (trigger_id), (trigger_id, destination_id))`;
const bucketOf = (column: string, seconds: number) =>
  sql`(${sql.ref(column)} / ${seconds * 1000}::bigint * ${seconds * 1000}::bigint)`;

/** Rows counted from the events. */
const counted = (seconds: number): Rows => ({
  event_figures: ({ first, end }) => sql`
    select account_id, ${seconds}::int, at_ms, trigger_id, destination_id, ${SUMS} from (
      select account_id, ${bucketOf('at_ms', seconds)} as at_ms, trigger_id, null::uuid as destination_id, count(*) as events,
        0 as succeeded, 0 as failed, 0 as open, 0 as skipped
      from s cross join lateral (
        select ${minuteOf(sql`e.event_id`)} as at_ms, e.trigger_id from events e
        where e.account_id = s.account_id and e.event_id >= s.from_id and e.event_id < s.to_id
          and e.event_id >= ${first} and e.event_id < ${end} offset 0) e
      group by account_id, 2, grouping sets ((), (trigger_id))
      union all
      select account_id, ${bucketOf('at_ms', seconds)} as at_ms, trigger_id, destination_id,
        case when grouping(destination_id) = 0 then count(*) else 0 end,
        count(*) filter (where status = 'SUCCEEDED'), count(*) filter (where status = 'FAILED'),
        count(*) filter (where status in ('PENDING', 'RETRYING')),
        count(*) filter (where status in ('SKIPPED', 'CANCELED'))
      from s cross join lateral (
        select ${minuteOf(sql`d.event_id`)} as at_ms, d.trigger_id, d.destination_id, d.status from deliveries d
        where d.account_id = s.account_id and d.event_id >= s.from_id and d.event_id < s.to_id
          and d.event_id >= ${first} and d.event_id < ${end} offset 0) d
      group by account_id, 2, ${EACH}) f
    group by account_id, at_ms, trigger_id, destination_id`,
  attempt_figures: ({ first, end }) => sql`
    select account_id, ${seconds}::int, at_ms, trigger_id, destination_id, made_ms, response_status, reason, failed,
      ${ATTEMPT_SUMS}
    from (
      select account_id, ${bucketOf('at_ms', seconds)} as at_ms, trigger_id, destination_id,
        ${bucketOf('made_ms', seconds)} as made_ms, response_status, reason, failed, duration, count(*) as n
      from s cross join lateral (
        select ${minuteOf(sql`d.event_id`)} as at_ms, d.trigger_id, d.destination_id, ${attemptColumns} from deliveries d
        join attempts a on a.account_id = d.account_id and a.event_id = d.event_id and a.delivery_id = d.delivery_id
        where d.account_id = s.account_id and d.event_id >= s.from_id and d.event_id < s.to_id
          and a.account_id = s.account_id and a.event_id >= s.from_id and a.event_id < s.to_id
          and d.event_id >= ${first} and d.event_id < ${end} and a.event_id >= ${first} and a.event_id < ${end}
        offset 0) a
      group by account_id, 2, 5, response_status, reason, failed, duration, ${EACH}) n
    group by account_id, at_ms, trigger_id, destination_id, made_ms, response_status, reason, failed`,
});

/** Columns of an attempt `a`: the minute in which it was made, its result, and its duration. */
export const attemptColumns = sql`
  floor(extract(epoch from a.started_at) / 60)::bigint * 60000 as made_ms, a.response_status,
  case when a.response_status is null then a.reason end as reason, a.reason is not null as failed,
  ${durationClass(sql`a.duration_ms`)} as duration`;

/** Rows computed from finer buckets. */
function fromFiner(finer: number, seconds: number): Rows {
  const within = (table: string) => sql`s join ${sql.table(table)} f
    on f.account_id = s.account_id and f.seconds = ${finer} and f.at_ms >= s."from" and f.at_ms < s."to"`;
  return {
    event_figures: () => sql`
      select f.account_id, ${seconds}::int, ${bucketOf('f.at_ms', seconds)}, f.trigger_id, f.destination_id, ${SUMS}
      from ${within('event_figures')} group by f.account_id, 3, f.trigger_id, f.destination_id`,
    attempt_figures: () => sql`
      select account_id, ${seconds}::int, at_ms, trigger_id, destination_id, made_ms, response_status, reason, failed,
        ${ATTEMPT_SUMS}
      from (
        select f.account_id, ${bucketOf('f.at_ms', seconds)} as at_ms, f.trigger_id, f.destination_id,
          ${bucketOf('f.made_ms', seconds)} as made_ms, f.response_status, f.reason, f.failed, u.duration, sum(u.n) as n
        from ${within('attempt_figures')} cross join lateral unnest(f.durations, f.counts) u(duration, n)
        group by f.account_id, 2, f.trigger_id, f.destination_id, 5, f.response_status, f.reason, f.failed, u.duration) n
      group by account_id, at_ms, trigger_id, destination_id, made_ms, response_status, reason, failed`,
  };
}
