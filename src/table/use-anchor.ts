import { type RefObject, useLayoutEffect, useRef } from 'react';
import { useLatest } from '../hooks/use-latest.ts';
import { useListener } from '../hooks/use-listener.ts';

export interface AnchoredList {
  readonly ids: readonly string[];
  readonly rowHeight: number;
  readonly headHeight: number;
  /** The row whose panel is open. */
  readonly currentId: string | undefined;
}

/**
 * Keeps visible rows in place. When rows are added or removed above the first visible one, the list scrolls by their
 * height. When a panel opens and the row height changes, the clicked row stays in view. All rows have the same height.
 */
export function useAnchor(
  box: RefObject<HTMLElement | null>,
  { ids, rowHeight, headHeight, currentId }: AnchoredList,
): void {
  const seen = useRef<Seen>({ scrolled: 0, anchor: undefined });
  const heightBefore = useRef(rowHeight);
  // a ref, because a change of the open row alone must not scroll
  const open = useLatest(currentId);
  useLayoutEffect(() => {
    const before = heightBefore.current;
    heightBefore.current = rowHeight;
    const list = box.current;
    if (!list) return;
    const { scrolled, anchor } = seen.current;
    const current = before !== rowHeight && open.current !== undefined ? ids.indexOf(open.current) : -1;
    const at = current * before - scrolled;
    const index = anchor ? ids.indexOf(anchor.id) : -1;
    if (current >= 0 && at > -before && at < list.clientHeight) {
      const lowest = list.clientHeight - headHeight - rowHeight;
      list.scrollTop = current * rowHeight - Math.min(Math.max(at, 0), lowest);
    } else if (anchor && index !== -1) {
      const wanted = index * rowHeight + anchor.offset;
      if (Math.abs(wanted - list.scrollTop) >= 1) list.scrollTop = wanted;
    }
    if (before !== rowHeight) seen.current = look(list, ids, rowHeight);
  }, [box, open, ids, rowHeight, headHeight]);

  const remember = () => {
    if (box.current) seen.current = look(box.current, ids, rowHeight);
  };
  // before any listener that renders, because reading the position after a DOM change forces a layout
  useListener(box, 'scroll', remember, { capture: true, passive: true });
}

/** The scroll position of a list, and its first visible row. */
interface Seen {
  readonly scrolled: number;
  /** Undefined at the top, where new rows may push the others down. */
  readonly anchor: { readonly id: string; readonly offset: number } | undefined;
}

function look({ scrollTop: scrolled }: HTMLElement, ids: readonly string[], rowHeight: number): Seen {
  const index = Math.floor(scrolled / rowHeight);
  const id = ids[index];
  return { scrolled, anchor: scrolled > 0 && id ? { id, offset: scrolled - index * rowHeight } : undefined };
}
