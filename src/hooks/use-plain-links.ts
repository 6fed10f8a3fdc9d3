import type { RefObject } from 'react';
import { useNavigate } from 'react-router';
import { useListener } from './use-listener.ts';

/**
 * Routes clicks on plain links inside an element through the router. A router link per row is too expensive where rows
 * change by the thousand per second or re-render on every keystroke. `links` is the selector. `data-here` marks links
 * that only change the URL of the current page.
 */
export function usePlainLinks(box: RefObject<HTMLElement | null>, links = 'a'): void {
  const navigate = useNavigate();
  useListener(box, 'click', (event) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>(links) : null;
    const to = link?.getAttribute('href');
    if (event.defaultPrevented || !to) return;
    event.preventDefault();
    const isHere = link?.dataset['here'] !== undefined;
    void navigate(to, isHere ? { replace: true, preventScrollReset: true } : {});
  });
}
