import { useEffect, useMemo } from 'react';
import { useLocation, useParams } from 'react-router';
import type { EventRow } from '../../api/entities.ts';
import { type SetUrlState, useUrlState } from '../../lib/url-state.ts';
import { type List, useList } from '../../table/use-list.ts';
import { type BulkState, useBulkState } from '../replays/use-bulk-state.ts';
import { beginOf, type EventFilters, eventFilterDefaults, eventListQuery, listSearch } from './event-query.ts';
import { type RowPicks, useRowPicks } from './use-row-picks.ts';

const rowsOf = (page: { events: EventRow[] }) => page.events;
const eventId = (event: EventRow) => event.event_id;

/** A list of events with its filters, its selection and the event whose panel is open. */
export interface EventList {
  readonly list: List<EventRow>;
  /** The trigger of the page; undefined in the list of all events. */
  readonly triggerId: string | undefined;
  readonly filters: EventFilters;
  readonly setFilters: SetUrlState<typeof eventFilterDefaults>;
  /** The start of a relative time range. */
  readonly begin: string | undefined;
  readonly picks: RowPicks;
  /** The open bulk replay. */
  readonly bulk: BulkState;
  readonly currentId: string | undefined;
  /** The query string with the filters, for the links of rows. */
  readonly search: string;
}

export function useEventList(triggerId?: string): EventList {
  const [filters, setFilters] = useUrlState(eventFilterDefaults);
  const begin = useMemo(() => beginOf(filters.time, Date.now()), [filters.time]);
  const { eventId: currentId } = useParams();
  const { search } = useLocation();
  const query = eventListQuery(triggerId, filters, begin);
  const picks = useRowPicks(JSON.stringify(query.queryKey));
  const list = useList(query, { rows: rowsOf, rowId: eventId, hold: currentId !== undefined || picks.ids.length > 0 });
  const bulk = useOpenBulk(picks.ids.length > 0, currentId !== undefined);
  return { list, triggerId, filters, setFilters, begin, picks, bulk, currentId, search: listSearch(search) };
}

/** The bulk replay in the URL, which is removed if its events are no longer picked or open, for example after a reload. */
function useOpenBulk(hasPicks: boolean, hasOpen: boolean): BulkState {
  const [bulk, setBulk] = useBulkState();
  const hasEvents = bulk === 'event' ? hasOpen : bulk === '' || bulk === 'all' || hasPicks;
  useEffect(() => {
    if (!hasEvents) setBulk('');
  }, [hasEvents, setBulk]);
  return hasEvents ? bulk : '';
}
