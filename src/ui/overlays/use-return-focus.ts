import { useEffect, useLayoutEffect, useRef } from 'react';

/**
 * Gives the focus back to what had it when something opened over the page, also when that is taken away at once and not
 * closed first. What had it may be gone by then, a removed row's menu: the page's heading takes its place.
 */
export function useReturnFocus(open: boolean): void {
  const before = useRef<Element>(null);
  useLayoutEffect(() => {
    if (open) before.current = document.activeElement;
  }, [open]);
  useEffect(() => {
    if (!open) return undefined;
    // when all that held the focus is gone, and the page can be reached again
    return () => queueMicrotask(() => giveBack(before.current));
  }, [open]);
}

function giveBack(opener: Element | null): void {
  if (document.activeElement !== document.body) return;
  const there = opener instanceof HTMLElement && opener.isConnected && opener !== document.body;
  const heir = there ? opener : document.querySelector<HTMLElement>('main h1');
  heir?.focus({ preventScroll: true });
}
