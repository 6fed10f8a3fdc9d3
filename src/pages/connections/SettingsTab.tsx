import { useParams } from 'react-router';
import { usePrefetchedQuery } from '../../api/queries.ts';
import type { Handle } from '../../layouts/handle.ts';
import { ScrollPage } from '../../layouts/ScrollPage.tsx';
import { ConnectionSettings } from './ConnectionSettings.tsx';
import { appNameOf, appsQuery, connectionQuery, idIn } from './connection-queries.ts';
import { EndOfConnection } from './EndOfConnection.tsx';

export const handle: Handle = { crumb: 'Settings' };

/** What a person may change about a connection, and its end. */
export function Component() {
  const { connection } = usePrefetchedQuery(connectionQuery(idIn(useParams()))).data;
  const { apps } = usePrefetchedQuery(appsQuery).data;
  return (
    <ScrollPage label="Settings">
      <div className="divide-y divide-line">
        <ConnectionSettings connection={connection} appName={appNameOf(apps, connection.app)} />
        <EndOfConnection connection={connection} apps={apps} />
      </div>
    </ScrollPage>
  );
}
