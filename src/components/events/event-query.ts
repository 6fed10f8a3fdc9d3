/** The filters of the event list in the URL, and the queries for them. */
import { DELIVERY_STATUSES } from '../../../contract/states.ts';
import type { EventRow } from '../../api/entities.ts';
import { type PagesQuery, pages, q } from '../../api/queries.ts';
import { readState, type State } from '../../lib/search-params.ts';

export const eventFilterDefaults = {
  q: '',
  time: '',
  after: '',
  before: '',
  status: '',
  trigger: '',
  destination: '',
  response: '',
  source: '',
  replay: '',
  pinned: '',
};
/** The saved filter that was opened. Its conditions are in the URL too, which anyone in the account can open. */
export const savedFilterDefaults = { saved: '' };
/** An extra value of the status filter: due deliveries held by a circuit breaker. */
export const HELD = 'HELD';
/** Another one, as any reason of a delivery: its transformation returned null. */
export const TRANSFORM_SKIPPED = 'TRANSFORM_SKIPPED';
export type EventFilters = State<typeof eventFilterDefaults>;

const MINUTE_MS = 60_000;
/** Relative time ranges. */
export const TIME_RANGES = [
  { value: '1h', label: 'Last hour', ms: 60 * MINUTE_MS },
  { value: '24h', label: 'Last 24 hours', ms: 24 * 60 * MINUTE_MS },
  { value: '7d', label: 'Last 7 days', ms: 7 * 24 * 60 * MINUTE_MS },
  { value: '30d', label: 'Last 30 days', ms: 30 * 24 * 60 * MINUTE_MS },
] as const;

/** The start of a relative range, rounded down to minutes, so that going back finds the list in the cache. */
export function beginOf(time: string, nowMs: number): string | undefined {
  const range = TIME_RANGES.find(({ value }) => value === time);
  return range && new Date(Math.floor((nowMs - range.ms) / MINUTE_MS) * MINUTE_MS).toISOString();
}

/** One event, for its panel. */
export const eventQuery = (params: { trigger_id: string; event_id: string }) => q('eventGet', { params });

type EventPage = { events: EventRow[]; next_token: string | null };

const STATUSES: ReadonlySet<string> = new Set(DELIVERY_STATUSES);

/** The query parameters for these filters; `begin` is the start of a relative range. */
export function eventListInput(filters: EventFilters, begin: string | undefined) {
  return {
    status: STATUSES.has(filters.status) ? filters.status : undefined,
    reason: filters.status === HELD || STATUSES.has(filters.status) ? undefined : filters.status || undefined,
    held: filters.status === HELD ? 'true' : undefined,
    q: filters.q || undefined,
    received_after: (begin ?? filters.after) || undefined,
    received_before: begin ? undefined : filters.before || undefined,
    destination_id: filters.destination || undefined,
    response_status: filters.response || undefined,
    source: filters.source || undefined,
    replay_id: filters.replay || undefined,
    pinned: filters.pinned || undefined,
  };
}

/** The same with the trigger of the page or the filter. */
export function eventScope(triggerId: string | undefined, filters: EventFilters, begin: string | undefined) {
  return { ...eventListInput(filters, begin), trigger_id: (triggerId ?? filters.trigger) || undefined };
}

/** The same as the filter of a bulk replay. */
export function replayScope(triggerId: string | undefined, filters: EventFilters, begin: string | undefined) {
  const { held, pinned, ...scope } = eventScope(triggerId, filters, begin);
  return { ...scope, ...(held === undefined ? {} : { held: true }), ...(pinned === undefined ? {} : { pinned: true }) };
}

/** Events of one trigger, or of all of them. */
export function eventListQuery(
  triggerId: string | undefined,
  filters: EventFilters,
  begin: string | undefined,
): PagesQuery<EventPage> {
  const query = eventListInput(filters, begin);
  if (triggerId !== undefined) return pages('eventList', { params: { trigger_id: triggerId }, query });
  return pages('eventListAll', { query: { ...query, trigger_id: filters.trigger || undefined } });
}

/** The list query for a URL, for loaders. */
export function eventListAt(url: string, triggerId: string | undefined): PagesQuery<EventPage> {
  const filters = readState(new URL(url).searchParams, eventFilterDefaults);
  return eventListQuery(triggerId, filters, beginOf(filters.time, Date.now()));
}

/** The query parameters that belong to the list, without those of the open panel. */
export function listSearch(search: string): string {
  const names = [...Object.keys(eventFilterDefaults), 'saved', 'view', 'range', 'figures'];
  const kept = new URLSearchParams(
    [...new URLSearchParams(search)].filter(([name, value]) => value && names.includes(name)),
  );
  return kept.size > 0 ? `?${kept}` : '';
}
