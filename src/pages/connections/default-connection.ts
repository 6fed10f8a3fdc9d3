import type { Connection } from '../../api/entities.ts';

/**
 * The connection of a gateway call without a connection ID: the app's default if it is ACTIVE, else the oldest.
 * `active` are the app's ACTIVE connections, newest first, as the API lists them.
 */
export function defaultConnection(active: readonly Connection[]): Connection | undefined {
  return active.find(({ is_default }) => is_default) ?? active.at(-1);
}
