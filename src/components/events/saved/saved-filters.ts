/** Saved filters: their conditions, as the API has them, and the filters of the list in the URL. */
import type { SavedFilter } from '../../../api/entities.ts';
import { q } from '../../../api/queries.ts';
import { path } from '../../../lib/path.ts';
import { type EventFilters, eventScope, HELD } from '../event-query.ts';

export type Conditions = SavedFilter['filter'];

export const savedFiltersQuery = q('savedFilterList');
export const savedFilterCountsQuery = q('savedFilterCounts');

/** The conditions of these filters; empty without any. */
export function conditionsOf(filters: EventFilters): Conditions {
  const fixed = filters.time === '' ? filters : { ...filters, after: '', before: '' };
  const all = { ...eventScope(undefined, fixed, undefined), received_within: filters.time || undefined };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** The filters in the URL for these conditions. */
export const filtersOf = (conditions: Conditions): Partial<EventFilters> => ({
  q: conditions.q ?? '',
  time: conditions.received_within ?? '',
  after: conditions.received_after ?? '',
  before: conditions.received_before ?? '',
  status: conditions.held === undefined ? (conditions.reason ?? conditions.status ?? '') : HELD,
  trigger: conditions.trigger_id ?? '',
  destination: conditions.destination_id ?? '',
  response: conditions.response_status ?? '',
  source: conditions.source ?? '',
  replay: conditions.replay_id ?? '',
  pinned: conditions.pinned ?? '',
});

/** The URL of the list with a saved filter. */
export function savedFilterPath({ saved_filter_id, filter }: SavedFilter): string {
  const set = Object.entries(filtersOf(filter)).filter(([, value]) => value !== '');
  return `${path.events()}?${new URLSearchParams([...set, ['saved', saved_filter_id]])}`;
}

const textOf = (conditions: Conditions) => JSON.stringify(Object.entries(conditions).sort());

export const sameConditions = (one: Conditions, other: Conditions): boolean => textOf(one) === textOf(other);
