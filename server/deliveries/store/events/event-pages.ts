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
import { searchOf } from './event-search.ts';
import { eventsFrom, excludesSucceeded, isWalked, walk, withoutWalked } from './event-walk.ts';
import { type EventFilter, type ListedEvent, list, type Within } from './events.ts';

/** `next`: the event after which the next page starts; null at the end. */
export type EventPage = { rows: ListedEvent[]; next: string | null };

const BUDGET_MS = 18;
/** For a search: while the page is empty, and after its first row. */
const SEARCH_EMPTY_MS = 800;
const SEARCH_MS = 250;
/** Narrow where payloads are read, which may be large; wide where an index is sufficient. */
const FIRST_WINDOW = { text: 100, unwell: 1600, other: 400 };
const WIDEST_WINDOW = 1600;

export async function page(
  db: Db,
  account_id: string,
  filter: EventFilter,
  { limit, before, budgetMs }: { limit: number; before?: string | undefined; budgetMs?: number },
): Promise<EventPage> {
  const kind = filter.q !== undefined ? 'text' : excludesSucceeded(filter) && !filter.replay_id ? 'unwell' : 'other';
  const budgets =
    filter.q === undefined
      ? { budgetMs: budgetMs ?? BUDGET_MS }
      : { budgetMs: budgetMs ?? SEARCH_MS, emptyBudgetMs: budgetMs ?? SEARCH_EMPTY_MS };
  const windows = { limit, before, ...budgets, first: FIRST_WINDOW[kind], widest: WIDEST_WINDOW };
  const plain = async (at: string | undefined, size: number, wanted: number) => {
    const { within, filter: rest, last } = await windowOf(db, account_id, filter, at, { size, wanted });
    const isEmpty = within.ids?.length === 0;
    return { rows: isEmpty ? [] : await list(db, account_id, rest, { limit: wanted, before: at }, within), last };
  };
  const read = searchOf(db, account_id, filter, plain) ?? plain;
  return pageInWindows<ListedEvent>({ ...windows, idOf: ({ event_id }) => event_id }, read);
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
