import { List, MoreHorizontal, Send } from 'lucide-react';
import { type LoaderFunctionArgs, Outlet, useNavigate, useParams } from 'react-router';
import type { App, Connection } from '../../api/entities.ts';
import { ensure, usePrefetchedQuery } from '../../api/queries.ts';
import { AppIcon } from '../../components/apps/AppIcon.tsx';
import { useConnectMessage } from '../../components/apps/connect-window.ts';
import { CopyAsCurlItem, curlText } from '../../components/deliveries/CopyAsCurl.tsx';
import { Link, NavLink } from '../../components/Link.tsx';
import { ConnectionChip } from '../../components/status.tsx';
import type { Handle } from '../../layouts/handle.ts';
import { usePageActions } from '../../layouts/palette/page-actions.ts';
import { path } from '../../lib/path.ts';
import { IconButton } from '../../ui/controls/IconButton.tsx';
import { TabLink, Tabs } from '../../ui/controls/Tabs.tsx';
import { Menu } from '../../ui/overlays/Menu.tsx';
import { PageHead } from '../../ui/PageHead.tsx';
import { Tag } from '../../ui/Tag.tsx';
import {
  accountQuery,
  appNameOf,
  appsQuery,
  connectionCrumb,
  connectionQuery,
  idIn,
  titleOf,
} from './connection-queries.ts';
import { manualCallTab } from './manual-calls.ts';

/** Connect links are valid for at least half an hour; the displayed one is never older than this. */
const LINK_REFRESH_MS = 10 * 60_000;

export const handle: Handle = { crumb: connectionCrumb };
export const loader = ({ params }: LoaderFunctionArgs) =>
  ensure(connectionQuery(idIn(params)), appsQuery, accountQuery);

/** One connection: status and repair, request builder, gateway calls, settings; each tab has its own URL. */
export function Component() {
  const id = idIn(useParams());
  const { connection } = usePrefetchedQuery({
    ...connectionQuery(id),
    refetchInterval: LINK_REFRESH_MS,
  }).data;
  const { apps } = usePrefetchedQuery(appsQuery).data;
  const navigate = useNavigate();
  const trying = manualCallTab(connection);
  useConnectMessage(id, connection.url);
  usePageActions([
    { label: trying.action, icon: Send, onSelect: () => void navigate(path.connection(id, trying.tab)) },
    { label: 'Gateway calls', icon: List, onSelect: () => void navigate(path.connection(id, 'calls')) },
  ]);
  return (
    <>
      <PageHead
        title={titleOf(connection, apps)}
        meta={<Facts connection={connection} apps={apps} />}
        actions={<More connection={connection} />}
      >
        <Tabs label="Connection">
          <TabLink render={<NavLink end to={path.connection(id)} />}>Overview</TabLink>
          <TabLink render={<NavLink to={path.connection(id, trying.tab)} />}>{trying.label}</TabLink>
          <TabLink render={<NavLink to={path.connection(id, 'calls')} />}>Calls</TabLink>
          <TabLink render={<NavLink to={path.connection(id, 'settings')} />}>Settings</TabLink>
        </Tabs>
      </PageHead>
      <Outlet key={id} />
    </>
  );
}

function Facts({ connection, apps }: { connection: Connection; apps: readonly App[] }) {
  const appName = appNameOf(apps, connection.app);
  return (
    <>
      <Link
        to={path.app(connection.app)}
        className="ui-target flex min-w-0 items-center gap-1.5 text-fg-2 hover:text-fg"
      >
        <AppIcon app={connection.app} name={appName} />
        <span className={connection.name === null ? 'sr-only' : 'truncate max-sm:sr-only'}>{appName}</span>
      </Link>
      <ConnectionChip status={connection.status} />
      {connection.is_default ? <Tag>Default</Tag> : null}
    </>
  );
}

function More({ connection: { connection_id } }: { connection: Connection }) {
  const params = { connection_id };
  return (
    <Menu
      label="More actions for this connection"
      align="end"
      trigger={(opener) => (
        <IconButton {...opener} icon={MoreHorizontal} label="More actions for this connection" tip="More" />
      )}
    >
      <CopyAsCurlItem text={() => curlText('connectionGet', { params })}>Copy get request as curl</CopyAsCurlItem>
      <CopyAsCurlItem text={() => curlText('connectionTest', { params })}>Copy test request as curl</CopyAsCurlItem>
      <CopyAsCurlItem text={() => curlText('connectionReconnect', { params })}>
        Copy reconnect request as curl
      </CopyAsCurlItem>
      <CopyAsCurlItem text={() => curlText('connectionDelete', { params })}>Copy delete request as curl</CopyAsCurlItem>
    </Menu>
  );
}
