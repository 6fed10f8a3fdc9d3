/**
 * Which deliveries a bulk replay is about, found in stretches of events, newest first, each as wide as the time that is
 * left allows: no filter, and no number of events, makes a single question long (event-pages.ts does the same for
 * lists). A caller that stops keeps the event before which the next stretch begins; what comes in meanwhile is newer
 * and never met.
 */
import { type RawBuilder, sql } from 'kysely';
import type { DeliveryStatus } from '../../../contract/states.ts';
import { nextSize } from '../../lib/windows.ts';
import type { Db, Tx } from '../../platform/database/schema.ts';
import { eventsFrom, isWalked, walk, withoutWalked } from './event-walk.ts';
import { type EventFilter, matching, type Within } from './events.ts';
import { isHeld } from './held-deliveries.ts';
import type { Candidate } from './replays.ts';

/** Which deliveries of the events that a filter finds. */
export type Choice = {
  destination_ids?: string[] | undefined;
  statuses?: DeliveryStatus[] | undefined;
  /** Beside `statuses`: those that the circuit breaker holds. */
  held?: boolean | undefined;
  /** Of those SKIPPED, the ones that were since then because their destination was disabled. */
  missed_since?: string | undefined;
};
export type Wish = { filter: EventFilter; choice: Choice };
export type Found = { events: number; deliveries: number };

const FIRST_STRETCH = 400;
const WIDEST_STRETCH = 6400;

/** Hands out the candidates of one stretch after the other until the time is up or `take` has had enough. */
export async function gather(
  db: Db | Tx,
  account_id: string,
  wish: Wish,
  { before, budgetMs }: { before: string | undefined; budgetMs: number },
  take: (candidates: RawBuilder<unknown>) => Promise<boolean>,
): Promise<string | null> {
  const stopMs = performance.now() + budgetMs;
  let at = before;
  let size = FIRST_STRETCH;
  for (;;) {
    const startedMs = performance.now();
    const { last, candidates } = await stretch(db, account_id, wish, at, size);
    const more = candidates ? await take(candidates) : true;
    const nowMs = performance.now();
    if (last === undefined) return null;
    if (!more || nowMs > stopMs) return last;
    at = last;
    size = nextSize(size, nowMs - startedMs, stopMs - nowMs, WIDEST_STRETCH);
  }
}

/** How many they are, among the candidates of a stretch. */
export async function count(db: Db | Tx, candidates: RawBuilder<unknown>): Promise<Found> {
  const { rows } = await sql<Found>`
    select count(distinct e.event_id) as events, count(*) as deliveries ${candidates}`.execute(db);
  return rows[0] ?? { events: 0, deliveries: 0 };
}

