import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { cx } from '../cx.ts';
import { usePlaced } from './place.ts';

const OPEN_AFTER_MS = 350;

export interface TooltipProps {
  /** Without a text only the child is rendered. */
  text: ReactNode;
  side?: 'top' | 'bottom' | undefined;
  /** For the child's aria-describedby; a tooltip without one only repeats what the child's name says. */
  id?: string | undefined;
  /** Also shows on press: for a control that is off, where a finger can't hover. */
  onPress?: boolean | undefined;
  className?: string | undefined;
  children: ReactNode;
}

/** A few words beside a control, on hover and on keyboard focus; Esc takes them away. Never the only home of a fact. */
export function Tooltip({ text, side = 'top', id, onPress = false, className, children }: TooltipProps) {
  const [open, setOpen] = useState(false);
  const own = useId();
  const anchor = useRef<HTMLSpanElement>(null);
  const bubble = useRef<HTMLSpanElement>(null);
  const said = text !== undefined && text !== null && text !== '';
  usePlaced(open && said, bubble, anchor, { side, align: 'center', gap: 6 });

  // listeners added to the DOM node, as the child’s handlers are the caller’s
  useEffect(() => {
    const around = anchor.current;
    if (!around) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const after = (ms: number, shown: boolean) => {
      clearTimeout(timer);
      timer = setTimeout(() => setOpen(shown), ms);
    };
    const listeners = new AbortController();
    const { signal } = listeners;
    around.addEventListener('pointerover', (e) => e.pointerType !== 'touch' && after(OPEN_AFTER_MS, true), { signal });
    around.addEventListener('pointerout', () => after(60, false), { signal });
    around.addEventListener(
      'focusin',
      (e) => {
        if (e.target instanceof Element && e.target.matches(':focus-visible')) after(0, true);
      },
      { signal },
    );
    around.addEventListener('focusout', () => after(0, false), { signal });
    around.addEventListener('click', () => after(0, onPress), { signal });
    return () => {
      clearTimeout(timer);
      listeners.abort();
    };
  }, [onPress]);

  useEffect(() => {
    if (!open) return;
    const close = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setOpen(false);
    };
    document.addEventListener('keydown', close);
    return () => document.removeEventListener('keydown', close);
  }, [open]);

  return (
    <span ref={anchor} className={cx('contents', className)}>
      {children}
      {said && (open || id) ? (
        <span
          ref={bubble}
          id={id ?? own}
          role="tooltip"
          popover="manual"
          className="pointer-events-none fixed max-w-[min(20rem,calc(100vw-1rem))] rounded-sm bg-fg px-2 py-1 text-12 font-normal whitespace-normal text-page shadow-pop"
        >
          {text}
        </span>
      ) : null}
    </span>
  );
}
