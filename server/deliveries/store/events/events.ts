import { type RawBuilder, sql } from 'kysely';
import { LISTED_PAYLOAD_MAX_BYTES } from '../../../../contract/limits.ts';
import type { DeliveryReason, DeliveryStatus } from '../../../../contract/states.ts';
import type { RequestValues } from '../../../../contract/text/request-values.ts';
import { firstIdAt } from '../../../lib/ids.ts';
import type { Db, EventsTable, Tx } from '../../../platform/database/schema.ts';
import { isHeld } from '../queue/held-deliveries.ts';
import { searchTerms } from '../search/search-terms.ts';

export type EventRow = Omit<EventsTable, 'xid' | 'request_id'> & {
  trigger_name: string;
  source: string;
  event_type: string;
  /** Null unless it is pinned. */
  pinned_at: string | null;
  pinned_by: string | null;
  pin_note: string | null;
};

export type EventFilter = {
  trigger_id?: string | undefined;
  source?: string | undefined;
  event_ids?: string[] | undefined;
  /** Events of this bulk replay. */
  replay_id?: string | undefined;
  /** Edited copies of this event. */
  replay_of?: string | undefined;
  pinned?: boolean | undefined;
  /** Only events after this one. */
  since_id?: string | undefined;
  /** With a delivery that has this status, this destination, or this last response (`404`, `5xx`, `none`). */
  status?: DeliveryStatus | undefined;
  destination_id?: string | undefined;
  /** With a delivery held by its circuit breaker. `or_held`: with one that has `status` or is held. */
  held?: boolean | undefined;
  or_held?: boolean | undefined;
  response_status?: string | undefined;
  reason?: DeliveryReason | undefined;
  received_after?: string | undefined;
  received_before?: string | undefined;
  /** Text or conditions on fields; see contract/text/event-search.ts. */
  q?: string | undefined;
};

/** Limits the rows that are read; the limits apply to events and their deliveries. */
export type Within = { from?: string | undefined; before?: string | undefined; ids?: string[] };

/** A row of a list: the payload is null if it is too large for one. */
export type ListedEvent = Omit<EventRow, 'payload'> & { payload: string | null };

/** Events of existing triggers, newest first, after the event `before` if given. */
export async function list(
  db: Db,
  account_id: string,
  filter: EventFilter,
  page: { limit: number; before?: string | undefined },
  within: Within = {},
): Promise<ListedEvent[]> {
  let query = selectRows(db)
    .select(LISTED_PAYLOAD)
    .where('e.account_id', '=', account_id)
    .where(matching(filter, within));
  if (page.before) query = query.where('e.event_id', '<', page.before);
  return query.orderBy('e.event_id', 'desc').limit(page.limit).execute();
}

/** The ids of the same events. */
export async function listIds(
  db: Db,
  account_id: string,
  filter: EventFilter,
  page: { limit: number; before?: string | undefined },
  within: Within = {},
): Promise<{ event_id: string }[]> {
  let query = db
    .selectFrom('events as e')
    .innerJoin('triggers as t', (on) =>
      on.onRef('t.account_id', '=', 'e.account_id').onRef('t.trigger_id', '=', 'e.trigger_id'),
    )
    .select('e.event_id')
    .where('e.account_id', '=', account_id)
    .where(matching(filter, within));
  if (page.before) query = query.where('e.event_id', '<', page.before);
  return query.orderBy('e.event_id', 'desc').limit(page.limit).execute();
}

/** The conditions of a filter for the event `e` and its trigger `t`. */
export function matching(filter: EventFilter, within: Within = {}): RawBuilder<boolean> {
  const terms = [...timeTerms(filter, 'e'), ...withinTerms(within, 'e')];
  if (filter.trigger_id) terms.push(sql`e.trigger_id = ${filter.trigger_id}`);
  if (filter.source) terms.push(sql`t.source = ${filter.source}`);
  if (filter.event_ids) terms.push(sql`e.event_id = any(${filter.event_ids}::uuid[])`);
  if (filter.replay_of) terms.push(sql`e.replay_of = ${filter.replay_of}`);
  if (filter.pinned)
    terms.push(sql`exists (select from pinned_events n where n.account_id = e.account_id and n.event_id = e.event_id)`);
  if (filter.since_id) terms.push(settled);
  if (filter.received_after) terms.push(sql`e.received_at >= ${filter.received_after}`);
  if (filter.received_before) terms.push(sql`e.received_at < ${filter.received_before}`);
  if (filter.q) terms.push(...searchTerms(filter.q));
  if (filter.replay_id)
    terms.push(sql`exists (select from replay_items i where i.account_id = e.account_id
      and i.replay_id = ${filter.replay_id} and i.event_id = e.event_id)`);
  const ofDelivery = deliveryTerms(filter);
  if (ofDelivery.length > 0)
    terms.push(sql`exists (select from deliveries d where d.account_id = e.account_id and d.event_id = e.event_id
      and ${sql.join([...ofDelivery, ...withinTerms(within, 'd')], sql` and `)})`);
  return sql<boolean>`(${sql.join(terms, sql` and `)})`;
}

/**
 * The conditions of a time range for the id of events `e`, deliveries `d` or replay items `i`, which select partitions.
 */
