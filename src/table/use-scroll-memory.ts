import { type RefObject, useLayoutEffect } from 'react';
import { useLocation } from 'react-router';
import { useListener } from '../hooks/use-listener.ts';

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
