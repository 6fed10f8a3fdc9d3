import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { q } from '../../api/queries.ts';
import { useDebouncedFilter } from '../../hooks/use-debounced-filter.ts';
import { usePreference } from '../../hooks/use-preference.ts';
import type { SetUrlState } from '../../lib/url-state.ts';
import { timeZone } from '../../stores/time-zone.ts';
import { FilterBar } from '../../ui/controls/FilterBar.tsx';
import { FilterChip } from '../../ui/controls/FilterChip.tsx';
import { FilterMenu } from '../../ui/controls/FilterMenu.tsx';
import { SearchInput } from '../../ui/controls/SearchInput.tsx';
import type { FilteredEmptyProps } from '../../ui/FilteredEmpty.tsx';
import { IdMatches, useIdSearch } from '../IdMatches.tsx';
import {
  CALLERS,
  durationWords,
  fixedTime,
  RUN_OUTCOMES,
  type RunFilter,
  type runFilterDefaults,
  SPANS,
} from './run-query.ts';

type SetFilter = SetUrlState<typeof runFilterDefaults>;

const functionsQuery = q('functionList', { query: { limit: 200 } });
const keysQuery = q('apiKeyList');

export interface RunFilterBarProps {
  readonly filter: RunFilter;
  readonly onChange: SetFilter;
  /** Set in the list of one function. */
  readonly functionId: string | undefined;
  /** The versions to filter by. */
  readonly versions: readonly number[];
  /** At the end of the row. */
  readonly children: ReactNode;
}

/** The filters of the run list: text, time, then the rest. An id typed as text is looked up. */
export function RunFilterBar({ filter, onChange, functionId, versions, children }: RunFilterBarProps) {
  const [zone] = usePreference(timeZone);
  const [text, setText] = useDebouncedFilter(filter.q, (typed) => onChange({ q: typed }));
  const search = useIdSearch(text);
  const functions = useQuery({ ...functionsQuery, enabled: functionId === undefined }).data?.functions ?? [];
  const keys = useQuery(keysQuery).data?.api_keys ?? [];
  const fixed = fixedTime(filter, zone);
  const duration = durationWords(filter.min, filter.max);
  // version numbers are per function, so without a function the filter is only shown while it is set
  const numbers = functionId === undefined ? servedBy(functions, filter.function) : versions;
  return (
    <>
      <FilterBar>
        <SearchInput
          label="Search runs"
          mono
          maxLength={200}
          value={text}
          onChange={setText}
          onKeyDown={search.onKeyDown}
        />
        {fixed ? (
          <FilterChip name="Time" value={fixed} onClear={() => onChange({ since: undefined, until: undefined })} />
        ) : (
          <FilterMenu
            name="Time"
            options={SPANS}
            value={filter.since || undefined}
            onChange={(since) => onChange({ since, until: undefined })}
          />
        )}
        <FilterMenu
          name="Status"
          options={RUN_OUTCOMES}
          value={filter.status || undefined}
          onChange={(status) => onChange({ status })}
        />
        {functionId === undefined ? (
          <FilterMenu
            name="Function"
            options={functions.map(({ function_id, name }) => ({ value: function_id, label: name }))}
            value={filter.function || undefined}
            onChange={(chosen) => onChange({ function: chosen, version: undefined })}
          />
        ) : null}
        {numbers.length > 0 || filter.version ? (
          <FilterMenu
            name="Version"
            mono
            options={numbers.map((number) => ({ value: String(number), label: `v${number}` }))}
            value={filter.version || undefined}
            onChange={(version) => onChange({ version })}
          />
        ) : null}
        <FilterMenu
          name="Called by"
          options={CALLERS}
          value={filter.caller || undefined}
          onChange={(caller) => onChange({ caller })}
        />
        <FilterMenu
          name="API key"
          options={keys.map(({ key_id, name }) => ({ value: key_id, label: name }))}
          value={filter.key || undefined}
          onChange={(key) => onChange({ key })}
        />
        {duration ? (
          <FilterChip name="Duration" value={duration} onClear={() => onChange({ min: undefined, max: undefined })} />
        ) : null}
        {children}
      </FilterBar>
      <IdMatches text={text} matches={search.matches} />
    </>
  );
}

const VERSIONS_MAX = 20;

/** The newest versions of the chosen function. */
function servedBy(functions: readonly { function_id: string; version: number }[], chosen: string): readonly number[] {
  const newest = functions.find(({ function_id }) => function_id === chosen)?.version ?? 0;
  return Array.from({ length: Math.min(newest, VERSIONS_MAX) }, (_, index) => newest - index);
}

/** The active filters with their clear functions, for an empty list. */
export function useRunFilters(filter: RunFilter, onChange: SetFilter): NonNullable<FilteredEmptyProps['filters']> {
  const [zone] = usePreference(timeZone);
  const functions = useQuery({ ...functionsQuery, enabled: filter.function !== '' }).data?.functions ?? [];
  const keys = useQuery({ ...keysQuery, enabled: filter.key !== '' }).data?.api_keys ?? [];
  const labelOf = (options: readonly { value: string; label: string }[], value: string) =>
    options.find((option) => option.value === value)?.label ?? value;
  const named = functions.find(({ function_id }) => function_id === filter.function)?.name;
  return [
    { name: 'Text', value: filter.q, onClear: () => onChange({ q: undefined }) },
    {
      name: 'Time',
      value: fixedTime(filter, zone) ?? labelOf(SPANS, filter.since),
      onClear: () => onChange({ since: undefined, until: undefined }),
    },
    {
      name: 'Status',
      value: labelOf(RUN_OUTCOMES, filter.status),
      onClear: () => onChange({ status: undefined }),
    },
    { name: 'Function', value: named ?? filter.function, onClear: () => onChange({ function: undefined }) },
    {
      name: 'Version',
      value: filter.version && `v${filter.version}`,
      onClear: () => onChange({ version: undefined }),
    },
    { name: 'Called by', value: labelOf(CALLERS, filter.caller), onClear: () => onChange({ caller: undefined }) },
    {
      name: 'API key',
      value: keys.find(({ key_id }) => key_id === filter.key)?.name ?? filter.key,
      onClear: () => onChange({ key: undefined }),
    },
    {
      name: 'Duration',
      value: durationWords(filter.min, filter.max),
      onClear: () => onChange({ min: undefined, max: undefined }),
    },
  ].filter(({ value }) => value !== '');
}
