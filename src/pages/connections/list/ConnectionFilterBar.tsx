import { CONNECTION_STATUSES } from '../../../../contract/states.ts';
import type { App, Connection } from '../../../api/entities.ts';
import { useDebouncedFilter } from '../../../hooks/use-debounced-filter.ts';
import { sentenceCase } from '../../../lib/format.ts';
import { METHOD_NAMES, methodName } from '../../../lib/method-names.ts';
import type { SetUrlState } from '../../../lib/url-state.ts';
import { FilterBar } from '../../../ui/controls/FilterBar.tsx';
import { FilterMenu } from '../../../ui/controls/FilterMenu.tsx';
import { SearchInput } from '../../../ui/controls/SearchInput.tsx';
import { appNameOf, connectable } from '../connection-queries.ts';
import { ATTENTION, type ConnectionFilters, type filterDefaults } from './connection-filter.ts';

type SetFilters = SetUrlState<typeof filterDefaults>;
export interface ConnectionFilterBarProps {
  readonly filters: ConnectionFilters;
  readonly setFilters: SetFilters;
  readonly apps: readonly App[] | undefined;
  /** The loaded connections: their tags are offered. */
  readonly rows: readonly Connection[];
}

const STATUSES = CONNECTION_STATUSES.map((value) => ({ value, label: sentenceCase(value) }));
const HEALTHS = [{ value: ATTENTION, label: 'Needs attention' }];
const asOptions = (values: Iterable<string>) => [...values].map((value) => ({ value, label: value }));

/** The active filters in words, as the empty list shows them. */
export const activeFilters = (filters: ConnectionFilters, apps: readonly App[] | undefined, setFilters: SetFilters) =>
  (
    [
      ['Text', 'q', filters.q],
      ['App', 'app', filters.app && appNameOf(apps, filters.app)],
      ['Status', 'status', sentenceCase(filters.status)],
      ['Method', 'method', methodName(filters.method)],
      ['Health', 'health', filters.health && 'Needs attention'],
      ['Tag', 'tag', filters.tag],
      ['End user', 'end_user', filters.end_user],
    ] as const
  ).flatMap(([name, key, value]) => (value ? [{ name, value, onClear: () => setFilters({ [key]: undefined }) }] : []));

export function ConnectionFilterBar({ filters, setFilters, apps, rows }: ConnectionFilterBarProps) {
  const [text, setText] = useDebouncedFilter(filters.q, (q) => setFilters({ q }));
  const offered = connectable(apps ?? []);
  const methods = new Set(offered.flatMap((app) => app.methods.map(({ method }) => method)));
  const tags = new Set([...rows.flatMap((row) => row.tags), ...(filters.tag ? [filters.tag] : [])]);
  return (
    <FilterBar>
      <SearchInput
        label="Name, app, tag or end user"
        maxLength={200}
        value={text}
        onChange={setText}
        className="max-sm:min-w-36"
      />
      <FilterMenu
        name="App"
        options={offered.map(({ app, name }) => ({ value: app, label: name }))}
        value={filters.app || undefined}
        onChange={(app) => setFilters({ app })}
      />
      <FilterMenu
        name="Status"
        options={STATUSES}
        value={filters.status || undefined}
        onChange={(status) => setFilters({ status })}
      />
      <FilterMenu
        name="Method"
        options={[...methods].map((method) => ({ value: method, label: METHOD_NAMES[method] }))}
        value={filters.method || undefined}
        onChange={(method) => setFilters({ method })}
      />
      <FilterMenu
        name="Health"
        options={HEALTHS}
        value={filters.health || undefined}
        onChange={(health) => setFilters({ health })}
      />
      {tags.size > 0 ? (
        <FilterMenu
          name="Tag"
          options={asOptions([...tags].sort())}
          value={filters.tag || undefined}
          onChange={(tag) => setFilters({ tag })}
        />
      ) : null}
      {filters.end_user ? (
        <FilterMenu
          name="End user"
          options={asOptions([filters.end_user])}
          value={filters.end_user}
          onChange={(end_user) => setFilters({ end_user })}
        />
      ) : null}
    </FilterBar>
  );
}
