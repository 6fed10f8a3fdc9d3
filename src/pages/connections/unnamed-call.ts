import type { Connection } from '../../api/entities.ts';

/**
 * The connection that a gateway call goes out with when it names none: the app's default where that is ACTIVE, else the
 * oldest one. `active` are the app's ACTIVE connections, newest first, as the service lists them.
 */
export function takenUnnamed(active: readonly Connection[]): Connection | undefined {
  return active.find(({ is_default }) => is_default) ?? active.at(-1);
}

/** What takes its place once `connection_id` is gone. */
export function takenWithout(active: readonly Connection[], connection_id: string): Connection | undefined {
  return takenUnnamed(active.filter((each) => each.connection_id !== connection_id));
}
