import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

export interface AnchoredList {
  readonly ids: readonly string[];
  readonly rowHeight: number;
  readonly headHeight: number;
  /** The row whose panel is open. */
  readonly currentId: string | undefined;
}

/**
 * Keeps what is being read where it is: when rows come or go above the first visible one, the list scrolls by as much.
 * When a panel opens and rows get another height for want of room, the row that was pressed stays in view. All rows are
 * equally high.
 */
export function useAnchor(
  box: RefObject<HTMLElement | null>,
  { ids, rowHeight, headHeight, currentId }: AnchoredList,
): void {
  const anchor = useRef<{ id: string; offset: number }>(undefined);
  const known = useRef(ids);
  const scrolled = useRef(0);
  const heightBefore = useRef(rowHeight);
  // another open row alone moves nothing
  const open = useRef(currentId);
  useLayoutEffect(() => {
    open.current = currentId;
  }, [currentId]);
  useLayoutEffect(() => {
    known.current = ids;
    const before = heightBefore.current;
    heightBefore.current = rowHeight;
    const list = box.current;
    if (!list) return;
    const current = before !== rowHeight && open.current !== undefined ? ids.indexOf(open.current) : -1;
    const at = current * before - scrolled.current;
    if (current >= 0 && at > -before && at < list.clientHeight) {
      const lowest = list.clientHeight - headHeight - rowHeight;
      list.scrollTop = current * rowHeight - Math.min(Math.max(at, 0), lowest);
      return;
    }
    const kept = anchor.current;
    const index = kept ? ids.indexOf(kept.id) : -1;
    if (!kept || index === -1) return;
    const wanted = index * rowHeight + kept.offset;
    if (Math.abs(wanted - list.scrollTop) >= 1) list.scrollTop = wanted;
  }, [box, ids, rowHeight, headHeight]);

  useEffect(() => {
    const list = box.current;
    if (!list) return;
    const remember = () => {
      scrolled.current = list.scrollTop;
      const index = Math.floor(list.scrollTop / rowHeight);
      const id = known.current[index];
      // at the very top nothing is anchored: new rows may come in above
      anchor.current = list.scrollTop > 0 && id ? { id, offset: list.scrollTop - index * rowHeight } : undefined;
    };
    remember();
    // before any listener that draws: reading the position after a change costs a layout
    list.addEventListener('scroll', remember, { capture: true, passive: true });
    return () => list.removeEventListener('scroll', remember, { capture: true });
  }, [box, rowHeight]);
}
