import { useEffect } from 'react';
import { useLocation, useMatches } from 'react-router';
import { useChange } from '../hooks/use-change.ts';
import { useTitle } from '../hooks/use-title.ts';
import { isFolder, useCrumbs } from './handle.ts';
import { rememberVisit } from './palette/recent.ts';

/** Depth of the routes that are pages: below the Shell and the route that catches errors. */
const PAGE_DEPTH = 2;

/**
 * After a navigation to another page the focus goes to its h1, so that a screen reader starts there; opening a panel
 * or turning to a tab is no arrival. The title of the window says where we are.
 */
export function useArrival(): void {
  const crumbs = useCrumbs();
  useTitle([...crumbs.map(({ label }) => label).reverse(), 'Sluice'].join(' · '));

  const { pathname } = useLocation();
  useEffect(() => {
    const named = crumbs.map(({ label }) => label).join(' / ');
    // the places of the navigation are in the palette anyway
    if (crumbs.length > 1 && named) rememberVisit({ title: named, to: pathname });
  });

  const page = useMatches()
    .slice(PAGE_DEPTH)
    .find(({ handle }) => !isFolder(handle))?.pathname;
  useChange(page, () => document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true }));
}
