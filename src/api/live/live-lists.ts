/**
 * Live updates of the long lists of events, runs and calls, without refetching their pages.
 *
 * A list that the user is not reading (not scrolled, no pointer or focus on a row, no panel) gets new rows from a fresh
 * first page. While the user reads a list, new rows are only counted (list-reading.ts) until the user shows them.
 * Changed rows are fetched by id, many per request: visible ones now, the others when they come into view. A row that
 * no longer matches the filter stays, because the user may be looking at it.
 */
import type { InfiniteData, Query } from '@tanstack/react-query';
import { IDS_MAX, PAGE } from '../../../contract/limits.ts';
import type { LiveChange } from '../../../contract/live.ts';
import { call, send } from '../client.ts';
import type { EventDetail, EventRow, GatewayCall, LoggedCall, RunRow } from '../entities.ts';
import type { AnyInput, Reply } from '../operation.ts';
import { type LiveListOperation, liveLists } from '../queries.ts';
import { queryClient } from '../query-client.ts';
import { addWaiting, clearWaiting, type ListReading, readingOf } from './list-reading.ts';

type AnyCall = GatewayCall | LoggedCall;
type Row = EventRow | RunRow | AnyCall;
type Page = { events?: EventRow[]; runs?: RunRow[]; calls?: AnyCall[]; next_token: string | null };
type Pages = InfiniteData<Page, string | undefined>;

/** Rows beyond this number are dropped when new ones arrive while the user is not reading the list. */
const ROWS_KEPT = 500;
/** The number of rows to update if no table reports the visible ones: one page. */
const VISIBLE_ROWS = PAGE.events.default;
/** Above this number of new rows the longest page is fetched. */
const SHORT_HEAD = 40;

/** A list query with loaded data. */
type ListQuery = Query & {
  readonly queryKey: readonly [operation: LiveListOperation, input: AnyInput, kind: 'pages'];
  readonly state: { readonly data: Pages };
};

/** Whether this module updates the list of a query. */
export function isLiveList({ queryKey: [operation, , kind] }: Pick<Query, 'queryKey'>): boolean {
  return kind === 'pages' && liveLists.has(operation);
}
const isLoadedList = (query: Query): query is ListQuery => isLiveList(query) && query.state.data !== undefined;

const rowsOf = (page: Page): Row[] => page.events ?? page.runs ?? page.calls ?? [];
const isCall = (row: Row): row is AnyCall => 'call_id' in row;
const isEvent = (row: Row): row is EventRow => !isCall(row) && 'event_id' in row;
const isRun = (row: Row): row is RunRow => !isCall(row) && !isEvent(row);
function withRows(page: Page, rows: Row[]): Page {
  if (page.events) return { ...page, events: rows.filter(isEvent) };
  return page.runs ? { ...page, runs: rows.filter(isRun) } : { ...page, calls: rows.filter(isCall) };
}
function idOf(row: Row): string {
  if (isCall(row)) return row.call_id;
  return isEvent(row) ? row.event_id : row.run_id;
}

function listQueries(): ListQuery[] {
  return queryClient.getQueryCache().getAll().filter(isLoadedList);
}

function isAbout(change: LiveChange, [operation, input]: ListQuery['queryKey']): boolean {
  const params = input.params ?? {};
  const only = input.query?.['trigger_id'];
  if (change.noun === 'event' || change.noun === 'delivery') {
    if (operation === 'eventList') return params['trigger_id'] === change.trigger_id;
    return operation === 'eventListAll' && (only === undefined || only === change.trigger_id);
  }
  if (change.noun === 'call') {
    const connection = operation === 'callList' ? input.query?.['connection_id'] : params['connection_id'];
    if (operation === 'callList' && (connection === undefined || change.connection_id === null)) return true;
    return (operation === 'callList' || operation === 'connectionCallList') && connection === change.connection_id;
  }
  if (change.noun !== 'run') return false;
  return operation === 'runListAll' || (operation === 'runList' && params['function_id'] === change.function_id);
}

type Round = {
  /** Ids of new and changed rows that the changes name. */
  readonly changed: readonly string[];
  readonly reading: ListReading;
};

/**
 * Applies these changes to every displayed list; returns how many requests that took. Without changes it fetches stale
 * rows that came into view and new rows that are no longer held back.
 */
export async function refreshLists(changes: readonly LiveChange[]): Promise<number> {
  const queries = listQueries();
  const heads = queries.map(async (query) => {
    const round = { changed: changedIds(changes, query), reading: readingOf(query.queryHash) };
    return noteChanges(query, round) ? refreshHead(query, round) : 0;
  });
  const reads = (await Promise.all(heads)).reduce((sum, each) => sum + each, 0);
  return reads + (await readStaleRows());
}

/** Marks every list as possibly stale: its first page is fetched now, each row once it is visible. */
export function expireLists(): void {
  for (const query of listQueries()) {
    const reading = readingOf(query.queryHash);
    reading.behind = true;
    for (const id of idsIn(query.state.data)) reading.stale.add(id);
  }
}

