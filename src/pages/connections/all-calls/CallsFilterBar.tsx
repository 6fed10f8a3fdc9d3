import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { q } from '../../../api/queries.ts';
import { TimeRangeFilter } from '../../../components/TimeRangeFilter.tsx';
import { useDebouncedFilter } from '../../../hooks/use-debounced-filter.ts';
import { middleCut } from '../../../lib/format.ts';
import type { SetUrlState } from '../../../lib/url-state.ts';
import { FilterBar } from '../../../ui/controls/FilterBar.tsx';
import { FilterChip } from '../../../ui/controls/FilterChip.tsx';
import { FilterMenu } from '../../../ui/controls/FilterMenu.tsx';
import { SearchInput } from '../../../ui/controls/SearchInput.tsx';
import { appNameOf, appsQuery, connectionQuery } from '../connection-queries.ts';
import { METHODS } from '../request/typed-request.ts';
import { type CallsFilters, calledAppsQuery, type callsDefaults, DURATIONS, ERRORS, STATUSES } from './calls-query.ts';

export interface CallsFilterBarProps {
  readonly filters: CallsFilters;
  readonly onChange: SetUrlState<typeof callsDefaults>;
  /** At the end of the row. */
  readonly children: ReactNode;
}

/** The filters of the list of all calls. */
export function CallsFilterBar({ filters, onChange, children }: CallsFilterBarProps) {
  const [text, setText] = useDebouncedFilter(filters.q, (typed) => onChange({ q: typed }));
  const apps = useQuery(appsQuery).data?.apps;
  const called = useQuery(calledAppsQuery).data?.apps ?? [];
  const keys = useQuery(q('apiKeyList')).data?.api_keys ?? [];
  const connection = useConnectionName(filters.connection);
  return (
    <FilterBar>
      <SearchInput label="Search paths" mono maxLength={500} value={text} onChange={setText} />
      <TimeRangeFilter range={filters} onChange={(next) => onChange({ ...next }, { push: true })} />
      <FilterMenu
        name="App"
        options={called.map(({ app }) => ({ value: app, label: appNameOf(apps, app) }))}
        value={filters.app || undefined}
        onChange={(app) => onChange({ app })}
      />
      {filters.connection === '' ? null : (
        <FilterChip name="Connection" value={connection} onClear={() => onChange({ connection: undefined })} />
      )}
      <FilterMenu
        name="Status"
        options={STATUSES}
        value={filters.status || undefined}
        onChange={(status) => onChange({ status })}
      />
      <FilterMenu
        name="Method"
        mono
        options={METHODS.map((method) => ({ value: method, label: method }))}
        value={filters.method || undefined}
        onChange={(method) => onChange({ method })}
      />
      <FilterMenu
        name="API key"
        options={keys.map(({ key_id, name }) => ({ value: key_id, label: name }))}
        value={filters.key || undefined}
        onChange={(key) => onChange({ key })}
      />
      {filters.run === '' ? null : (
        <FilterChip name="Run" value={middleCut(filters.run)} onClear={() => onChange({ run: undefined })} />
      )}
      <FilterMenu
        name="Error"
        options={ERRORS}
        value={filters.error || undefined}
        onChange={(error) => onChange({ error })}
      />
      <FilterMenu
        name="Duration"
        options={DURATIONS}
        value={filters.min || undefined}
        onChange={(min) => onChange({ min })}
      />
      {children}
    </FilterBar>
  );
}

/** The name of the connection that filters the list. */
export function useConnectionName(connection_id: string): string {
  const { data } = useQuery({ ...connectionQuery(connection_id), enabled: connection_id !== '' });
  return data?.connection.name ?? middleCut(connection_id);
}
