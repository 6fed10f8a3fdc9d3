/**
 * The deliveries that a problem affects: those that failed with it, and those that its destinations missed since because
 * they were disabled. Read in windows of events, newest first, as replay-gathering.ts reads those of a filter.
 */
import { type RawBuilder, sql } from 'kysely';
import type { LeftOut } from '../../../../contract/states.ts';
import type { Db, DestinationsTable, Tx } from '../../../platform/database/schema.ts';

/** A problem, and when it failed first. */
export type ProblemSource = { problem_id: string; first_seen_at: string };

/** Deliveries of a window by destination. `left_out`: why they are not sent again; null: they are. */
export type AffectedCount = {
  destination_id: string | null;
  destination_name: string | null;
  left_out: LeftOut | null;
  deliveries: number;
  events: number;
  oldest: string;
  newest: string;
};

const destinationsOf = (account_id: string, problem_id: string) => sql`
  select resource_id from problem_parts
  where account_id = ${account_id} and problem_id = ${problem_id} and kind = 'DESTINATION'`;

const isMissed = (alias: string, { first_seen_at }: ProblemSource) => sql`
  ${sql.ref(`${alias}.status`)} = 'SKIPPED' and ${sql.ref(`${alias}.reason`)} = 'DESTINATION_DISABLED'
  and ${sql.ref(`${alias}.finished_at`)} >= ${first_seen_at}::timestamptz`;

/** The next events of the problem before `before`, at least `size` unless it has no more; `last` as in event-walk.ts. */
export async function eventsOf(
  db: Db | Tx,
  account_id: string,
  problem: ProblemSource,
  before: string | undefined,
  size: number,
): Promise<{ ids: string[]; last: string | undefined }> {
  const isBefore = (alias: string) =>
    before === undefined ? sql`true` : sql`${sql.ref(`${alias}.event_id`)} < ${before}`;
  const { rows } = await sql<{ event_id: string }>`
    with failed as (
      select distinct f.event_id from problem_failures f
      where f.account_id = ${account_id} and f.problem_id = ${problem.problem_id} and f.event_id is not null
        and ${isBefore('f')}
      order by f.event_id desc limit ${size}
    ), missed as (
      select distinct d.event_id from deliveries d
      where d.account_id = ${account_id} and ${isMissed('d', problem)} and ${isBefore('d')}
        and d.destination_id in (${destinationsOf(account_id, problem.problem_id)})
      order by d.event_id desc limit ${size}
    )
    select event_id from (select * from failed union select * from missed) e order by event_id desc limit ${size}
  `.execute(db);
  const ids = rows.map(({ event_id }) => event_id);
  return { ids, last: ids.length < size ? undefined : ids.at(-1) };
}

/**
 * The affected deliveries of these events, with the reason why one is left out. A delivery is the only one of its event
 * at its destination; of an event and its edited copies, the newest copy is sent.
 */
export function affected(account_id: string, problem: ProblemSource, ids: string[]): RawBuilder<unknown> {
  const sorted = ids.toSorted();
  const failed = (event_id: RawBuilder<unknown>, delivery_id: RawBuilder<unknown>) => sql`exists (
    select from problem_failures f where f.account_id = ${account_id} and f.problem_id = ${problem.problem_id}
      and f.event_id = ${event_id} and f.delivery_id = ${delivery_id})`;
  return sql`
    select d.event_id, d.delivery_id, d.destination_id, d.destination_name, d.status, d.last_response_status,
      case
        when d.status = 'SUCCEEDED' then 'SUCCEEDED' when d.status = 'PENDING' then 'IN_PROGRESS'
        when d.status = 'CANCELED' then 'CANCELED'
        when d.status = 'SKIPPED' and d.reason is distinct from 'DESTINATION_DISABLED' then 'SKIPPED'
        when t.destination_id is null then 'DESTINATION_DELETED' when t.status = 'DISABLED' then 'DESTINATION_DISABLED'
        when exists (
          select from events c
          join deliveries s on s.account_id = c.account_id and s.event_id = c.event_id
            and s.destination_id = d.destination_id
          where c.account_id = ${account_id} and c.replay_of = coalesce(e.replay_of, e.event_id)
            and c.event_id > e.event_id and (s.status = 'SUCCEEDED' or s.status in ('FAILED', 'RETRYING')
              and ${failed(sql`s.event_id`, sql`s.delivery_id`)})
        ) then 'EDITED'
      end as left_out
    from unnest(${ids}::uuid[]) i(event_id)
    join events e on e.account_id = ${account_id} and e.event_id = i.event_id
    cross join lateral (
      select * from deliveries
      where account_id = ${account_id} and event_id = i.event_id
        and event_id >= ${sorted[0]} and event_id <= ${sorted.at(-1)} offset 0) d
    left join destinations t on t.account_id = ${account_id} and t.destination_id = d.destination_id
    where ${failed(sql`d.event_id`, sql`d.delivery_id`)}
      or (${isMissed('d', problem)} and d.destination_id in (${destinationsOf(account_id, problem.problem_id)}))`;
}

