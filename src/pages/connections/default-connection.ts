import type { Connection } from '../../api/entities.ts';

/**
 * The connection of a gateway call without a connection ID: the app's default if it is ACTIVE, else the oldest.
 * `active` are the app's ACTIVE connections, newest first, as the API lists them.
 */
export function defaultConnection(active: readonly Connection[]): Connection | undefined {
  return active.find(({ is_default }) => is_default) ?? active.at(-1);
}

/** The connection that replaces it once `connection_id` is deleted. */
export function nextDefaultConnection(active: readonly Connection[], connection_id: string): Connection | undefined {
  return defaultConnection(active.filter((each) => each.connection_id !== connection_id));
}
