/** Destinations that fail, are disabled, or have deliveries without retries. */
import { type RawBuilder, sql } from 'kysely';
import { firstIdAt } from '../../lib/ids.ts';
import type { DestinationsTable, Tx } from '../../platform/database/schema.ts';

export type DestinationState = Pick<
  DestinationsTable,
  | 'destination_id'
  | 'trigger_id'
  | 'name'
  | 'status'
  | 'reason'
  | 'failing_since'
  | 'failures'
  | 'disabled_at'
  | 'paused_at'
> & { trigger_name: string; source: string; last_exhausted_at: string | null };

/** The destinations of the account that fulfil the condition; `d` is the destination, `t` its trigger. */
async function select(
  tx: Tx,
  account_id: string,
  where: RawBuilder<unknown>,
  tail: RawBuilder<unknown> = sql``,
): Promise<DestinationState[]> {
  const { rows } = await sql<DestinationState>`
    select d.destination_id, d.trigger_id, d.name, d.status, d.reason, d.failing_since, d.failures, d.disabled_at, d.paused_at,
      d.last_exhausted_at, t.name as trigger_name, t.source
    from destinations d join triggers t using (account_id, trigger_id)
    where d.account_id = ${account_id} and ${where} ${tail}
  `.execute(tx);
  return rows;
}

export const withIds = (tx: Tx, account_id: string, ids: string[]): Promise<DestinationState[]> =>
  select(tx, account_id, sql`d.destination_id = any(${ids}::uuid[])`);

type Search = {
  /** Other destinations than these. */
  besides: string[];
  limit: number;
};

/** Destinations of other triggers than this one that were disabled automatically, the first disabled first. */
export const disabled = (
  tx: Tx,
  account_id: string,
  notOf: string,
  { besides, limit }: Search,
): Promise<DestinationState[]> =>
  select(
    tx,
    account_id,
    sql`d.trigger_id <> ${notOf} and d.status = 'DISABLED' and d.reason in ('GONE', 'FAILING')
      and d.destination_id <> all(${besides}::uuid[])`,
    sql`order by d.disabled_at limit ${limit}`,
  );

/** Enabled destinations with this number of failures in a row, the first failing first. Not those of notices. */
export const failing = (tx: Tx, account_id: string, after: number, search: Search): Promise<DestinationState[]> =>
  select(
    tx,
    account_id,
    sql`d.status = 'ENABLED' and d.failing_since is not null and d.failures >= ${after} and t.source <> 'sluice'
      and d.destination_id <> all(${search.besides}::uuid[])`,
    sql`order by d.failing_since limit ${search.limit}`,
  );

/** Enabled destinations of these that are not paused, without those of notices. */
export const enabledOf = (tx: Tx, account_id: string, ids: string[], limit: number): Promise<DestinationState[]> =>
  select(
    tx,
    account_id,
    sql`d.destination_id = any(${ids}::uuid[]) and d.status = 'ENABLED' and d.paused_at is null and t.source <> 'sluice'`,
    sql`order by d.destination_id limit ${limit}`,
  );

/** Destinations with a delivery that exhausted its retries after this time. Not those of notices. */
export const exhaustedSince = (
  tx: Tx,
  account_id: string,
  since: string,
  search: Search,
): Promise<DestinationState[]> =>
  select(
    tx,
    account_id,
    sql`d.last_exhausted_at > ${since}::timestamptz and t.source <> 'sluice'
      and d.destination_id <> all(${search.besides}::uuid[])`,
    sql`order by d.last_exhausted_at limit ${search.limit}`,
  );

const RECENT = 20;

/** The error of the last failed attempt of each destination, from its newest deliveries. */
export async function lastErrors(tx: Tx, account_id: string, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ destination_id: string; message: string }>`
    select i.id as destination_id, e.last_error_message as message
    from unnest(${ids}::uuid[]) i(id) cross join lateral (
      select n.last_error_message from (
        select d.last_error_message, d.last_attempt_at from deliveries d
        where d.account_id = ${account_id} and d.destination_id = i.id order by d.event_id desc limit ${RECENT}
      ) n where n.last_error_message is not null order by n.last_attempt_at desc nulls last limit 1
    ) e
  `.execute(tx);
  return new Map(rows.map(({ destination_id, message }) => [destination_id, message]));
}

export type Rate = { destination_id: string; attempts: number; failed: number };
const NEWEST = 5_000;
/** Statistics by minute are stored for longer than this; before, by half hour. */
const MINUTES_MS = 3 * 3_600_000;
const HALF_HOUR_MS = 1_800_000;

/**
 * Attempts per destination for events received since then: of whole minutes from the statistics, and of the minutes
 * since from the newest deliveries.
 */
export async function rates(tx: Tx, account_id: string, sinceMs: number): Promise<Rate[]> {
  const { rows: state } = await sql<{ until_ms: number }>`select until_ms from figures_state`.execute(tx);
  const untilMs = Math.max(sinceMs, state[0]?.until_ms ?? 0);
  const minutesMs = Math.floor((untilMs - MINUTES_MS) / HALF_HOUR_MS) * HALF_HOUR_MS;
  const stored = (seconds: number, from: number, to: number) => sql`
    select destination_id, attempts, case when failed then attempts else 0 end as failed from attempt_figures
    where account_id = ${account_id} and seconds = ${seconds} and at_ms >= ${from} and at_ms < ${to}
      and destination_id is not null`;
  const { rows } = await sql<Rate>`
    select destination_id, sum(attempts)::int as attempts, sum(failed)::int as failed from (
      ${stored(60, Math.max(sinceMs, minutesMs), untilMs)} union all ${stored(1800, sinceMs, minutesMs)} union all
      select destination_id, attempts, attempts - (status = 'SUCCEEDED')::int from (
        -- A leased delivery counts the attempt in flight.
        select destination_id, attempts - (leased_by is not null)::int as attempts, status from deliveries
        where account_id = ${account_id} and event_id >= ${firstIdAt(untilMs)} order by event_id desc limit ${NEWEST}
      ) n where attempts > 0
    ) r group by destination_id
  `.execute(tx);
  return rows;
}

/** The number of the account's newest 5,000 failed deliveries to this destination that ended since then. */
export async function failedSince(
  tx: Tx,
  account_id: string,
  destination_id: string,
  since: string,
  fromMs: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select destination_id, finished_at from deliveries
      where account_id = ${account_id} and status = 'FAILED' and event_id >= ${firstIdAt(fromMs)}
      order by event_id desc limit ${NEWEST}
    ) f where destination_id = ${destination_id} and finished_at >= ${since}::timestamptz
  `.execute(tx);
  return rows[0]?.count ?? 0;
}
