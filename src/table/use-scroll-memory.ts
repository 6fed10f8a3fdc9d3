import { type RefObject, useLayoutEffect } from 'react';
import { useLocation } from 'react-router';
import { useListener } from '../hooks/use-listener.ts';

/** The scroll position of each list at each history entry. */
const positions = new Map<string, number>();
/** The current scroll positions. Reading them from the DOM would force a layout on each keystroke of a search. */
const scrolled = new WeakMap<HTMLElement, number>();

/** Restores the scroll position of a list when the user returns to a history entry. */
export function useScrollMemory(box: RefObject<HTMLElement | null>, label: string): void {
  const { key } = useLocation();
  const entry = `${key} ${label}`;
  useLayoutEffect(() => {
    const list = box.current;
    if (!list) return;
    const left = positions.get(entry);
    if (left !== undefined && list.scrollTop === 0) list.scrollTop = left;
    else positions.set(entry, scrolled.get(list) ?? left ?? 0);
  }, [box, entry]);
  const remember = () => {
    const list = box.current;
    if (!list) return;
    scrolled.set(list, list.scrollTop);
    positions.set(entry, list.scrollTop);
  };
  useListener(box, 'scroll', remember, { capture: true, passive: true });
}
