/**
 * Pages of events, newest first. The time per page is about the same for any filter and any number of events. If a
 * filter matches little, a page ends before it is full and returns the position of the search; the next page continues
 * from it.
 *
 * The search reads windows along an index; each window is as wide as the remaining time allows (event-walk.ts for
 * conditions on deliveries). A text is searched in the blocks of the search index (event-search.ts), and a page of such
 * a search takes longer, so that few requests read the whole history.
 */
import { pageInWindows } from '../../../lib/windows.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { type ReadRows, searchOf } from './event-search.ts';
import { eventsFrom, excludesSucceeded, isWalked, walk, withoutWalked } from './event-walk.ts';
import { type EventFilter, type ListedEvent, list, listIds, type Within } from './events.ts';
import { idsOf } from './pins.ts';

/** `next`: the event after which the next page starts; null at the end. */
export type EventPage = { rows: ListedEvent[]; next: string | null };

const BUDGET_MS = 18;
/** For a search: while the page is empty, and after its first row. */
const SEARCH_EMPTY_MS = 800;
const SEARCH_MS = 400;
/** Narrow where payloads are read, which may be large; wide where an index is sufficient. */
const FIRST_WINDOW = { text: 100, unwell: 1600, other: 400 };
const WIDEST_WINDOW = 1600;

export async function page(
  db: Db,
  account_id: string,
  filter: EventFilter,
  { limit, before, budgetMs }: { limit: number; before?: string | undefined; budgetMs?: number },
): Promise<EventPage> {
  return search(db, account_id, filter, { limit, before, budgetMs }, list);
}

/** Counts the events that match, up to `max`, newest first until the time is up. `at_least`: more may match. */
export async function count(
  db: Db,
  account_id: string,
  filter: EventFilter,
  { max, budgetMs }: { max: number; budgetMs: number },
): Promise<{ count: number; at_least: boolean }> {
  const { rows, next } = await search(db, account_id, filter, { limit: max, before: undefined, budgetMs }, listIds);
  return { count: rows.length, at_least: next !== null };
}

async function search<Row extends { event_id: string }>(
  db: Db,
  account_id: string,
  given: EventFilter,
  { limit, before, budgetMs }: { limit: number; before: string | undefined; budgetMs: number | undefined },
  read: ReadRows<Row>,
): Promise<{ rows: Row[]; next: string | null }> {
  const filter = await withPinned(db, account_id, given);
  const kind = filter.q !== undefined ? 'text' : excludesSucceeded(filter) && !filter.replay_id ? 'unwell' : 'other';
  const budgets =
    filter.q === undefined
      ? { budgetMs: budgetMs ?? BUDGET_MS }
      : { budgetMs: budgetMs ?? SEARCH_MS, emptyBudgetMs: budgetMs ?? SEARCH_EMPTY_MS };
  const windows = { limit, before, ...budgets, first: FIRST_WINDOW[kind], widest: WIDEST_WINDOW };
  const plain = async (at: string | undefined, size: number, wanted: number) => {
    const { within, filter: rest, last } = await windowOf(db, account_id, filter, at, { size, wanted });
    const isEmpty = within.ids?.length === 0;
    return { rows: isEmpty ? [] : await read(db, account_id, rest, { limit: wanted, before: at }, within), last };
  };
  const window = searchOf(db, account_id, filter, { plain, read }) ?? plain;
  return pageInWindows<Row>({ ...windows, idOf: ({ event_id }) => event_id }, window);
}

/** Pinned events are few, so they are selected by id. */
async function withPinned(db: Db, account_id: string, { pinned, ...filter }: EventFilter): Promise<EventFilter> {
  if (!pinned) return filter;
  const ids = new Set(await idsOf(db, account_id));
  return { ...filter, event_ids: filter.event_ids?.filter((id) => ids.has(id)) ?? [...ids] };
}

/** `filter`: the remaining conditions. `last`: the last event of the window; undefined if it reaches the end. */
type Window = { within: Within; filter: EventFilter; last: string | undefined };

async function windowOf(
  db: Db,
  account_id: string,
  filter: EventFilter,
  before: string | undefined,
  { size, wanted }: { size: number; wanted: number },
): Promise<Window> {
  // Few events, found by a dedicated index; or no condition that needs a search.
  if (filter.event_ids || filter.replay_of || isPlain(filter)) return { within: {}, filter, last: undefined };
  if (!isWalked(filter)) {
    const { last } = await eventsFrom(db, account_id, filter, before, size);
    return { within: { from: last, before }, filter, last };
  }
  const { ids, last } = await walk(db, account_id, filter, before, size);
  // If nearly all events match, the list of ids would be longer than the page.
  const isEnough = filter.q === undefined && filter.source === undefined && ids.length > wanted;
  const within = { ids: isEnough ? ids.slice(0, wanted) : ids };
  return { within, filter: withoutWalked(filter), last: isEnough ? within.ids.at(-1) : last };
}

const isPlain = (filter: EventFilter) =>
  filter.trigger_id !== undefined && filter.q === undefined && filter.source === undefined && !isWalked(filter);
