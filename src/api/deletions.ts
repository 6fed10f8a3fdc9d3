/**
 * Resources that this tab is deleting. Their change arrives on the live stream while their page is still open and must
 * not trigger a request for the deleted resource. Once the page closes, their cached data is evicted.
 */
import type { Query } from '@tanstack/react-query';
import { routes } from '../../contract/routes.ts';
import { type AnyInput, inputOf, type Operation } from './operation.ts';
import { queryClient } from './query-client.ts';

const pending = new Set<string>();

/** The id that a DELETE operation removes: the last path parameter. Undefined for every other operation. */
export function deletedBy(operation: Operation, { params = {} }: AnyInput): string | undefined {
  const { method, path } = routes[operation];
  const last = /\{(\w+)\}$/.exec(path)?.[1];
  return method === 'DELETE' && last !== undefined ? String(params[last]) : undefined;
}

export const isBeingDeleted = ({ params = {} }: AnyInput): boolean =>
  pending.size > 0 && Object.values(params).some((id) => pending.has(String(id)));

export function beginDeletion(id: string | undefined): void {
  if (id !== undefined) pending.add(id);
}

/** For a deletion that failed. */
export function cancelDeletion(id: string | undefined): void {
  if (id !== undefined) pending.delete(id);
}

const deleted = new Set<string>();
let watching = false;

const isDeleted = (query: Pick<Query, 'queryKey'>): boolean =>
  Object.values(inputOf(query).params ?? {}).some((id) => deleted.has(String(id)));

/** Evicts the cached data of a deleted resource: at once if no view displays it, else when the last view closes. */
export function completeDeletion(id: string | undefined): void {
  if (id === undefined) return;
  deleted.add(id);
  queryClient.removeQueries({ type: 'inactive', predicate: isDeleted });
  if (watching) return;
  watching = true;
  const cache = queryClient.getQueryCache();
  cache.subscribe(({ type, query }) => {
    if (type === 'observerRemoved' && !query.isActive() && isDeleted(query)) cache.remove(query);
  });
}
