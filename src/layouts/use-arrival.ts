import { useEffect } from 'react';
import { useLocation, useMatches } from 'react-router';
import { useChange } from '../hooks/use-change.ts';
import { useTitle } from '../hooks/use-title.ts';
import { isFolder, useCrumbs } from './handle.ts';
import { rememberVisit } from './palette/recent.ts';

/** The depth of page routes: below the Shell and the error boundary route. */
const PAGE_DEPTH = 2;

/**
 * Sets the document title, and after a navigation to another page focuses its h1, so that screen readers start there.
 * Opening a panel or a tab does not move the focus, and an open palette keeps it.
 */
export function useArrival(isPaletteOpen: boolean): void {
  const crumbs = useCrumbs();
  useTitle([...crumbs.map(({ label }) => label).reverse(), 'Sluice'].join(' · '));

  const { pathname } = useLocation();
  useEffect(() => {
    const named = crumbs.map(({ label }) => label).join(' / ');
    // the main pages are in the palette anyway
    if (crumbs.length > 1 && named) rememberVisit({ title: named, to: pathname });
  });

  const page = useMatches()
    .slice(PAGE_DEPTH)
    .find(({ handle }) => !isFolder(handle))?.pathname;
  useChange(page, () => {
    if (!isPaletteOpen) document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  });
}