/** Inserts the new rows of a list at the user's request, even while they are held back. */
export async function showNewRows(hash: string): Promise<void> {
  const query = listQueries().find(({ queryHash }) => queryHash === hash);
  const head = query && (await readHead(query, PAGE.events.max));
  if (query && head) putHead(query, head, { held: false });
}

/** Ids of rows of this list, loaded or not, that the changes name. */
function changedIds(changes: readonly LiveChange[], { queryKey }: ListQuery): string[] {
  const ids = new Set<string>();
  for (const change of changes) {
    if (!isAbout(change, queryKey)) continue;
    if ('event_id' in change) ids.add(change.event_id);
    else if ('run_id' in change) ids.add(change.run_id);
    else if (change.noun === 'call') ids.add('');
  }
  return [...ids];
}

/** Records the changes; returns whether the first page of the list must be fetched. */
function noteChanges(query: ListQuery, { changed, reading }: Round): boolean {
  const known = idsIn(query.state.data);
  for (const id of changed) if (known.has(id)) reading.stale.add(id);
  if (query.getObserversCount() === 0) {
    reading.behind ||= changed.length > 0 || reading.waiting.size > 0;
    return false;
  }
  if (!reading.held) return changed.length > 0 || reading.waiting.size > 0 || reading.behind;
  if (!reading.behind && isUnfiltered(query)) {
    // the changes name every new row: counted without a request
    const newest = newestOf(query.state.data);
    addWaiting(
      reading,
      changed.filter((id) => id > newest),
    );
    return false;
  }
  return reading.behind || changed.some((id) => !known.has(id));
}

/** Whether every new row belongs to this list: it is filtered by trigger, function or start time at most. */
function isUnfiltered({ queryKey: [operation, input] }: ListQuery): boolean {
  const { trigger_id: _, received_after: __, since: ___, ...filters } = input.query ?? {};
  const isOfCalls = operation === 'connectionCallList' || operation === 'callList';
  return !isOfCalls && Object.values(filters).every((value) => value === undefined);
}

async function refreshHead(query: ListQuery, { changed, reading }: Round): Promise<number> {
  const expected = changed.length + reading.waiting.size;
  const head = await readHead(query, expected > SHORT_HEAD || reading.behind ? PAGE.events.max : undefined);
  if (head) putHead(query, head, { held: reading.held });
  return 1;
}

async function readHead({ queryKey }: ListQuery, limit: number | undefined): Promise<Page | undefined> {
  const [operation, input] = queryKey;
  const query = { ...input.query, ...(limit === undefined ? {} : { limit }) };
  return send(operation, { ...input, query }).catch(() => undefined);
}

/** Merges a fresh first page, or only counts its new rows while they are held back. */
function putHead(query: ListQuery, head: Page, { held }: Pick<ListReading, 'held'>): void {
  const reading = readingOf(query.queryHash);
  const known = queryClient.getQueryData<Pages>(query.queryKey);
  if (!known) return;
  if (held) {
    const { ids, gap } = newRows(known, head);
    addWaiting(reading, ids);
    reading.waitingMore ||= gap;
    reading.behind = false;
    return;
  }
  const merged = mergeHead(known, head);
  const isLong = merged !== undefined && merged.pages.flatMap(rowsOf).length > ROWS_KEPT;
  const isWhole = rowsOf(head).length >= PAGE.events.default;
  queryClient.setQueryData<Pages>(
    query.queryKey,
    merged && !(isLong && isWhole) ? merged : { pages: [head], pageParams: [undefined] },
  );
  for (const row of rowsOf(head)) reading.stale.delete(idOf(row));
  clearWaiting(reading);
}

/** Ids of a fresh first page that the list lacks; `gap`: further rows are missing between the two. */
function newRows(known: Pages, head: Page): { ids: string[]; gap: boolean } {
  const seen = idsIn(known);
  const ids = rowsOf(head).map(idOf);
  const last = known.pages.at(-1);
  // rows after the last one loaded come with the next page
  const oldest = last?.next_token == null ? '' : (last && rowsOf(last).map(idOf).at(-1)) || '';
  return {
    ids: ids.filter((id) => !seen.has(id) && id > oldest),
    gap: seen.size > 0 && ids.length > 0 && head.next_token !== null && !ids.some((id) => seen.has(id)),
  };
}

/** Undefined if the fresh first page does not overlap the loaded rows. */
export function mergeHead(known: Pages, head: Page): Pages | undefined {
  const fresh = new Map(rowsOf(head).map((row) => [idOf(row), row]));
  // the search budget ended before a match was found: keep the loaded rows
  if (fresh.size === 0 && head.next_token !== null) return known;
  if (idsIn(known).size === 0) return { pages: [head], pageParams: [undefined] };
  const { ids, gap } = newRows(known, head);
  if (gap) return undefined;
  const added = new Set(ids);
  let rest = rowsOf(head).filter((row) => added.has(idOf(row)));
  const pages = known.pages.map((page, index) => {
    const rows = rowsOf(page).map((row) => fresh.get(idOf(row)) ?? row);
    const oldest = index === known.pages.length - 1 ? '' : (rows.map(idOf).at(-1) ?? '');
    const here = rest.filter((row) => idOf(row) > oldest);
    rest = rest.filter((row) => idOf(row) <= oldest);
    // ids sort by time, and lists are newest first
    return withRows(page, here.length === 0 ? rows : [...here, ...rows].sort((a, b) => (idOf(a) < idOf(b) ? 1 : -1)));
  });
  return { ...known, pages };
}

