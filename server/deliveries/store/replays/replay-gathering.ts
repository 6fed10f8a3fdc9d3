/**
 * Selects the deliveries of a bulk replay, in stretches of events, newest first. Each stretch is as wide as the
 * remaining time allows, so no filter and no number of events makes a single query long (event-pages.ts does the same
 * for lists). A caller that stops stores the event before which the next stretch begins; later events are newer and
 * never selected.
 */
import { type RawBuilder, sql } from 'kysely';
import type { DeliveryStatus } from '../../../../contract/states.ts';
import { nextSize } from '../../../lib/windows.ts';
import type { Db, Tx } from '../../../platform/database/schema.ts';
import { eventsFrom, isWalked, walk, withoutWalked } from '../events/event-walk.ts';
import { type EventFilter, matching, type Within } from '../events/events.ts';
import { isHeld } from '../queue/held-deliveries.ts';
import { affected, eventsOf, type ProblemSource, toSend } from './problem-deliveries.ts';
import type { Candidate } from './replays.ts';

/** The deliveries to select from the matching events. */
export type Choice = {
  destination_ids?: string[] | undefined;
  statuses?: DeliveryStatus[] | undefined;
  /** In addition to `statuses`: deliveries held by a circuit breaker. */
  held?: boolean | undefined;
  /** Of the SKIPPED deliveries, those skipped since then because their destination was disabled. */
  missed_since?: string | undefined;
  /** Not those that succeeded, were skipped by a filter, or have an edited copy that succeeded. */
  undelivered?: boolean | undefined;
};
/** `problem`: the deliveries that it affects, instead of those that match. */
export type Selection = { filter: EventFilter; choice: Choice; problem?: ProblemSource | undefined };
export type Found = { events: number; deliveries: number };

const FIRST_STRETCH = 400;
const WIDEST_STRETCH = 6400;

/**
 * Passes the candidates of each stretch to `take`, until the time is up or `take` returns false; of a problem with the
 * ids of its events.
 */
export async function gather(
  db: Db | Tx,
  account_id: string,
  selection: Selection,
  { before, budgetMs }: { before: string | undefined; budgetMs: number },
  take: (candidates: RawBuilder<unknown>, ids: string[]) => Promise<boolean>,
): Promise<string | null> {
  const stopMs = performance.now() + budgetMs;
  let at = before;
  let size = FIRST_STRETCH;
  for (;;) {
    const startedMs = performance.now();
    const { last, candidates, ids = [] } = await stretch(db, account_id, selection, at, size);
    const more = candidates ? await take(candidates, ids) : true;
    const nowMs = performance.now();
    if (last === undefined) return null;
    if (!more || nowMs > stopMs) return last;
    at = last;
    size = nextSize(size, nowMs - startedMs, stopMs - nowMs, WIDEST_STRETCH);
  }
}

/** Counts the candidates of a stretch. */
export async function count(db: Db | Tx, candidates: RawBuilder<unknown>): Promise<Found> {
  const { rows } = await sql<Found>`
    select count(distinct e.event_id) as events, count(*) as deliveries ${candidates}`.execute(db);
  return rows[0] ?? { events: 0, deliveries: 0 };
}

