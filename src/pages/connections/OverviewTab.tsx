import { useParams } from 'react-router';
import type { App, Connection } from '../../api/entities.ts';
import { usePrefetchedQuery } from '../../api/queries.ts';
import { IdText } from '../../components/IdText.tsx';
import { Link } from '../../components/Link.tsx';
import { ScrollPage } from '../../layouts/ScrollPage.tsx';
import { METHOD_NAMES } from '../../lib/method-names.ts';
import { path } from '../../lib/path.ts';
import { KeyValueList } from '../../ui/KeyValueList.tsx';
import { Time } from '../../ui/Time.tsx';
import { CallIt } from './CallIt.tsx';
import { ConnectionState } from './ConnectionState.tsx';
import { appNameOf, appsQuery, connectionQuery, idIn } from './connection-queries.ts';
import { Health } from './Health.tsx';
import { Section } from './Section.tsx';
import { CallServer } from './tools/CallServer.tsx';
import { UsedBy } from './uses/UsedBy.tsx';

/** The connection's status, how to repair and call it, and what uses it. */
export function Component() {
  const { connection } = usePrefetchedQuery(connectionQuery(idIn(useParams()))).data;
  const { apps } = usePrefetchedQuery(appsQuery).data;
  const app = apps.find((each) => each.app === connection.app);
  const appName = appNameOf(apps, connection.app);
  return (
    <ScrollPage label="Connection">
      <div className="min-h-full xl:flex">
        <div className="min-w-0 divide-y divide-line xl:w-[720px]">
          <ConnectionState connection={connection} appName={appName} />
          {connection.status === 'PENDING' ? null : <Health connection={connection} />}
          {app && connection.status === 'ACTIVE' ? <Calling connection={connection} app={app} /> : null}
        </div>
        <div className="min-w-0 divide-y divide-line border-line max-xl:border-t xl:min-w-[416px] xl:flex-1 xl:border-l">
          <UsedBy connection={connection} />
          <Section title="Details">
            <AllFacts connection={connection} app={app} />
          </Section>
        </div>
      </div>
    </ScrollPage>
  );
}

function Calling(props: { connection: Connection; app: App }) {
  return props.connection.method === 'MCP' ? <CallServer {...props} /> : <CallIt {...props} />;
}

function AllFacts({ connection, app }: { connection: Connection; app: App | undefined }) {
  const docs = app?.docs_url ?? null;
  const { connection_id, method, last_used_time, creation_time, last_updated_time } = connection;
  return (
    <KeyValueList
      items={[
        { name: 'ID', value: <IdText id={connection_id} whole noun="connection id" /> },
        {
          name: 'App',
          value: app ? (
            <>
              <Link className="link underline underline-offset-2" to={path.app(app.app)}>
                {app.name}
              </Link>
              {app.custom ? ', a custom app' : null}
            </>
          ) : (
            connection.app
          ),
        },
        ...(app?.base_url ? [{ name: 'URL', value: app.base_url, mono: true }] : []),
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
        method === undefined
          ? { name: 'Method', value: 'not chosen yet' }
          : { name: 'Method', value: METHOD_NAMES[method] },
        { name: 'Last used', value: last_used_time === null ? 'never' : <Time at={last_used_time} as="full" /> },
        { name: 'Created', value: <Time at={creation_time} as="full" /> },
        { name: 'Updated', value: <Time at={last_updated_time} as="full" /> },
      ]}
    />
  );
}
