import { useQuery } from '@tanstack/react-query';
import { Plug } from 'lucide-react';
import { useMemo } from 'react';
import { type LoaderFunctionArgs, useNavigate } from 'react-router';
import { CONNECTION_STATUSES } from '../../../contract/states.ts';
import type { Connection } from '../../api/entities.ts';
import { ensure } from '../../api/queries.ts';
import { useReason } from '../../api/session.ts';
import { WINDOW_BLOCKED } from '../../components/apps/connect-window.ts';
import { CopyAsCurl, curlText } from '../../components/deliveries/CopyAsCurl.tsx';
import { NewButton } from '../../components/NewButton.tsx';
import { useDebouncedFilter } from '../../hooks/use-debounced-filter.ts';
import { usePageActions } from '../../layouts/palette/page-actions.ts';
import { sentenceCase } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { readState } from '../../lib/search-params.ts';
import { useUrlState } from '../../lib/url-state.ts';
import { QueryTable } from '../../table/QueryTable.tsx';
import { useList } from '../../table/use-list.ts';
import { FilterBar } from '../../ui/controls/FilterBar.tsx';
import { FilterMenu } from '../../ui/controls/FilterMenu.tsx';
import { SearchInput } from '../../ui/controls/SearchInput.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { LivePill } from '../../ui/LivePill.tsx';
import { PageHead } from '../../ui/PageHead.tsx';
import { connectionColumns } from './connection-columns.tsx';
import { appNameOf, appsQuery, connectable, connectionsQuery } from './connection-queries.ts';

const NewConnectionButton = () => (
  <NewButton operation="connectionCreate" to={path.connectionNew()} variant="primary">
    New connection
  </NewButton>
);

function NoConnections() {
  return (
    <EmptyState title="No connections yet" actions={<NewConnectionButton />}>
      A connection stores the credentials of an app. The gateway adds them to each call, so your code never handles
      them.
    </EmptyState>
  );
}

const defaults = { app: '', status: '', method: '', q: '' };
type Filter = typeof defaults;
const inputOf = ({ app, status, method }: Filter) => ({
  query: {
    app: app || undefined,
    status: (status || undefined) as Connection['status'] | undefined,
    method: (method || undefined) as Connection['method'] | undefined,
  },
});

/** Does not await the data: the frame of the list is rendered immediately. */
export function loader({ request }: LoaderFunctionArgs): null {
  const filter = readState(new URL(request.url).searchParams, defaults);
  ensure(connectionsQuery(inputOf(filter)), appsQuery).catch(() => undefined);
  return null;
}

const rowsOf = (page: { connections: Connection[] }) => page.connections;
const rowId = (connection: Connection) => connection.connection_id;
const rowLink = (connection: Connection) => path.connection(connection.connection_id);
const rowVersion = (connection: Connection) => connection.status;
const STATUSES = CONNECTION_STATUSES.map((value) => ({ value, label: sentenceCase(value) }));

/** The connections of the account. */
export function Component() {
  const [filter, setFilter] = useUrlState(defaults);
  const [text, setText] = useDebouncedFilter(filter.q, (q) => setFilter({ q }));
  const navigate = useNavigate();
  const apps = useQuery(appsQuery).data?.apps;
  const reason = useReason('connectionCreate');
  usePageActions([
    { label: 'New connection', icon: Plug, reason, onSelect: () => void navigate(path.connectionNew()) },
  ]);
  const list = useList(connectionsQuery(inputOf(filter)), { rows: rowsOf, rowId });
  const named = (connection: Connection) => connection.name ?? appNameOf(apps, connection.app);
  const wanted = filter.q.toLowerCase();
  const matches = ({ connection_id, app, name }: Connection) =>
    [connection_id, app, appNameOf(apps, app), name ?? ''].some((each) => each.toLowerCase().includes(wanted));
  const rows = wanted ? list.rows.filter(matches) : list.rows;
  const columns = useMemo(
    () =>
      connectionColumns({
        apps,
        onBlocked: (connection) => void navigate(path.connection(connection.connection_id), { state: WINDOW_BLOCKED }),
      }),
    [apps, navigate],
  );
  const offered = connectable(apps ?? []);
  const methods = [...new Set(offered.flatMap((app) => app.methods.map(({ method }) => method)))];
  const filters = (
    [
      ['Text', 'q', filter.q],
      ['App', 'app', filter.app && appNameOf(apps, filter.app)],
      ['Status', 'status', sentenceCase(filter.status)],
      ['Method', 'method', filter.method],
    ] as const
  ).flatMap(([name, key, value]) => (value ? [{ name, value, onClear: () => setFilter({ [key]: undefined }) }] : []));
  return (
    <>
      <PageHead
        title="Connections"
        meta={<LivePill count={list.waiting} noun="connections" onShow={list.show} />}
        actions={
          <>
            <span className="max-sm:hidden">
              <CopyAsCurl text={() => curlText('connectionList', inputOf(filter))} what="this list" />
            </span>
            {list.rows.length > 0 || filters.length > 0 ? <NewConnectionButton /> : null}
          </>
        }
      />
      <FilterBar>
        <SearchInput label="Name or app" value={text} onChange={setText} className="max-sm:min-w-36" />
        <FilterMenu
          name="App"
          options={offered.map(({ app, name }) => ({ value: app, label: name }))}
          value={filter.app || undefined}
          onChange={(app) => setFilter({ app })}
        />
        <FilterMenu
          name="Status"
          options={STATUSES}
          value={filter.status || undefined}
          onChange={(status) => setFilter({ status })}
        />
        <FilterMenu
          name="Method"
          mono
          options={methods.map((method) => ({ value: method, label: method }))}
          value={filter.method || undefined}
          onChange={(method) => setFilter({ method })}
        />
      </FilterBar>
      <QueryTable
        label="Connections"
        noun="connections"
        density="tall"
        list={{ ...list, rows }}
        columns={columns}
        rowName={named}
        rowLink={rowLink}
        rowVersion={rowVersion}
        filters={filters}
        onClearFilters={() => setFilter(defaults)}
        empty={<NoConnections />}
      />
    </>
  );
}
