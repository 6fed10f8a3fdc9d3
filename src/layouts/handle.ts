import type { DataTag, QueryKey } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { type Params, useMatches } from 'react-router';
import { queryClient } from '../api/query-client.ts';

/** The input of a crumb function: URL parameters and cached queries. */
export type CrumbArgs = {
  readonly params: Readonly<Params>;
  readonly cached: <T>(query: { readonly queryKey: DataTag<QueryKey, T, unknown> }) => T | undefined;
};
export type Crumb = string | ((args: CrumbArgs) => string);
/** The handle of a route module: `export const handle: Handle = { crumb: 'Triggers' }`. */
export type Handle = {
  readonly crumb?: Crumb | undefined;
  /** The route only groups pages, each with its own h1, so navigation between them moves the focus. */
  readonly folder?: boolean | undefined;
};

function isHandle(value: unknown): value is Handle {
  return typeof value === 'object' && value !== null && 'crumb' in value;
}

export const isFolder = (handle: unknown): boolean => isHandle(handle) && handle.folder === true;

export type ShownCrumb = { readonly label: string; readonly to: string };

const cached: CrumbArgs['cached'] = (query) => queryClient.getQueryData(query.queryKey);

/** The breadcrumb of the current page, also for the document title. Updates when cached names change. */
export function useCrumbs(): readonly ShownCrumb[] {
  const matches = useMatches();
  const crumbs = matches.flatMap(({ handle, params, pathname }) =>
    isHandle(handle) && handle.crumb !== undefined ? [{ crumb: handle.crumb, params, to: pathname }] : [],
  );
  const labels = () =>
    crumbs.map(({ crumb, params }) => (typeof crumb === 'string' ? crumb : crumb({ params, cached }))).join('\u0000');
  const subscribe = useCallback((onChange: () => void) => queryClient.getQueryCache().subscribe(onChange), []);
  const shown = useSyncExternalStore(subscribe, labels, labels).split('\u0000');
  return crumbs.map(({ to }, index) => ({ to, label: shown[index] ?? '' }));
}