/** Fetches visible stale rows by id; returns how many requests that took. */
async function readStaleRows(): Promise<number> {
  const shown = listQueries().filter((query) => query.getObserversCount() > 0);
  const visibleStale = (kind: (page: Page) => unknown) => [
    ...new Set(shown.filter(({ state }) => state.data.pages.some(kind)).flatMap((query) => staleAmongVisible(query))),
  ];
  const event_ids = visibleStale(({ events }) => events).slice(0, IDS_MAX);
  const run_ids = visibleStale(({ runs }) => runs).slice(0, IDS_MAX);
  await Promise.all([
    event_ids.length > 0 ? readRows('eventListAll', event_ids) : undefined,
    run_ids.length > 0 ? readRows('runListAll', run_ids) : undefined,
  ]);
  return Number(event_ids.length > 0) + Number(run_ids.length > 0);
}

function staleAmongVisible({ queryHash, state }: ListQuery): string[] {
  const { stale, visible } = readingOf(queryHash);
  if (stale.size === 0) return [];
  const known = idsIn(state.data);
  return (visible ?? [...known].slice(0, VISIBLE_ROWS)).filter((id) => stale.has(id) && known.has(id));
}

async function readRows(operation: 'eventListAll' | 'runListAll', ids: readonly string[]): Promise<void> {
  const holders = listQueries().filter(({ state }) => ids.some((id) => idsIn(state.data).has(id)));
  // a change during the request makes them stale again
  for (const { queryHash } of holders) for (const id of ids) readingOf(queryHash).stale.delete(id);
  const query = { ids: ids.join(','), limit: IDS_MAX };
  const reply: Page | undefined = await call(operation, { query }).catch(() => undefined);
  if (!reply) {
    for (const query of holders) for (const id of ids) readingOf(query.queryHash).stale.add(id);
    return;
  }
  const fresh = new Map(rowsOf(reply).map((row) => [idOf(row), row]));
  changeRows(fresh.keys(), (row) => fresh.get(idOf(row)) ?? row);
}

const ids = new WeakMap<Pages, ReadonlySet<string>>();
function idsIn(data: Pages): ReadonlySet<string> {
  let known = ids.get(data);
  if (!known) {
    known = new Set(data.pages.flatMap(rowsOf).map(idOf));
    ids.set(data, known);
  }
  return known;
}

function newestOf(data: Pages): string {
  return data.pages.flatMap(rowsOf).map(idOf)[0] ?? '';
}

function changeRows(changed: Iterable<string>, change: (row: Row) => Row, queries = listQueries()): void {
  const wanted = new Set(changed);
  for (const query of queries) {
    queryClient.setQueryData<Pages>(query.queryKey, (pages) => {
      if (!pages || ![...wanted].some((id) => idsIn(pages).has(id))) return pages;
      return {
        ...pages,
        pages: pages.pages.map((page) =>
          rowsOf(page).some((row) => wanted.has(idOf(row)))
            ? withRows(
                page,
                rowsOf(page).map((row) => (wanted.has(idOf(row)) ? change(row) : row)),
              )
            : page,
        ),
      };
    });
  }
}

/**
 * Writes an event into every cached reply, for example after a replay, before the live stream reports it. What was read
 * after the request was sent may be newer than its response, and is read again. Of a new event that is anything.
 */
export function putEvent(event: EventDetail, sentAt = 0): void {
  const { deliveries, ...core } = event;
  const isNewer = ({ state }: Query) => state.data !== undefined && state.dataUpdatedAt >= sentAt;
  const queryKey = ['eventGet', { params: { trigger_id: event.trigger_id, event_id: event.event_id } }];
  const detail = queryClient.getQueryCache().find({ queryKey });
  if (detail && isNewer(detail)) void queryClient.invalidateQueries({ queryKey });
  else queryClient.setQueryData<Reply<'eventGet'>>(queryKey, { event });
  const older = listQueries().filter((list) => !isNewer(list));
  for (const { queryHash } of listQueries().filter(isNewer)) readingOf(queryHash).stale.add(event.event_id);
  void readStaleRows();
  const ended = (status: string) => deliveries.filter((delivery) => delivery.status === status).length;
  const row = {
    ...core,
    delivery_counts: { total: deliveries.length, succeeded: ended('SUCCEEDED'), failed: ended('FAILED') },
    outcomes: deliveries.map((delivery) => ({
      delivery_id: delivery.delivery_id,
      destination_id: delivery.destination_id,
      destination_name: delivery.destination_name,
      status: delivery.status,
      attempts: delivery.attempts,
      last_response_status: delivery.last_response_status,
    })),
  };
  changeRows([event.event_id], () => row, older);
}
