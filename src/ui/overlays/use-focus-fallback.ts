import type { RefObject } from 'react';
import { useChange } from '../../hooks/use-change.ts';

/**
 * If a change removed the focused element, such as a clicked button or its row, focuses `fallback` or the page heading,
 * so that keyboard users do not start from the top.
 */
export function useFocusFallback(change: unknown, fallback?: RefObject<HTMLElement | null>): void {
  useChange(change, () => {
    if (document.activeElement !== document.body) return;
    (fallback?.current ?? document.querySelector<HTMLElement>('main h1'))?.focus({ preventScroll: true });
  });
}
