import { MoreHorizontal } from 'lucide-react';
import { type LoaderFunctionArgs, useParams } from 'react-router';
import type { App, Connection } from '../../api/entities.ts';
import { ensure, usePrefetchedQuery } from '../../api/queries.ts';
import { AppIcon } from '../../components/AppIcon.tsx';
import { CopyAsCurlItem, curlText } from '../../components/CopyAsCurl.tsx';
import { IdText } from '../../components/IdText.tsx';
import { ConnectionChip } from '../../components/status.tsx';
import type { Handle } from '../../layouts/handle.ts';
import { ScrollPage } from '../../layouts/ScrollPage.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { KeyValueList } from '../../ui/KeyValueList.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { PageHead } from '../../ui/PageHead.tsx';
import { Tag } from '../../ui/Tag.tsx';
import { Time } from '../../ui/Time.tsx';
import { ConnectionSettings } from './ConnectionSettings.tsx';
import { ConnectionState } from './ConnectionState.tsx';
import { useWindowNews } from './connect-window.ts';
import {
  accountQuery,
  appNameOf,
  appsQuery,
  connectionCrumb,
  connectionQuery,
  idIn,
  titleOf,
} from './connection-queries.ts';
import { EndOfConnection } from './EndOfConnection.tsx';
import { GatewayCalls } from './GatewayCalls.tsx';
import { Section } from './Section.tsx';

/** A link lives half an hour at least; the one on the screen is never older than this. */
const LINK_REFRESH_MS = 10 * 60_000;

export const handle: Handle = { crumb: connectionCrumb };
export const loader = ({ params }: LoaderFunctionArgs) =>
  ensure(connectionQuery(idIn(params)), appsQuery, accountQuery);

/** One connection: how it is, what mends it, how it is called, what it is called. */
export function Component() {
  const id = idIn(useParams());
  const { connection } = usePrefetchedQuery({
    ...connectionQuery(id),
    refetchInterval: LINK_REFRESH_MS,
  }).data;
  const { apps } = usePrefetchedQuery(appsQuery).data;
  const app = apps.find((each) => each.app === connection.app);
  const appName = appNameOf(apps, connection.app);
  useWindowNews(id, connection.url);
  return (
    <>
      <PageHead
        title={titleOf(connection, apps)}
        meta={<Facts connection={connection} apps={apps} />}
        actions={<More connection={connection} />}
      />
      <ScrollPage label="Connection">
        <div key={id} className="min-h-full border-t border-line xl:flex">
          <div className="divide-y divide-line xl:w-[720px]">
            <ConnectionState connection={connection} appName={appName} />
            {connection.status === 'ACTIVE' && app ? <GatewayCalls connection={connection} app={app} /> : null}
            <ConnectionSettings connection={connection} appName={appName} />
          </div>
          <div className="divide-y divide-line border-line max-xl:border-t xl:min-w-[400px] xl:flex-1 xl:border-l">
            <Section title="Facts">
              <AllFacts connection={connection} app={app} />
            </Section>
            <EndOfConnection connection={connection} apps={apps} />
          </div>
        </div>
      </ScrollPage>
    </>
  );
}

function Facts({ connection, apps }: { connection: Connection; apps: readonly App[] }) {
  const appName = appNameOf(apps, connection.app);
  return (
    <>
      <span className="flex min-w-0 items-center gap-1.5 text-fg-2">
        <AppIcon app={connection.app} name={appName} />
        {connection.name === null ? null : <span className="truncate max-sm:hidden">{appName}</span>}
      </span>
      <ConnectionChip status={connection.status} />
      {connection.is_default ? <Tag>Default</Tag> : null}
    </>
  );
}

function AllFacts({ connection, app }: { connection: Connection; app: App | undefined }) {
  const docs = app?.docs_url ?? null;
  return (
    <KeyValueList
      items={[
        { name: 'Connection id', value: <IdText id={connection.connection_id} whole noun="connection id" /> },
        { name: 'App', value: app ? `${app.name}${app.custom ? ', a custom app' : ''}` : connection.app },
        ...(app?.base_url ? [{ name: 'Address', value: app.base_url, mono: true }] : []),
        ...(docs === null
          ? []
          : [
              {
                name: 'Docs',
                value: (
                  <a className="link" href={docs} target="_blank" rel="noreferrer">
                    {docs}
                  </a>
                ),
              },
            ]),
        connection.method === undefined
          ? { name: 'Method', value: 'not chosen yet' }
          : { name: 'Method', value: connection.method, mono: true },
        {
          name: 'Last used',
          value: connection.last_used_time === null ? 'never' : <Time at={connection.last_used_time} as="full" />,
        },
        { name: 'Created', value: <Time at={connection.creation_time} as="full" /> },
        { name: 'Changed', value: <Time at={connection.last_updated_time} as="full" /> },
      ]}
    />
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
      <CopyAsCurlItem text={() => curlText('connectionGet', { params })}>Copy reading it as curl</CopyAsCurlItem>
      <CopyAsCurlItem text={() => curlText('connectionDelete', { params })}>Copy deleting it as curl</CopyAsCurlItem>
    </Menu>
  );
}
