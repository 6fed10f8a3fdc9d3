import { type RefObject, useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router';

/**
 * Lets plain links inside an element lead through the router: rows that change by the thousand a second can't afford a
 * router's link each. `data-here` marks those that only change the address of the page they are on.
 */
export function useRowLinks(box: RefObject<HTMLElement | null>): void {
  const navigate = useNavigate();
  const go = useEffectEvent((to: string, here: boolean) =>
    navigate(to, here ? { replace: true, preventScrollReset: true } : {}),
  );
  useEffect(() => {
    const element = box.current;
    const onClick = (event: MouseEvent) => {
      if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      const to = link?.getAttribute('href');
      if (event.defaultPrevented || !to) return;
      event.preventDefault();
      void go(to, link?.dataset['here'] !== undefined);
    };
    element?.addEventListener('click', onClick);
    return () => element?.removeEventListener('click', onClick);
  }, [box]);
}
