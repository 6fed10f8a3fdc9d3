import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';
import { useListener } from '../../hooks/use-listener.ts';
import { usePlaced } from './place.ts';
import { useDismiss } from './use-dismiss.ts';

export interface HoverCardProps {
  label: string;
  /** The element that it describes. */
  anchor: RefObject<HTMLElement | null>;
  /** Opened by a key or a press: the card takes the focus, and Esc returns it. */
  focused: boolean;
  onClose: () => void;
  /** The pointer entered or left the card. */
  onPoint: (isOver: boolean) => void;
  children: ReactNode;
}

/** A card beside an element with more about it. It must not be the only place of any information. */
export function HoverCard({ label, anchor, focused, onClose, onPoint, children }: HoverCardProps) {
  const box = useRef<HTMLDivElement>(null);
  usePlaced(true, box, anchor, { side: 'bottom', align: 'start', gap: 4 });
  useDismiss(true, [anchor, box], onClose);
  useLayoutEffect(() => {
    if (focused) box.current?.focus({ preventScroll: true });
  }, [focused]);
  useListener(
    document,
    'keydown',
    (event) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      const isInside = box.current?.contains(document.activeElement);
      onClose();
      if (isInside) anchor.current?.focus({ preventScroll: true });
    },
    { capture: true },
  );
  return (
    <div
      ref={box}
      role="dialog"
      aria-label={label}
      tabIndex={-1}
      popover="manual"
      onPointerEnter={() => onPoint(true)}
      onPointerLeave={() => onPoint(false)}
      className="fixed max-w-[min(56rem,calc(100vw-1rem))] animate-appear overflow-auto rounded-lg bg-raised text-13 font-normal text-fg shadow-pop"
    >
      {children}
    </div>
  );
}
