import type { RefObject } from 'react';
import { useNavigate } from 'react-router';
import { useListener } from './use-listener.ts';

/**
 * Lets plain links inside an element lead through the router: rows that change by the thousand a second, or are drawn
 * again at each letter typed, can't afford a router's link each. `links` chooses which. `data-here` marks those that
 * only change the address of the page they are on.
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
