import type { DataTag, QueryKey } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { type Params, useMatches } from 'react-router';
import { queryClient } from '../api/query-client.ts';

/** What a crumb may look at: the address, and answers that are in the cache. */
export type CrumbArgs = {
  readonly params: Readonly<Params>;
  readonly cached: <T>(query: { readonly queryKey: DataTag<QueryKey, T, unknown> }) => T | undefined;
};
export type Crumb = string | ((args: CrumbArgs) => string);
/** What a route module may say about itself: `export const handle: Handle = { crumb: 'Triggers' }`. */
export type Handle = {
  readonly crumb?: Crumb | undefined;
  /** Only holds pages, each with its own h1: going from one to another is an arrival. */
  readonly folder?: boolean | undefined;
};

function isHandle(value: unknown): value is Handle {
  return typeof value === 'object' && value !== null && 'crumb' in value;
}

export const isFolder = (handle: unknown): boolean => isHandle(handle) && handle.folder === true;

export type ShownCrumb = { readonly label: string; readonly to: string };

const cached: CrumbArgs['cached'] = (query) => queryClient.getQueryData(query.queryKey);

/** The way from the top to what is shown, for the breadcrumb and the title; follows renames in the cache. */
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
