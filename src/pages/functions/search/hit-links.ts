/**
 * Hits, and the names of what they are in, are plain links. There may be a thousand of them, and a router's link looks
 * at the address again whenever it changes, which is at every letter typed here. What one leads to starts loading while
 * the pointer or the focus rests on it, as with any link of the console.
 */
import { type RefObject, useRef } from 'react';
import { useLeave } from '../../../hooks/use-leave.ts';
import { useListener } from '../../../hooks/use-listener.ts';
import { usePlainLinks } from '../../../hooks/use-plain-links.ts';
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
  useLeave(stop);
}
