import { type RefObject, useEffect, useLayoutEffect } from 'react';
import { useLocation } from 'react-router';

/** How far each list was scrolled at each entry of the history. */
const positions = new Map<string, number>();
/** How far each is now. To ask the list itself would cost a layout, at each letter typed of a search. */
const scrolled = new WeakMap<HTMLElement, number>();

/** Coming back to a place in the history shows its list where it was left. */
export function useScrollMemory(box: RefObject<HTMLElement | null>, label: string): void {
  const { key } = useLocation();
  const entry = `${key} ${label}`;
  useLayoutEffect(() => {
    const list = box.current;
    const left = positions.get(entry);
    if (list && left !== undefined && list.scrollTop === 0) list.scrollTop = left;
  }, [box, entry]);
  useEffect(() => {
    const list = box.current;
    if (!list) return;
    positions.set(entry, scrolled.get(list) ?? positions.get(entry) ?? 0);
    const remember = () => {
      scrolled.set(list, list.scrollTop);
      positions.set(entry, list.scrollTop);
    };
    list.addEventListener('scroll', remember, { capture: true, passive: true });
    return () => list.removeEventListener('scroll', remember, { capture: true });
  }, [box, entry]);
}
