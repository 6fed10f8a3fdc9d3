/**
 * Hits are plain links. There may be a thousand of them, and a router's link looks at the address anew whenever it
 * changes, which is at every letter typed here; so one listener on the list leads to where they lead.
 */
import { type RefObject, useEffect } from 'react';
import { useNavigate } from 'react-router';
import { INTENT_MS, preload } from '../../lib/preload.ts';

const linkOf = ({ target }: Event) =>
  target instanceof Element ? target.closest<HTMLAnchorElement>('a[data-hit]') : null;

export function useHitLinks(box: RefObject<HTMLElement | null>): void {
  const navigate = useNavigate();
  useEffect(() => {
    const list = box.current;
    if (!list) return;
    const left = new AbortController();
    const { signal } = left;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const open = (event: MouseEvent) => {
      const link = linkOf(event);
      const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
      if (!link || !isPlain || event.defaultPrevented) return;
      event.preventDefault();
      void navigate(link.getAttribute('href') ?? '');
    };
    const intend = (event: Event) => {
      clearTimeout(timer);
      const link = linkOf(event);
      if (link) timer = setTimeout(() => void preload(link.href), INTENT_MS);
    };
    list.addEventListener('click', open, { signal });
    for (const come of ['pointerover', 'focusin']) list.addEventListener(come, intend, { signal });
    for (const go of ['pointerleave', 'focusout']) list.addEventListener(go, () => clearTimeout(timer), { signal });
    return () => {
      clearTimeout(timer);
      left.abort();
    };
  }, [box, navigate]);
}
