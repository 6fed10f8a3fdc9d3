/**
 * The URL of a destination that is a connected app: `connection://<connection_id>/<path>?<query>`. The path is native, as
 * in a call through the gateway, and may have placeholders.
 */

export const isConnectionUrl = (url: string): boolean => /^\s*connection:/i.test(url);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The ID is empty if it is none. The path begins with a slash. */
export function partsOfConnectionUrl(url: string): { connection_id: string; path: string } {
  const [, host = '', rest = ''] = /^\s*connection:\/\/([^/?#]*)(.*)$/is.exec(url) ?? [];
  const id = host.toLowerCase();
  return { connection_id: UUID.test(id) ? id : '', path: rest.startsWith('/') ? rest : `/${rest}` };
}

/** A URL from its parts; the slash at the beginning of the path may be missing. */
export const writeConnectionUrl = (connection_id: string, path: string): string =>
  `connection://${connection_id}${path.startsWith('/') ? '' : '/'}${path}`;
