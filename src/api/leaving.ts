/**
 * Things that are being deleted from this tab. Their change comes over the live stream before their page is left, and
 * must not be answered by asking for what is gone; once it is left, what was known of them is forgotten.
 */
import type { Query } from '@tanstack/react-query';
import { routes } from '../../contract/routes.ts';
import { type AnyInput, inputOf, type Operation } from './operation.ts';
import { queryClient } from './query-client.ts';

const leaving = new Set<string>();

/** The id a deletion is about: the last in its path. Undefined for every other operation. */
export function deletedBy(operation: Operation, { params = {} }: AnyInput): string | undefined {
  const { method, path } = routes[operation];
  const last = /\{(\w+)\}$/.exec(path)?.[1];
  return method === 'DELETE' && last !== undefined ? String(params[last]) : undefined;
}

export const isLeaving = ({ params = {} }: AnyInput): boolean =>
  leaving.size > 0 && Object.values(params).some((id) => leaving.has(String(id)));

export function leave(id: string | undefined): void {
  if (id !== undefined) leaving.add(id);
}

/** It was not deleted after all. */
export function stay(id: string | undefined): void {
  if (id !== undefined) leaving.delete(id);
}

const gone = new Set<string>();
let watching = false;

const isGone = (query: Pick<Query, 'queryKey'>): boolean =>
  Object.values(inputOf(query).params ?? {}).some((id) => gone.has(String(id)));

/** It is deleted: its cached data is evicted at once unless displayed, else when the last view of it closes. */
export function forget(id: string | undefined): void {
  if (id === undefined) return;
  gone.add(id);
  queryClient.removeQueries({ type: 'inactive', predicate: isGone });
  if (watching) return;
  watching = true;
  const cache = queryClient.getQueryCache();
  cache.subscribe(({ type, query }) => {
    if (type === 'observerRemoved' && !query.isActive() && isGone(query)) cache.remove(query);
  });
}
