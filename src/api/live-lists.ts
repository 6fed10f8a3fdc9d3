/**
 * Long lists of events, runs and calls, kept up to date without asking for all of their pages again: new rows come from a
 * fresh first page and are put in front, rows that changed further down are asked for one by one. What is already
 * shown stays where it is, also when it no longer matches the filter: the reader is looking at it.
 */
import type { InfiniteData, Query } from '@tanstack/react-query';
import type { LiveChange } from '../../contract/live.ts';
import { call, send } from './client.ts';
import type { EventDetail, EventRow, GatewayCall, RunRow } from './entities.ts';
import type { AnyInput, Operation, Reply } from './operation.ts';
import { queryClient } from './query-client.ts';

type Row = EventRow | RunRow | GatewayCall;
type Page = { events?: EventRow[]; runs?: RunRow[]; calls?: GatewayCall[]; next_token: string | null };
type Pages = InfiniteData<Page, string | undefined>;

/** More single rows than this at once, and the pages are asked for again after all. */
const PATCHES_MAX = 8;

export const headedLists: ReadonlySet<Operation> = new Set([
  'eventList',
  'eventListAll',
  'runList',
  'runListAll',
  'connectionCallList',
]);

const rowsOf = (page: Page): Row[] => page.events ?? page.runs ?? page.calls ?? [];
function withRows(page: Page, rows: Row[]): Page {
  if (page.events) return { ...page, events: rows as EventRow[] };
  return page.runs ? { ...page, runs: rows as RunRow[] } : { ...page, calls: rows as GatewayCall[] };
}
function idOf(row: Row): string {
  if ('call_id' in row) return row.call_id;
  return 'event_id' in row ? row.event_id : row.run_id;
}

function listQueries(): Query[] {
  return queryClient.getQueryCache().findAll({
    predicate: ({ queryKey, state }) =>
      headedLists.has(queryKey[0] as Operation) && queryKey[2] === 'pages' && state.data !== undefined,
  });
}

function isAbout(change: LiveChange, [operation, input]: [Operation, AnyInput]): boolean {
  const params = input.params ?? {};
  const only = input.query?.['trigger_id'];
  if (change.noun === 'event' || change.noun === 'delivery') {
    if (operation === 'eventList') return params['trigger_id'] === change.trigger_id;
    return operation === 'eventListAll' && (only === undefined || only === change.trigger_id);
  }
  if (change.noun === 'call')
    return operation === 'connectionCallList' && params['connection_id'] === change.connection_id;
  if (change.noun !== 'run') return false;
  return operation === 'runListAll' || (operation === 'runList' && params['function_id'] === change.function_id);
}

/** Ids that a list's fresh first page had, by the list's query. */
export type Fresh = ReadonlyMap<string, ReadonlySet<string>>;

/** Puts what is new in front of every shown list that these changes concern. */
export async function refreshHeads(changes: readonly LiveChange[]): Promise<Fresh> {
  const concerned = listQueries().filter((query) =>
    changes.some((change) => isAbout(change, query.queryKey as [Operation, AnyInput])),
  );
  const entries = await Promise.all(
    concerned.map(async (query) => {
      if (query.getObserversCount() === 0) query.invalidate();
      else return [query.queryHash, await refreshHead(query)] as const;
      return undefined;
    }),
  );
  return new Map(entries.filter((entry) => entry !== undefined));
}

async function refreshHead(query: Query): Promise<ReadonlySet<string>> {
  const [operation, input] = query.queryKey as [Operation, AnyInput];
  const head = (await send(operation, input).catch(() => undefined)) as Page | undefined;
  const known = queryClient.getQueryData<Pages>(query.queryKey);
  if (!head || !known) return new Set();
  const merged = mergeHead(known, head);
  // nothing in common: more came than a page holds, and what lies between is unknown
  if (!merged) await queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true });
  else queryClient.setQueryData(query.queryKey, merged);
  return new Set(rowsOf(head).map(idOf));
}

