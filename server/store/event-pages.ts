/**
 * Pages of events, newest first, in about the same time whatever is asked for and however many there are. Where a filter
 * matches little, the way to the next event that does may be long: a page then ends before it is full, and says how far
 * it has looked; the next one goes on from there.
 *
 * What is looked through comes in windows that grow. Events to a destination, and those whose delivery did not succeed,
 * are found by an index of the deliveries; all others are looked at one after the other.
 */
import { sql } from 'kysely';
import { deliveryTerms, type EventFilter, type EventRow, list, timeTerms, type Within } from './events.ts';
import type { Db } from './schema.ts';

/** `next`: the event after which the next page goes on; null at the end. */
export type EventPage = { rows: EventRow[]; next: string | null };

const BUDGET_MS = 25;
const FIRST_WINDOW = 400;
const WIDEST_WINDOW = 6400;

export async function page(
  db: Db,
  account_id: string,
  filter: EventFilter,
  { limit, before, budgetMs = BUDGET_MS }: { limit: number; before?: string | undefined; budgetMs?: number },
): Promise<EventPage> {
  const stopMs = performance.now() + budgetMs;
  const rows: EventRow[] = [];
  let at = before;
  for (let size = FIRST_WINDOW; ; size = Math.min(size * 4, WIDEST_WINDOW)) {
    const window = await windowOf(db, account_id, filter, at, { size, limit });
    const more = { limit: limit + 1 - rows.length, before: at };
    rows.push(...(await list(db, account_id, window.filter, more, window.within)));
    if (rows.length > limit) return { rows: rows.slice(0, limit), next: rows[limit - 1]?.event_id ?? null };
    at = window.last;
    if (at === undefined || performance.now() > stopMs) return { rows, next: at ?? null };
  }
}

/** `filter`: what is still to be asked; `last`: the last event in it, undefined where it reaches to the end. */
type Window = { within: Within; filter: EventFilter; last: string | undefined };

async function windowOf(
  db: Db,
  account_id: string,
  filter: EventFilter,
  before: string | undefined,
  { size, limit }: { size: number; limit: number },
): Promise<Window> {
  // Few, and with an index of their own; or nothing that has to be looked for.
  if (filter.event_ids || filter.replay_id || filter.replay_of || isPlain(filter))
    return { within: {}, filter, last: undefined };
  if (!isByDelivery(filter)) {
    const last = await eventAfter(db, account_id, filter, before, size);
    return { within: { from: last, before }, filter, last };
  }
  const count = filter.q === undefined && filter.source === undefined ? limit + 1 : size;
  const ids = await byDelivery(db, account_id, filter, before, count);
  const { status: _, destination_id: __, response_status: ___, ...rest } = filter;
  const within = { ids: [...new Set(ids)] };
  return { within, filter: rest, last: ids.length < count ? undefined : ids.at(-1) };
}

const isPlain = ({ trigger_id, q, source, status, destination_id, response_status }: EventFilter) =>
  trigger_id !== undefined && [q, source, status, destination_id, response_status].every((each) => each === undefined);

/** There is an index of destinations, and one of the deliveries that did not succeed. */
const isByDelivery = ({ destination_id, status, response_status }: EventFilter): boolean =>
  destination_id !== undefined ||
  (status === undefined ? response_status !== undefined && !response_status.startsWith('2') : status !== 'SUCCEEDED');

/** The last of so many events that come before this one. */
async function eventAfter(
  db: Db,
  account_id: string,
  filter: EventFilter,
  before: string | undefined,
  size: number,
): Promise<string | undefined> {
  let query = db
    .selectFrom('events as e')
    .select('e.event_id')
    .where('e.account_id', '=', account_id)
    .where(sql<boolean>`${sql.join(timeTerms(filter, 'e'), sql` and `)}`);
  if (filter.trigger_id) query = query.where('e.trigger_id', '=', filter.trigger_id);
  if (before) query = query.where('e.event_id', '<', before);
  const row = await query
    .orderBy('e.event_id', 'desc')
    .offset(size - 1)
    .limit(1)
    .executeTakeFirst();
  return row?.event_id;
}

/** Events before this one with such a delivery; an event with several may stand there several times. */
async function byDelivery(
  db: Db,
  account_id: string,
  filter: EventFilter,
  before: string | undefined,
  size: number,
): Promise<string[]> {
  const terms = [...timeTerms(filter, 'd'), ...deliveryTerms(filter)];
  let query = db
    .selectFrom('deliveries as d')
    .select('d.event_id')
    .where('d.account_id', '=', account_id)
    .where(sql<boolean>`${sql.join(terms, sql` and `)}`);
  // Says that the index of those is enough.
  if (filter.status === undefined && filter.destination_id === undefined)
    query = query.where('d.status', '<>', 'SUCCEEDED');
  if (filter.trigger_id) query = query.where('d.trigger_id', '=', filter.trigger_id);
  if (before) query = query.where('d.event_id', '<', before);
  const rows = await query.orderBy('d.event_id', 'desc').limit(size).execute();
  return rows.map(({ event_id }) => event_id);
}
