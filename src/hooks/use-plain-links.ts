import { type RefObject, useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router';

/**
 * Lets plain links inside an element lead through the router: rows that change by the thousand a second, or are drawn
 * again at each letter typed, can't afford a router's link each. `links` chooses which. `data-here` marks those that
 * only change the address of the page they are on.
 */
export function usePlainLinks(box: RefObject<HTMLElement | null>, links = 'a'): void {
  const navigate = useNavigate();
  const go = useEffectEvent((to: string, here: boolean) =>
    navigate(to, here ? { replace: true, preventScrollReset: true } : {}),
  );
  useEffect(() => {
    const element = box.current;
    const onClick = (event: MouseEvent) => {
      if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>(links) : null;
      const to = link?.getAttribute('href');
      if (event.defaultPrevented || !to) return;
      event.preventDefault();
      void go(to, link?.dataset['here'] !== undefined);
    };
    element?.addEventListener('click', onClick);
    return () => element?.removeEventListener('click', onClick);
  }, [box, links]);
}
