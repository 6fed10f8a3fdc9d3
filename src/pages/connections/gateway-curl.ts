import { shellQuoted } from '../../api/curl.ts';
import type { Connection } from '../../api/entities.ts';

/** What stands after the app's name in the gateway's address; a slash where nothing is written. */
const pathOf = (typed: string): string => (typed.startsWith('/') ? typed : `/${typed}`);

export interface GatewayCall {
  readonly baseUrl: string;
  readonly app: string;
  readonly path: string;
  /** The connection to name; without one the app's default is used. */
  readonly connection?: Pick<Connection, 'connection_id'> | undefined;
}

/** A call of the app's own API through the gateway, for a terminal. */
export function gatewayCurl({ baseUrl, app, path, connection }: GatewayCall): string {
  return [
    `curl ${shellQuoted(`${baseUrl}/${app}${pathOf(path.trim())}`)}`,
    `-H "Authorization: Bearer $API_KEY"`,
    ...(connection ? [`-H 'Service-Connection: ${connection.connection_id}'`] : []),
  ].join(' \\\n  ');
}
