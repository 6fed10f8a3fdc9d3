/**
 * Hits and their headings are plain links: there may be a thousand, and a router link renders on each URL change, which
 * is each key press here. The target is preloaded while the pointer or the focus rests on it, as for every link of the
 * console.
 */
import { type RefObject, useRef } from 'react';
import { useListener } from '../../../hooks/use-listener.ts';
import { usePlainLinks } from '../../../hooks/use-plain-links.ts';
import { useUnmount } from '../../../hooks/use-unmount.ts';
import { INTENT_MS, preload } from '../../../lib/preload.ts';

const HIT = 'a:is([data-hit], [data-found])';

export function useHitLinks(box: RefObject<HTMLElement | null>): void {
  usePlainLinks(box, HIT);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const stop = () => clearTimeout(timer.current);
  const intend = ({ target }: Event) => {
    stop();
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>(HIT) : null;
    if (link) timer.current = setTimeout(() => void preload(link.href), INTENT_MS);
  };
  useListener(box, ['pointerover', 'focusin'], intend);
  useListener(box, ['pointerleave', 'focusout'], stop);
  useUnmount(stop);
}
