import { useQuery } from '@tanstack/react-query';
import { Plug } from 'lucide-react';
import { useMemo } from 'react';
import { type LoaderFunctionArgs, useNavigate } from 'react-router';
import type { Connection } from '../../api/entities.ts';
import { ensure } from '../../api/queries.ts';
import { useReason } from '../../api/session.ts';
import { WINDOW_BLOCKED } from '../../components/apps/connect-window.ts';
import { CopyAsCurl, curlText } from '../../components/deliveries/CopyAsCurl.tsx';
import { useRowPicks } from '../../components/events/use-row-picks.ts';
import { NewButton } from '../../components/NewButton.tsx';
import { usePageActions } from '../../layouts/palette/page-actions.ts';
import { path } from '../../lib/path.ts';
import { readState } from '../../lib/search-params.ts';
import { useUrlState } from '../../lib/url-state.ts';
import { QueryTable } from '../../table/QueryTable.tsx';
import { useList } from '../../table/use-list.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { LivePill } from '../../ui/LivePill.tsx';
import { PageHead } from '../../ui/PageHead.tsx';
import { connectionColumns } from './connection-columns.tsx';
import { appNameOf, appsQuery, connectionsQuery } from './connection-queries.ts';
import { BulkActions } from './list/BulkActions.tsx';
import { activeFilters, ConnectionFilterBar } from './list/ConnectionFilterBar.tsx';
import { bulkFilter, filterDefaults, listInput } from './list/connection-filter.ts';

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

/** Does not await the data: the frame of the list is rendered immediately. */
export function loader({ request }: LoaderFunctionArgs): null {
  const filter = readState(new URL(request.url).searchParams, filterDefaults);
  ensure(connectionsQuery(listInput(filter)), appsQuery).catch(() => undefined);
  return null;
}

const rowsOf = (page: { connections: Connection[] }) => page.connections;
const rowId = (connection: Connection) => connection.connection_id;
const rowLink = (connection: Connection) => path.connection(connection.connection_id);
const rowVersion = (connection: Connection) => connection.status;

/** The connections of the account. */
export function Component() {
  const [filters, setFilters] = useUrlState(filterDefaults);
  const navigate = useNavigate();
  const apps = useQuery(appsQuery).data?.apps;
  const reason = useReason('connectionCreate');
  usePageActions([
    { label: 'New connection', icon: Plug, reason, onSelect: () => void navigate(path.connectionNew()) },
  ]);
  const query = connectionsQuery(listInput(filters));
  const picks = useRowPicks(JSON.stringify(query.queryKey));
  const list = useList(query, { rows: rowsOf, rowId, hold: picks.ids.length > 0 });
  const named = (connection: Connection) => connection.name ?? appNameOf(apps, connection.app);
  const columns = useMemo(
    () =>
      connectionColumns({
        apps,
        onBlocked: (connection) => void navigate(path.connection(connection.connection_id), { state: WINDOW_BLOCKED }),
      }),
    [apps, navigate],
  );
  const active = activeFilters(filters, apps, setFilters);
  const mayChange = useReason('connectionBulk') === undefined;
  return (
    <>
      <PageHead
        title="Connections"
        meta={<LivePill count={list.waiting} noun="connections" onShow={list.show} />}
        actions={
          <>
            <span className="max-sm:hidden">
              <CopyAsCurl text={() => curlText('connectionList', listInput(filters))} what="this list" />
            </span>
            {list.rows.length > 0 || active.length > 0 ? <NewConnectionButton /> : null}
          </>
        }
      />
      <ConnectionFilterBar filters={filters} setFilters={setFilters} apps={apps} rows={list.rows} />
      <QueryTable
        label="Connections"
        noun="connections"
        density="tall"
        list={list}
        columns={columns}
        rowName={named}
        rowLink={rowLink}
        rowVersion={rowVersion}
        selection={mayChange ? picks : undefined}
        filters={active}
        onClearFilters={() => setFilters(filterDefaults)}
        empty={<NoConnections />}
        foot={
          mayChange && list.rows.length > 0 ? (
            <BulkActions picks={picks} matching={{ filter: bulkFilter(filters) }} />
          ) : null
        }
      />
    </>
  );
}