/** Undefined where the fresh first page doesn't reach back to what is known. */
export function mergeHead(known: Pages, head: Page): Pages | undefined {
  const fresh = new Map(rowsOf(head).map((row) => [idOf(row), row]));
  // it looked for a while and found nothing new: what is known stands, however far that had to be looked for
  if (fresh.size === 0 && head.next_token !== null) return known;
  const seen = new Set(known.pages.flatMap(rowsOf).map(idOf));
  const added = rowsOf(head).filter((row) => !seen.has(idOf(row)));
  if (seen.size === 0) return { pages: [head], pageParams: [undefined] };
  if (added.length === fresh.size && head.next_token !== null) return undefined;
  const pages = known.pages.map((page) =>
    withRows(
      page,
      rowsOf(page).map((row) => fresh.get(idOf(row)) ?? row),
    ),
  );
  const [first, ...rest] = pages;
  if (!first) return { ...known, pages: [head] };
  return { ...known, pages: [withRows(first, [...added, ...rowsOf(first)]), ...rest] };
}

/**
 * Asks for rows that changed, are shown, and were not in their list's fresh first page: further down, or no longer
 * matching the list's filter.
 */
export async function patchRows(changes: readonly LiveChange[], fresh: Fresh): Promise<void> {
  const events = new Map<string, string>();
  const runs = new Map<string, string>();
  for (const change of changes) {
    if (change.noun === 'delivery' && isStale(change.event_id, fresh)) events.set(change.event_id, change.trigger_id);
    if (change.noun === 'run' && isStale(change.run_id, fresh)) runs.set(change.run_id, change.function_id);
  }
  if (events.size + runs.size > PATCHES_MAX) {
    await Promise.all(listQueries().map((query) => queryClient.invalidateQueries({ queryKey: query.queryKey })));
    return;
  }
  await Promise.all([
    ...[...events].map(async ([event_id, trigger_id]) => {
      const reply = await call('eventGet', { params: { trigger_id, event_id } }).catch(() => undefined);
      if (reply) putEvent(reply.event);
    }),
    ...[...runs].map(async ([run_id, function_id]) => {
      const reply = await call('runGet', { params: { function_id, run_id } }).catch(() => undefined);
      if (reply) putRun(reply);
    }),
  ]);
}

function isStale(id: string, fresh: Fresh): boolean {
  return listQueries().some((query) => {
    const shown = query.getObserversCount() > 0 && !fresh.get(query.queryHash)?.has(id);
    return shown && (query.state.data as Pages).pages.flatMap(rowsOf).some((row) => idOf(row) === id);
  });
}

function changeRow(id: string, change: (row: Row) => Row): void {
  for (const query of listQueries()) {
    queryClient.setQueryData<Pages>(query.queryKey, (pages) => {
      if (!pages?.pages.some((page) => rowsOf(page).some((row) => idOf(row) === id))) return pages;
      return {
        ...pages,
        pages: pages.pages.map((page) =>
          withRows(
            page,
            rowsOf(page).map((row) => (idOf(row) === id ? change(row) : row)),
          ),
        ),
      };
    });
  }
}

/** An event as it is now, wherever it is shown: after a replay, say, before the stream has said anything. */
export function putEvent(event: EventDetail): void {
  const { deliveries, ...core } = event;
  queryClient.setQueryData<Reply<'eventGet'>>(
    ['eventGet', { params: { trigger_id: event.trigger_id, event_id: event.event_id } }],
    { event },
  );
  const ended = (status: string) => deliveries.filter((delivery) => delivery.status === status).length;
  changeRow(event.event_id, () => ({
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
  }));
}

function putRun(run: Reply<'runGet'>): void {
  changeRow(run.run_id, (row) => ({
    ...(row as RunRow),
    status: run.status,
    duration_ms: run.duration_ms,
    response_status: run.response?.status ?? null,
    error_message: run.error?.message ?? null,
  }));
}
