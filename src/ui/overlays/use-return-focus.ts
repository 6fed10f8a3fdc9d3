import { useEffect, useLayoutEffect, useRef } from 'react';

/**
 * Returns the focus to the element that had it when an overlay opened, also if the overlay unmounts without closing. If
 * that element was removed, for example the menu of a deleted row, focuses the heading of the page.
 */
export function useReturnFocus(open: boolean): void {
  const before = useRef<Element>(null);
  useLayoutEffect(() => {
    if (open) before.current = document.activeElement;
  }, [open]);
  useEffect(() => {
    if (!open) return undefined;
    // after the overlay is removed and the page is no longer inert
    return () => queueMicrotask(() => returnFocus(before.current));
  }, [open]);
}

function returnFocus(opener: Element | null): void {
  if (document.activeElement !== document.body) return;
  const there = opener instanceof HTMLElement && opener.isConnected && opener !== document.body;
  const target = there ? opener : document.querySelector<HTMLElement>('main h1');
  target?.focus({ preventScroll: true });
}
