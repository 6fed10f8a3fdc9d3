import { type RawBuilder, sql } from 'kysely';
import type { DeliveryStatus } from '../../../../contract/states.ts';
import type { Db, Tx } from '../../../platform/database/schema.ts';
import { deliveryTerms, type EventFilter, timeTerms } from './events.ts';

/** Whether the filter is evaluated by a search of deliveries or of the items of a replay. */
export const isWalked = ({ status, destination_id, response_status, reason, replay_id, held }: EventFilter): boolean =>
  [status, destination_id, response_status, reason, replay_id, held].some((each) => each !== undefined);

/** The conditions that remain after such a search. */
export function withoutWalked(filter: EventFilter): EventFilter {
  const {
    status: _,
    destination_id: __,
    response_status: ___,
    replay_id: ____,
    held: _____,
    or_held: ______,
    reason: _______,
    ...rest
  } = filter;
  return rest;
}

/** The last of the next `size` events after `before`; undefined at the end. */
export async function eventsFrom(
  db: Db | Tx,
  account_id: string,
  filter: EventFilter,
  before: string | undefined,
  size: number,
): Promise<{ last: string | undefined; isEmpty: boolean }> {
  const terms = [sql`e.account_id = ${account_id}`, ...timeTerms(filter, 'e')];
  if (filter.trigger_id) terms.push(sql`e.trigger_id = ${filter.trigger_id}`);
  if (filter.replay_of) terms.push(sql`e.replay_of = ${filter.replay_of}`);
  if (before) terms.push(sql`e.event_id < ${before}`);
  const { rows } = await sql<{ last: string | null; seen: number }>`
    with s as (select e.event_id from events e where ${sql.join(terms, sql` and `)}
      order by e.event_id desc limit ${size})
    select (select event_id from s order by event_id limit 1) as last, (select count(*) from s) as seen`.execute(db);
  const { last, seen } = rows[0] ?? { last: null, seen: 0 };
  return { last: seen < size ? undefined : (last ?? undefined), isEmpty: seen === 0 };
}

/** `last`: the last event read; undefined at the end. */
type Walked = { ids: string[]; last: string | undefined };

/**
 * Reads a limited number of deliveries, events or replay items along the most selective index, and returns the events
 * that match. The number of rows before the first match does not affect the time of one call.
 */
export async function walk(
  db: Db,
  account_id: string,
  filter: EventFilter,
  before: string | undefined,
  size: number,
): Promise<Walked> {
  const { rows } = await sql<{ ids: string[]; last: string | null; seen: number }>`
    with w as materialized (${windowQuery(account_id, filter, before, size)})
    select array(select event_id from w where fits group by event_id order by event_id desc) as ids,
      (select event_id from w order by event_id limit 1) as last, (select count(*) from w) as seen
  `.execute(db);
  const { ids, last, seen } = rows[0] ?? { ids: [], last: null, seen: 0 };
  return { ids, last: seen < size ? undefined : (last ?? undefined) };
}

const NOT_SUCCEEDED: DeliveryStatus[] = ['PENDING', 'RETRYING', 'FAILED', 'SKIPPED', 'CANCELED'];

const HELD: DeliveryStatus[] = ['PENDING', 'RETRYING'];

/** The statuses that a match can have. */
function statusesOf({ status, held, or_held }: EventFilter): DeliveryStatus[] {
  if (!status) return held ? HELD : NOT_SUCCEEDED;
  return or_held ? [...new Set([status, ...HELD])] : [status];
}

/** Whether no match has succeeded: one small index then has all the columns. */
export const excludesSucceeded = ({ status, response_status, reason, held }: EventFilter): boolean =>
  held === true ||
  (reason !== undefined && status === undefined) ||
  (status === undefined ? response_status !== undefined && !response_status.startsWith('2') : status !== 'SUCCEEDED');

/** With ties: the next window starts after the last event, so all its deliveries belong to this one. */
function windowQuery(
  account_id: string,
  filter: EventFilter,
  before: string | undefined,
  size: number,
): RawBuilder<unknown> {
  const { trigger_id, destination_id, replay_id } = filter;
  const asked = deliveryTerms(filter);
  if (replay_id) {
    const ofDelivery = sql`exists (select from deliveries d where d.account_id = i.account_id and d.event_id = i.event_id
      and ${and(asked)} offset 0)`;
    return sql`
      select i.event_id, ${asked.length > 0 ? ofDelivery : sql`true`} as fits from replay_items i
      where i.account_id = ${account_id} and i.replay_id = ${replay_id} and ${and(timeTerms(filter, 'i'))}
        and ${trigger_id ? sql`i.trigger_id = ${trigger_id}` : sql`true`}
        and ${before ? sql`i.event_id < ${before}` : sql`true`}
      order by i.event_id desc fetch first ${size} rows with ties`;
  }
  if (trigger_id) asked.push(sql`d.trigger_id = ${trigger_id}`);
  const along = (index: RawBuilder<unknown>) => sql`
    select d.event_id, ${and(asked)} as fits from deliveries d
    where d.account_id = ${account_id} and ${index} and ${and(timeTerms(filter, 'd'))}
      and ${before ? sql`d.event_id < ${before}` : sql`true`}
    order by d.event_id desc fetch first ${size} rows with ties`;
  if (excludesSucceeded(filter)) {
    // One scan per status: the index is ordered by status.
    return sql`
      select event_id, fits from unnest(${statusesOf(filter)}::text[]) s(status) cross join lateral (
        ${along(sql`d.status = s.status and d.status <> 'SUCCEEDED'`)}) each
      order by event_id desc fetch first ${size} rows with ties`;
  }
  if (destination_id !== undefined) return along(sql`d.destination_id = ${destination_id}`);
  return sql`
    select e.event_id, exists (select from deliveries d where d.account_id = e.account_id and d.event_id = e.event_id
      and ${and(asked)} offset 0) as fits
    from events e
    where e.account_id = ${account_id} and ${trigger_id ? sql`e.trigger_id = ${trigger_id}` : sql`true`}
      and ${and(timeTerms(filter, 'e'))} and ${before ? sql`e.event_id < ${before}` : sql`true`}
    order by e.event_id desc limit ${size}`;
}

const and = (terms: RawBuilder<unknown>[]) => sql`(${sql.join(terms, sql` and `)})`;
