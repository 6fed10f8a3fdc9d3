import type { ReactNode } from 'react';
import { DELIVERY_STATUSES } from '../../../contract/states.ts';
import { useDebouncedFilter } from '../../hooks/use-debounced-filter.ts';
import { usePreference } from '../../hooks/use-preference.ts';
import { sentenceCase } from '../../lib/format.ts';
import { timeZone } from '../../stores/time-zone.ts';
import { FilterBar } from '../../ui/controls/FilterBar.tsx';
import { FilterMenu } from '../../ui/controls/FilterMenu.tsx';
import { SearchInput } from '../../ui/controls/SearchInput.tsx';
import type { SelectOption } from '../../ui/controls/Select.tsx';
import type { FilteredEmptyProps } from '../../ui/FilteredEmpty.tsx';
import { IdMatches, useIdSearch } from '../IdMatches.tsx';
import { rangeWords, TimeRangeFilter } from '../TimeRangeFilter.tsx';
import { readSearch, SearchReading } from './EventSearchReading.tsx';
import { HELD, TRANSFORM_SKIPPED } from './event-query.ts';
import { MoreEventFilters, rareFilterWords } from './MoreEventFilters.tsx';
import type { EventList } from './use-event-list.ts';
import { useEventPlaces } from './use-event-places.ts';

const STATUSES: readonly SelectOption[] = [
  ...DELIVERY_STATUSES.map((value) => ({ value, label: sentenceCase(value) })),
  { value: HELD, label: 'Held by circuit breaker' },
  { value: TRANSFORM_SKIPPED, label: 'Skipped by a transformation' },
];

export interface EventFilterBarProps {
  readonly events: EventList;
  /** The triggers to filter by, in the list of all events. */
  readonly triggers?: readonly SelectOption[] | undefined;
  /** At the end of the row. */
  readonly children?: ReactNode;
}

/** The filters of the event list: text, time, then the rest. */
export function EventFilterBar({ events, triggers, children }: EventFilterBarProps) {
  const { filters, setFilters } = events;
  const [text, setText] = useDebouncedFilter(filters.q, (q) => {
    if (readSearch(q).problem === undefined) setFilters({ q });
  });
  const search = useIdSearch(text);
  return (
    <>
      <FilterBar>
        <SearchInput
          label="Search payloads and headers"
          placeholder="Text or payload.id = 7"
          mono
          maxLength={200}
          value={text}
          onChange={setText}
          onKeyDown={search.onKeyDown}
          // it shrinks, so that the pill of new events does not wrap and move the list
          className="max-w-56 grow basis-40"
        />
        <TimeRangeFilter range={filters} onChange={setFilters} />
        <FilterMenu
          name="Status"
          options={STATUSES}
          value={filters.status || undefined}
          onChange={(status) => setFilters({ status })}
        />
        {triggers ? (
          <FilterMenu
            name="Trigger"
            options={triggers}
            value={filters.trigger || undefined}
            onChange={(trigger) => setFilters({ trigger })}
          />
        ) : null}
        <MoreEventFilters events={events} />
        {children}
      </FilterBar>
      <SearchReading text={text} />
      <IdMatches text={text} matches={search.matches} />
    </>
  );
}

/** The active filters with their clear functions, for an empty list. */
export function useSetFilters(
  { filters, setFilters, triggerId }: EventList,
  triggers: readonly SelectOption[] = [],
): FilteredEmptyProps['filters'] {
  const [zone] = usePreference(timeZone);
  const places = useEventPlaces(triggerId ?? filters.trigger);
  const nameOf = (options: readonly SelectOption[], value: string) =>
    options.find((option) => option.value === value)?.label ?? value;
  return [
    { name: 'Search', value: filters.q, onClear: () => setFilters({ q: '' }) },
    {
      name: 'Time',
      value: rangeWords(filters, zone) ?? '',
      onClear: () => setFilters({ time: '', after: '', before: '' }),
    },
    { name: 'Status', value: nameOf(STATUSES, filters.status), onClear: () => setFilters({ status: '' }) },
    { name: 'Trigger', value: nameOf(triggers, filters.trigger), onClear: () => setFilters({ trigger: '' }) },
    ...rareFilterWords(filters, places).map(({ key, name, value }) => ({
      name,
      value,
      onClear: () => setFilters({ [key]: '' }),
    })),
  ].filter(({ value }) => value !== '');
}