/** The deliveries to send again, for the statements of replay-gathering.ts. */
export const toSend = (account_id: string, rows: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  from (${rows}) o join events e on e.account_id = ${account_id} and e.event_id = o.event_id
  where o.left_out is null`;

/** Counts the affected deliveries of these events. */
export async function countAffected(
  db: Db | Tx,
  account_id: string,
  problem: ProblemSource,
  ids: string[],
): Promise<AffectedCount[]> {
  const { rows } = await sql<AffectedCount>`
    select destination_id, max(destination_name) as destination_name, left_out, count(*)::int as deliveries,
      count(distinct event_id)::int as events, min(event_id::text) as oldest, max(event_id::text) as newest
    from (${affected(account_id, problem, ids)}) o group by destination_id, left_out
    union all
    select null, null, 'NOT_STORED', count(distinct f.delivery_id)::int, count(distinct f.event_id)::int,
      min(f.event_id::text), max(f.event_id::text)
    from problem_failures f
    where f.account_id = ${account_id} and f.problem_id = ${problem.problem_id} and f.event_id = any(${ids}::uuid[])
      and f.delivery_id is not null and not exists (
        select from deliveries d
        join events e on e.account_id = d.account_id and e.event_id = d.event_id
        where d.account_id = f.account_id and d.event_id = f.event_id and d.delivery_id = f.delivery_id)
    having count(*) > 0
  `.execute(db);
  return rows;
}

/** Failures of the problem without a delivery, by kind: they have nothing that can be sent again. */
export async function countOthers(
  db: Db | Tx,
  account_id: string,
  problem_id: string,
): Promise<{ left_out: LeftOut; count: number }[]> {
  const { rows } = await sql<{ left_out: LeftOut; count: number }>`
    select case kind when 'REJECTION' then 'REJECTED_REQUEST' when 'RUN' then 'RUN' when 'CALL' then 'CALL' else 'OTHER' end
      as left_out, count(*)::int as count
    from problem_failures
    where account_id = ${account_id} and problem_id = ${problem_id} and delivery_id is null
      -- A call of a run that is counted as a delivery, or as a run.
      and (kind <> 'CALL' or run_id is null)
    group by 1
  `.execute(db);
  return rows;
}

export type PaceRow = Pick<DestinationsTable, 'rate_requests' | 'rate_per' | 'max_in_flight'> & {
  destination_id: string;
  name: string;
  paused_at: string | null;
  circuit_open_until: string | null;
  /** The mean of the last responses; null without one. */
  duration_ms: number | null;
};

/** The limits of destinations, and how fast they responded last. */
export async function pacesOf(db: Db, account_id: string, destination_ids: string[]): Promise<PaceRow[]> {
  const { rows } = await sql<PaceRow>`
    select t.destination_id, t.name, t.paused_at, t.rate_requests, t.rate_per, t.max_in_flight,
      case when t.circuit_open_until > now() then t.circuit_open_until end as circuit_open_until, r.duration_ms
    from destinations t cross join lateral (
      select avg(last_response_duration)::float8 as duration_ms from (
        select last_response_duration from deliveries
        where account_id = ${account_id} and destination_id = t.destination_id order by event_id desc limit 50) d
    ) r
    where t.account_id = ${account_id} and t.destination_id = any(${destination_ids}::uuid[])
  `.execute(db);
  return rows;
}

/** The replay of this problem that has not ended, if any. */
export async function activeReplay(db: Db | Tx, account_id: string, problem_id: string): Promise<string | undefined> {
  const { rows } = await sql<{ replay_id: string }>`
    select replay_id from replays where account_id = ${account_id} and problem_id = ${problem_id}
      and status in ('RUNNING', 'PAUSED') limit 1`.execute(db);
  return rows[0]?.replay_id;
}

/** The number of these events that have a delivery to send again. */
export async function countEventsToSend(
  db: Db | Tx,
  account_id: string,
  problem: ProblemSource,
  ids: string[],
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct o.event_id)::int as count ${toSend(account_id, affected(account_id, problem, ids))}`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}
