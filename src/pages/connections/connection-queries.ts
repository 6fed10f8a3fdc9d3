/** Queries of the connection pages, and display names of their data. */
import { PAGE } from '../../../contract/limits.ts';
import { send } from '../../api/client.ts';
import type { App, Connection } from '../../api/entities.ts';
import type { CallInput, Reply } from '../../api/operation.ts';
import { type PagesQuery, q } from '../../api/queries.ts';
import type { CrumbArgs } from '../../layouts/handle.ts';

export const connectionQuery = (connection_id: string) => q('connectionGet', { params: { connection_id } });
export const appsQuery = q('appList');
export const appQuery = (app: string) => q('appGet', { params: { app } });
export const savedRequestsQuery = (app: string) => q('savedRequestList', { params: { app } });
/** The paths of the app's OpenAPI document. */
export const pathsQuery = (app: string) => q('appPathList', { params: { app } });
export const credentialsQuery = (app: string) => q('appCredentialList', { params: { app } });
export const accountQuery = q('accountGet');
/** The connections of an app that calls can use. */
export const activeQuery = (app: string) => q('connectionList', { query: { app, status: 'ACTIVE' } });

/** Without `limit` the API returns all connections at once; the list reads pages. */
export function connectionsQuery(input: CallInput<'connectionList'>): PagesQuery<Reply<'connectionList'>> {
  return {
    queryKey: ['connectionList', input, 'pages'],
    queryFn: ({ pageParam, signal }) => {
      const query = { ...input.query, limit: PAGE.connections.default, next_token: pageParam };
      return send('connectionList', { ...input, query }, signal) as Promise<Reply<'connectionList'>>;
    },
    initialPageParam: undefined,
    getNextPageParam: ({ next_token }) => next_token ?? undefined,
  };
}

/** All connections of an app, in any status. */
export const connectionsOfQuery = (app: string) => q('connectionList', { query: { app } });

export const idIn = (params: CrumbArgs['params']): string => params['connectionId'] ?? '';

/** Apps that can be connected; sources such as schedules need no authorization. */
export const connectable = (apps: readonly App[]): readonly App[] => apps.filter((app) => app.methods.length > 0);

export const appNameOf = (apps: readonly App[] | undefined, id: string): string =>
  apps?.find(({ app }) => app === id)?.name ?? id;

/** The connection's name, or its app's name if it has none. */
export const titleOf = (connection: Connection, apps: readonly App[] | undefined): string =>
  connection.name ?? appNameOf(apps, connection.app);

export const appIn = (params: CrumbArgs['params']): string => params['app'] ?? '';

export const appCrumb = ({ params, cached }: CrumbArgs): string =>
  cached(appQuery(appIn(params)))?.app.name ?? appNameOf(cached(appsQuery)?.apps, appIn(params));

export const connectionCrumb = ({ params, cached }: CrumbArgs): string => {
  const connection = cached(connectionQuery(idIn(params)))?.connection;
  return connection ? titleOf(connection, cached(appsQuery)?.apps) : 'Connection';
};
