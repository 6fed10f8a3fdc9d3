/**
 * Hits, and the names of what they are in, are plain links. There may be a thousand of them, and a router's link looks at the address again whenever it
 * changes, which is at every letter typed here. What one leads to starts loading while the pointer or the focus rests on
 * it, as with any link of the console.
 */
import { type RefObject, useEffect } from 'react';
import { usePlainLinks } from '../../../hooks/use-plain-links.ts';
import { INTENT_MS, preload } from '../../../lib/preload.ts';

const HIT = 'a:is([data-hit], [data-found])';

export function useHitLinks(box: RefObject<HTMLElement | null>): void {
  usePlainLinks(box, HIT);
  useEffect(() => {
    const list = box.current;
    if (!list) return;
    const left = new AbortController();
    const { signal } = left;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const intend = ({ target }: Event) => {
      clearTimeout(timer);
      const link = target instanceof Element ? target.closest<HTMLAnchorElement>(HIT) : null;
      if (link) timer = setTimeout(() => void preload(link.href), INTENT_MS);
    };
    for (const come of ['pointerover', 'focusin']) list.addEventListener(come, intend, { signal });
    for (const go of ['pointerleave', 'focusout']) list.addEventListener(go, () => clearTimeout(timer), { signal });
    return () => {
      clearTimeout(timer);
      left.abort();
    };
  }, [box]);
}
