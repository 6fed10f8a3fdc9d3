/** Connected apps as destinations, in words. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { isConnectionUrl, partsOfConnectionUrl } from '../../../../contract/text/connection-url.ts';
import { appsQuery, connectionsQuery } from '../trigger-queries.ts';

export interface ConnectionNames {
  /** `Slack · Acme`, or the ID of a connection that is not there. */
  readonly nameOf: (connectionId: string) => string;
}

/** The names of all connections with their apps. */
export function useConnectionNames(): ConnectionNames {
  const connections = useQuery(connectionsQuery).data?.connections;
  const apps = useQuery(appsQuery).data?.apps;
  return useMemo(() => {
    const titles = new Map(apps?.map(({ app, name }) => [app, name]));
    const names = new Map(
      connections?.map(({ connection_id, app, name }) => [
        connection_id,
        [titles.get(app) ?? app, name].filter(Boolean).join(' · '),
      ]),
    );
    return { nameOf: (connectionId) => names.get(connectionId) ?? connectionId };
  }, [connections, apps]);
}

/** The URL of a destination for a person: `/api/chat.postMessage via Slack · Acme`, or the URL. */
export function urlWords(url: string, { nameOf }: ConnectionNames): string {
  if (!isConnectionUrl(url)) return url;
  const { connection_id, path } = partsOfConnectionUrl(url);
  return `${path} via ${nameOf(connection_id)}`;
}
