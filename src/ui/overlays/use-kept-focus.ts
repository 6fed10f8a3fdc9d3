import type { RefObject } from 'react';
import { useChange } from '../../hooks/use-change.ts';

/**
 * What had the focus may go when something of a page changes: the button that was pressed, the row it was in. Then
 * `heir` takes it, or the page's heading, so that keyboard users continue from there and not from the top.
 */
export function useKeptFocus(change: unknown, heir?: RefObject<HTMLElement | null>): void {
  useChange(change, () => {
    if (document.activeElement !== document.body) return;
    (heir?.current ?? document.querySelector<HTMLElement>('main h1'))?.focus({ preventScroll: true });
  });
}
