import { type KeyboardEvent, type RefObject, useRef } from 'react';
import { gridStep } from '../../../ui/grid-walk.ts';

export interface GridWalk<T extends HTMLElement> {
  readonly list: RefObject<T | null>;
  /** Props for the grid element: arrow keys move among links by their visual position. */
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly focusFirst: () => void;
}

/** Arrow-key navigation for links in a grid. Up from the first row calls `onLeave`. */
export function useGridWalk<T extends HTMLElement>(onLeave: () => void): GridWalk<T> {
  const list = useRef<T>(null);
  const links = () => [...(list.current?.querySelectorAll<HTMLElement>('a[href]') ?? [])];
  const onKeyDown = (event: KeyboardEvent) => {
    const all = links();
    const at = all.indexOf(event.target as HTMLElement);
    if (at < 0 || event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return;
    const next = gridStep(all, at, event.key);
    if (next === undefined) return;
    event.preventDefault();
    if (next === null) onLeave();
    else next.focus();
  };
  return { list, onKeyDown, focusFirst: () => links()[0]?.focus() };
}
