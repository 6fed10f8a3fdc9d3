/** Rejected requests, and schedules that missed times. */
import { sql } from 'kysely';
import type { RejectionCause } from '../../../contract/states.ts';
import { firstIdAt } from '../../lib/ids.ts';
import type { Tx } from '../../platform/database/schema.ts';

export type Rejecting = {
  trigger_id: string;
  name: string;
  source: string;
  last_event_at: string | null;
  /** Rejected requests in the window. */
  count: number;
  first_id: string;
  last_id: string;
  cause: RejectionCause;
  message: string;
};
const NEWEST = 20_000;

/** Rejected requests since `fromMs`, by trigger; only those since `windowMs` are counted. */
export async function rejecting(tx: Tx, account_id: string, fromMs: number, windowMs: number): Promise<Rejecting[]> {
  const { rows } = await sql<Rejecting>`
    with r as (
      select trigger_id, rejection_id from rejections
      where account_id = ${account_id} and rejection_id >= ${firstIdAt(fromMs)} order by rejection_id desc limit ${NEWEST}
    ), counted as (
      select trigger_id, count(*) filter (where rejection_id >= ${firstIdAt(windowMs)}::uuid)::int as count,
        (array_agg(rejection_id order by rejection_id))[1] as first_id,
        (array_agg(rejection_id order by rejection_id desc))[1] as last_id
      from r group by trigger_id
    )
    select c.*, t.name, t.source, t.last_event_at, l.cause, l.message
    from counted c
    join triggers t on t.account_id = ${account_id} and t.trigger_id = c.trigger_id
    join rejections l on l.account_id = ${account_id} and l.rejection_id = c.last_id
      and l.rejection_id >= ${firstIdAt(fromMs)}
    order by c.last_id
  `.execute(tx);
  return rows;
}

/** The ids of those triggers that exist. */
export async function existing(tx: Tx, account_id: string, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await tx
    .selectFrom('triggers')
    .select('trigger_id')
    .where('account_id', '=', account_id)
    .where('trigger_id', 'in', ids)
    .execute();
  return new Set(rows.map(({ trigger_id }) => trigger_id));
}

/** A schedule that fired with missed times. */
export type Missed = { trigger_id: string; name: string; missed_at: string; missed: string };

/** Schedules that fired with missed times after `since`, in order. */
export async function missedSince(tx: Tx, account_id: string, since: string, limit: number): Promise<Missed[]> {
  const { rows } = await sql<Missed>`
    select trigger_id, name, missed_at, missed from triggers
    where account_id = ${account_id} and missed_at > ${since}::timestamptz and missed is not null
    order by missed_at limit ${limit}
  `.execute(tx);
  return rows;
}

/** Whether a schedule of the account has not fired yet although it is due. */
export async function hasOverdue(tx: Tx, account_id: string): Promise<boolean> {
  const { rows } = await sql`
    select from triggers where account_id = ${account_id} and next_fire_at < now() - interval '1 second' limit 1
  `.execute(tx);
  return rows.length > 0;
}
