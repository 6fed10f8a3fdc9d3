import { type RefObject, useLayoutEffect } from 'react';

export interface Placement {
  readonly side: 'top' | 'bottom';
  readonly align: 'start' | 'center' | 'end';
  /** The distance from the anchor in px. */
  readonly gap: number;
}

const EDGE = 8;

/** Places a top-layer element beside its anchor, on the side with room, always inside the window. */
export function place(floating: HTMLElement, anchor: Element, { side, align, gap }: Placement): void {
  const a = anchor.getBoundingClientRect();
  const width = floating.offsetWidth;
  const height = floating.scrollHeight;
  const above = a.top - gap - EDGE;
  const below = window.innerHeight - a.bottom - gap - EDGE;
  const onTop = side === 'top' ? above >= height || above > below : below < height && above > below;
  const room = Math.max(onTop ? above : below, 48);
  const shown = Math.min(height, room);
  const wished = align === 'start' ? a.left : align === 'end' ? a.right - width : a.left + (a.width - width) / 2;
  const left = Math.max(EDGE, Math.min(wished, document.documentElement.clientWidth - width - EDGE));
  floating.style.maxHeight = `${room}px`;
  floating.style.left = `${Math.round(left)}px`;
  floating.style.top = `${Math.round(onTop ? a.top - gap - shown : a.bottom + gap)}px`;
}

/** The element to align with: the first child of a wrapper with `display: contents`. */
function visible(anchor: HTMLElement): Element {
  return anchor.getClientRects().length > 0 ? anchor : (anchor.firstElementChild ?? anchor);
}

/** Shows `floating` in the top layer beside `anchor` while `open`, and repositions it on scroll and resize. */
export function usePlaced(
  open: boolean,
  floating: RefObject<HTMLElement | null>,
  anchor: RefObject<HTMLElement | null>,
  { side, align, gap }: Placement,
): void {
  useLayoutEffect(() => {
    const element = floating.current;
    if (!open || !element) return;
    const settle = () => {
      if (anchor.current) place(element, visible(anchor.current), { side, align, gap });
    };
    if (!element.matches(':popover-open')) element.showPopover();
    settle();
    window.addEventListener('scroll', settle, true);
    window.addEventListener('resize', settle);
    return () => {
      window.removeEventListener('scroll', settle, true);
      window.removeEventListener('resize', settle);
      if (element.isConnected && element.matches(':popover-open')) element.hidePopover();
    };
  }, [open, floating, anchor, side, align, gap]);
}