export function timeTerms(
  { since_id, received_after, received_before }: EventFilter,
  alias: 'e' | 'd' | 'i',
): RawBuilder<unknown>[] {
  const id = sql.ref(`${alias}.event_id`);
  const terms: RawBuilder<unknown>[] = [sql`true`];
  if (since_id) terms.push(sql`${id} > ${since_id}`);
  if (received_after) terms.push(sql`${id} >= ${idAround(received_after, -MARGIN_MS)}`);
  if (received_before) terms.push(sql`${id} < ${idAround(received_before, MARGIN_MS)}`);
  return terms;
}

/** The id that all events of the filter's time range have or exceed; undefined without a beginning. */
export function firstIdOf({ since_id, received_after }: EventFilter): string | undefined {
  const ids = [since_id, received_after && idAround(received_after, -MARGIN_MS)].filter((id) => id !== undefined);
  return ids.sort().at(-1);
}

function withinTerms({ from, before, ids }: Within, alias: 'e' | 'd'): RawBuilder<unknown>[] {
  const id = sql.ref(`${alias}.event_id`);
  const terms: RawBuilder<unknown>[] = [];
  if (from) terms.push(sql`${id} >= ${from}`);
  if (before) terms.push(sql`${id} < ${before}`);
  if (ids) terms.push(sql`${id} = any(${ids}::uuid[])`);
  return terms;
}

/** The conditions that one delivery `d` must meet together. */
export function deliveryTerms(filter: EventFilter): RawBuilder<unknown>[] {
  const { status, destination_id, response_status, reason, held, or_held } = filter;
  const terms: RawBuilder<unknown>[] = [];
  if (status) terms.push(or_held ? sql`(d.status = ${status} or ${isHeld('d')})` : sql`d.status = ${status}`);
  if (held) terms.push(isHeld('d'));
  if (reason) terms.push(sql`d.reason = ${reason}`);
  if (destination_id) terms.push(sql`d.destination_id = ${destination_id}`);
  if (response_status === 'none') terms.push(sql`d.last_response_status is null and d.attempts > 0`);
  else if (response_status?.endsWith('xx')) {
    const from = Number(response_status[0]) * 100;
    terms.push(sql`d.last_response_status >= ${from} and d.last_response_status < ${from + 100}`);
  } else if (response_status) terms.push(sql`d.last_response_status = ${Number(response_status)}`);
  return terms;
}

export async function find(
  db: Db | Tx,
  account_id: string,
  trigger_id: string,
  event_id: string,
): Promise<EventRow | undefined> {
  return selectRows(db)
    .select('e.payload')
    .where('e.account_id', '=', account_id)
    .where('e.trigger_id', '=', trigger_id)
    .where('e.event_id', '=', event_id)
    .executeTakeFirst();
}

/** The request of an event as stored: its values, and the bytes of its body. */
export type StoredRequest = RequestValues & { size: number };

/** The requests of these events, by event id. Events without one are missing. */
export async function requestsOf(
  db: Db | Tx,
  account_id: string,
  event_ids: string[],
): Promise<Map<string, StoredRequest>> {
  if (event_ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('event_requests')
    .select(['event_id', 'request'])
    .where('account_id', '=', account_id)
    .where('event_id', 'in', event_ids)
    .execute();
  return new Map(rows.map(({ event_id, request }) => [event_id, JSON.parse(request) as StoredRequest]));
}

/** The exact body of an event's request; null if there is none, or if it is no longer stored. */
export async function requestBodyOf(db: Db | Tx, account_id: string, event_id: string): Promise<Buffer | null> {
  const { rows } = await sql<{ body: Buffer | null; payload: string | null }>`
    select coalesce(q.body, f.body) as body, case when q.body is null and q.body_of is null then e.payload end as payload
    from event_requests q
    join events e on e.account_id = q.account_id and e.event_id = q.event_id
    left join event_requests f on f.account_id = q.account_id and f.event_id = q.body_of
    where q.account_id = ${account_id} and q.event_id = ${event_id}`.execute(db);
  const [row] = rows;
  if (!row) return null;
  return row.body ?? (row.payload === null ? null : Buffer.from(row.payload));
}

/**
 * Events committed before every open transaction began: a reader that continues from an id never skips an event with an
 * earlier id and a later commit. Transactions of events never last 20 s, so longer ones are ignored.
 */
const settled = sql<boolean>`(e.xid < pg_snapshot_xmin(pg_current_snapshot()) or e.received_at < now() - interval '20 seconds')`;

const LISTED_PAYLOAD = sql<string | null>`
  case when octet_length(e.payload) <= ${sql.lit(LISTED_PAYLOAD_MAX_BYTES)} then e.payload end`.as('payload');

const selectRows = (db: Db | Tx) =>
  db
    .selectFrom('events as e')
    .innerJoin('triggers as t', (on) =>
      on.onRef('t.account_id', '=', 'e.account_id').onRef('t.trigger_id', '=', 'e.trigger_id'),
    )
    .leftJoin('pinned_events as n', (on) =>
      on.onRef('n.account_id', '=', 'e.account_id').onRef('n.event_id', '=', 'e.event_id'),
    )
    .select([
      'n.pinned_at',
      'n.pinned_by',
      'n.note as pin_note',
      'e.account_id',
      'e.event_id',
      'e.trigger_id',
      'e.received_at',
      'e.replay_of',
      'e.traceparent',
      'e.tracestate',
      't.name as trigger_name',
      't.source',
      't.event_type',
    ]);

/** An id contains the approximate time of receipt; with a margin it determines the partitions. */
const MARGIN_MS = 60_000;
const idAround = (time: string, marginMs: number) => firstIdAt(Math.max(0, Date.parse(time) + marginMs));
