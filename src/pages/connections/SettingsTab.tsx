import { useParams } from 'react-router';
import { usePrefetchedQuery } from '../../api/queries.ts';
import type { Handle } from '../../layouts/handle.ts';
import { ScrollPage } from '../../layouts/ScrollPage.tsx';
import { CheckSettings } from './CheckSettings.tsx';
import { ConnectionSettings } from './ConnectionSettings.tsx';
import { appNameOf, appsQuery, connectionQuery, idIn } from './connection-queries.ts';
import { DeleteConnectionSection } from './DeleteConnectionSection.tsx';
import { ReplaceConnection } from './uses/ReplaceConnection.tsx';

export const handle: Handle = { crumb: 'Settings' };

/** The settings of a connection, and its deletion. */
export function Component() {
  const { connection } = usePrefetchedQuery(connectionQuery(idIn(useParams()))).data;
  const { apps } = usePrefetchedQuery(appsQuery).data;
  return (
    <ScrollPage label="Settings">
      <div className="divide-y divide-line">
        <ConnectionSettings connection={connection} appName={appNameOf(apps, connection.app)} />
        <CheckSettings connection={connection} appName={appNameOf(apps, connection.app)} />
        <ReplaceConnection connection={connection} appName={appNameOf(apps, connection.app)} />
        <DeleteConnectionSection connection={connection} apps={apps} />
      </div>
    </ScrollPage>
  );
}
