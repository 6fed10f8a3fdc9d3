import { type KeyboardEvent, type RefObject, useRef } from 'react';

export interface GridWalk<T extends HTMLElement> {
  readonly list: RefObject<T | null>;
  /** For the element around the list: the arrow keys go from link to link as they are seen. */
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly focusFirst: () => void;
}

/** Walks the links of a list that stands in columns. Up from the first row leaves it by `onLeave`. */
export function useGridWalk<T extends HTMLElement>(onLeave: () => void): GridWalk<T> {
  const list = useRef<T>(null);
  const links = () => [...(list.current?.querySelectorAll<HTMLElement>('a[href]') ?? [])];
  const onKeyDown = (event: KeyboardEvent) => {
    const all = links();
    const at = all.indexOf(event.target as HTMLElement);
    if (at < 0 || event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return;
    const next = follow(all, at, event.key);
    if (next === undefined) return;
    event.preventDefault();
    if (next === null) onLeave();
    else next.focus();
  };
  return { list, onKeyDown, focusFirst: () => links()[0]?.focus() };
}

/** Where a key leads: undefined is no key of ours, null is out at the top. */
function follow(all: readonly HTMLElement[], at: number, key: string): HTMLElement | null | undefined {
  switch (key) {
    case 'ArrowRight':
      return all[at + 1] ?? all[at];
    case 'ArrowLeft':
      return all[at - 1] ?? all[at];
    case 'Home':
      return all[0];
    case 'End':
      return all.at(-1);
    case 'ArrowDown':
      return nearest(all, at, 1) ?? all[at];
    case 'ArrowUp':
      return nearest(all, at, -1) ?? null;
    default:
      return undefined;
  }
}

/** The link of the next row that stands nearest to this one's column. */
function nearest(all: readonly HTMLElement[], at: number, way: 1 | -1): HTMLElement | undefined {
  const from = all[at]?.getBoundingClientRect();
  if (!from) return undefined;
  const beyond = all
    .map((link) => ({ link, box: link.getBoundingClientRect() }))
    .filter(({ box }) => way * (box.top - from.top) >= from.height / 2);
  const row = Math.min(...beyond.map(({ box }) => Math.abs(box.top - from.top)));
  return beyond
    .filter(({ box }) => Math.abs(Math.abs(box.top - from.top) - row) < 1)
    .sort((a, b) => Math.abs(a.box.left - from.left) - Math.abs(b.box.left - from.left))[0]?.link;
}