/** The oldest of them. */
export async function oldest(db: Db | Tx, candidates: RawBuilder<unknown>, limit: number): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select e.event_id, e.trigger_id, o.delivery_id, o.destination_id, o.destination_name, o.status,
      o.last_response_status ${candidates}
    order by e.event_id, o.destination_id limit ${limit}
  `.execute(db);
  return rows;
}

/** Makes items of a replay of them, as the deliveries are now. */
export async function insertItems(
  tx: Tx,
  account_id: string,
  replay_id: string,
  candidates: RawBuilder<unknown>,
): Promise<Found> {
  const { rows } = await sql<Found>`
    with made as (
      insert into replay_items (account_id, replay_id, event_id, delivery_id, destination_id, trigger_id, before_status,
        before_response_status, state)
      select ${account_id}::uuid, ${replay_id}::uuid, e.event_id, o.delivery_id, o.destination_id, e.trigger_id, o.status,
        o.last_response_status, 'WAITING' ${candidates}
      returning event_id)
    select count(distinct event_id) as events, count(*) as deliveries from made
  `.execute(tx);
  return rows[0] ?? { events: 0, deliveries: 0 };
}

/** Of how many events it has items by now. */
export async function countEvents(tx: Tx, account_id: string, replay_id: string): Promise<number> {
  const { rows } = await sql<{ events: number }>`
    select count(distinct event_id) as events from replay_items
    where account_id = ${account_id} and replay_id = ${replay_id}`.execute(tx);
  return rows[0]?.events ?? 0;
}

/** `last`: the last event that was looked at, undefined at the end; `candidates`: none where nothing was found. */
type Stretch = { last: string | undefined; candidates: RawBuilder<unknown> | undefined };

async function stretch(
  db: Db | Tx,
  account_id: string,
  { filter, choice }: Wish,
  before: string | undefined,
  size: number,
): Promise<Stretch> {
  if (filter.event_ids) {
    const left = [...new Set(filter.event_ids)].filter((id) => before === undefined || id < before).sort();
    const ids = left.slice(-size);
    return {
      last: left.length > size ? ids[0] : undefined,
      candidates: among(account_id, { filter, choice }, { ids }),
    };
  }
  const nearest = filter.replay_of ? filter : withChoice(filter, choice);
  if (!filter.replay_of && isWalked(nearest)) {
    const { ids, last } = await walk(db, account_id, nearest, before, size);
    const rest = { filter: withoutWalked(filter), choice };
    const candidates = ids.length > 0 ? among(account_id, rest, { ids }) : undefined;
    return { last, candidates };
  }
  const { last, isEmpty } = await eventsFrom(db, account_id, filter, before, size);
  const within = { from: last, before };
  return { last, candidates: isEmpty ? undefined : among(account_id, { filter, choice }, within) };
}

/** Where the filter asks nothing of deliveries, what is asked of the chosen ones leads nearer to them. */
function withChoice(filter: EventFilter, { statuses = [], destination_ids = [], held }: Choice): EventFilter {
  // of several statuses no one leads to the events of the others
  if (isWalked(filter) || (held && statuses.length > 1)) return filter;
  if (held) return { ...filter, ...(statuses[0] ? { status: statuses[0], or_held: true } : { held }) };
  return {
    ...filter,
    ...(statuses.length === 1 ? { status: statuses[0] } : {}),
    ...(destination_ids.length === 1 ? { destination_id: destination_ids[0] } : {}),
  };
}

function among(account_id: string, { filter, choice }: Wish, within: Within): RawBuilder<unknown> {
  const { from, before, ids } = within;
  const terms: RawBuilder<unknown>[] = [sql`e.account_id = ${account_id}`, matching(filter, within)];
  if (from) terms.push(sql`o.event_id >= ${from}`);
  if (before) terms.push(sql`o.event_id < ${before}`);
  if (choice.destination_ids) terms.push(sql`o.destination_id = any(${choice.destination_ids}::uuid[])`);
  const isOneOf = sql`o.status = any(${choice.statuses ?? []}::text[])`;
  if (choice.held) terms.push(sql`(${isOneOf} or ${isHeld('o')})`);
  else if (choice.statuses) terms.push(isOneOf);
  if (choice.missed_since)
    terms.push(
      sql`o.status = 'SKIPPED' and o.reason = 'DESTINATION_DISABLED' and o.finished_at >= ${choice.missed_since}`,
    );
  return sql`
    from events e
    join triggers t on t.account_id = e.account_id and t.trigger_id = e.trigger_id
    ${ids ? deliveriesOfEach(ids) : sql`join deliveries o on o.account_id = e.account_id and o.event_id = e.event_id`}
    where ${sql.join(terms, sql` and `)}`;
}

/**
 * Looks the deliveries up event by event. A list of the ids beside the join would be searched for each event: 1,600
 * events took 1.3 s. The range lets the planner leave out the days without these events.
 */
function deliveriesOfEach(ids: string[]): RawBuilder<unknown> {
  const sorted = ids.toSorted();
  return sql`cross join lateral (
    select d.* from deliveries d
    where d.account_id = e.account_id and d.event_id = e.event_id
      and d.event_id >= ${sorted[0]} and d.event_id <= ${sorted.at(-1)} offset 0) o`;
}