/** The oldest candidates. */
export async function oldest(db: Db | Tx, candidates: RawBuilder<unknown>, limit: number): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select e.event_id, e.trigger_id, o.delivery_id, o.destination_id, o.destination_name, o.status,
      o.last_response_status ${candidates}
    order by e.event_id, o.destination_id limit ${limit}
  `.execute(db);
  return rows;
}

/** Creates items of a replay from the candidates, with the current status of their deliveries. */
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

/** The number of events that a replay has items of. */
export async function countEvents(tx: Tx, account_id: string, replay_id: string): Promise<number> {
  const { rows } = await sql<{ events: number }>`
    select count(distinct event_id) as events from replay_items
    where account_id = ${account_id} and replay_id = ${replay_id}`.execute(tx);
  return rows[0]?.events ?? 0;
}

/** `last`: the last event read, undefined at the end; `candidates`: undefined if nothing was found. */
type Stretch = { last: string | undefined; candidates: RawBuilder<unknown> | undefined; ids?: string[] };

async function stretch(
  db: Db | Tx,
  account_id: string,
  { filter, choice, problem }: Selection,
  before: string | undefined,
  size: number,
): Promise<Stretch> {
  if (problem) {
    const { ids, last } = await eventsOf(db, account_id, problem, before, size);
    const candidates = ids.length > 0 ? toSend(account_id, affected(account_id, problem, ids)) : undefined;
    return { last, candidates, ids };
  }
  if (filter.event_ids) {
    const left = [...new Set(filter.event_ids)].filter((id) => before === undefined || id < before).sort();
    const ids = left.slice(-size);
    return {
      last: left.length > size ? ids[0] : undefined,
      candidates: candidatesIn(account_id, { filter, choice }, { ids }),
    };
  }
  const nearest = filter.replay_of ? filter : withChoice(filter, choice);
  if (!filter.replay_of && isWalked(nearest)) {
    const { ids, last } = await walk(db, account_id, nearest, before, size);
    const rest = { filter: withoutWalked(filter), choice };
    const candidates = ids.length > 0 ? candidatesIn(account_id, rest, { ids }) : undefined;
    return { last, candidates };
  }
  const { last, isEmpty } = await eventsFrom(db, account_id, filter, before, size);
  const within = { from: last, before };
  return { last, candidates: isEmpty ? undefined : candidatesIn(account_id, { filter, choice }, within) };
}

/** A filter without conditions on deliveries gets those of the choice, which use a more selective index. */
function withChoice(filter: EventFilter, { statuses = [], destination_ids = [], held }: Choice): EventFilter {
  // a single status would miss events with only the other statuses
  if (isWalked(filter) || (held && statuses.length > 1)) return filter;
  if (held) return { ...filter, ...(statuses[0] ? { status: statuses[0], or_held: true } : { held }) };
  return {
    ...filter,
    ...(statuses.length === 1 ? { status: statuses[0] } : {}),
    ...(destination_ids.length === 1 ? { destination_id: destination_ids[0] } : {}),
  };
}

function candidatesIn(account_id: string, { filter, choice }: Selection, within: Within): RawBuilder<unknown> {
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
  if (choice.undelivered)
    terms.push(
      sql`o.status <> 'SUCCEEDED' and o.reason is distinct from 'FILTERED' and not ${hasCopy(account_id, within)}`,
    );
  return sql`
    from events e
    join triggers t on t.account_id = e.account_id and t.trigger_id = e.trigger_id
    ${ids ? deliveriesOfEach(ids) : sql`join deliveries o on o.account_id = e.account_id and o.event_id = e.event_id`}
    where ${sql.join(terms, sql` and `)}`;
}

/**
 * Whether an edited copy of the event was delivered to the destination. The subquery is the same for all rows, so it is
 * executed once, and reads only copies of events in the stretch.
 */
function hasCopy(account_id: string, { from, before, ids }: Within): RawBuilder<unknown> {
  const sorted = ids?.toSorted();
  const [first, last] = [sorted?.[0] ?? from, sorted?.at(-1)];
  return sql`(e.event_id, o.destination_id) in (
    select c.replay_of, s.destination_id from events c
    join deliveries s on s.account_id = c.account_id and s.event_id = c.event_id and s.status = 'SUCCEEDED'
    where c.account_id = ${account_id} and c.replay_of is not null
      ${first ? sql`and c.replay_of >= ${first}` : sql``} ${last ? sql`and c.replay_of <= ${last}` : sql``}
      ${!last && before ? sql`and c.replay_of < ${before}` : sql``})`;
}

/**
 * Joins the deliveries event by event. With a list of ids beside the join, the list would be searched for each event:
 * 1,600 events took 1.3 s. The range lets the planner skip the days without these events.
 */
function deliveriesOfEach(ids: string[]): RawBuilder<unknown> {
  const sorted = ids.toSorted();
  return sql`cross join lateral (
    select d.* from deliveries d
    where d.account_id = e.account_id and d.event_id = e.event_id
      and d.event_id >= ${sorted[0]} and d.event_id <= ${sorted.at(-1)} offset 0) o`;
}
