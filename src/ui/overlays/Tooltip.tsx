import { type ReactNode, useCallback, useId, useRef, useState } from 'react';
import { useListener } from '../../hooks/use-listener.ts';
import { cx } from '../cx.ts';
import { usePlaced } from './place.ts';

const OPEN_AFTER_MS = 350;

export interface TooltipProps {
  /** Without text only the child is rendered. */
  text: ReactNode;
  side?: 'top' | 'bottom' | undefined;
  /** For the aria-describedby of the child. Omit it if the tooltip only repeats the child's accessible name. */
  id?: string | undefined;
  /** Also opens on click, for disabled controls on touch screens. */
  onPress?: boolean | undefined;
  className?: string | undefined;
  children: ReactNode;
}

/** A tooltip on hover and on keyboard focus; Esc hides it. It must not be the only place of any information. */
export function Tooltip({ text, side = 'top', id, onPress = false, className, children }: TooltipProps) {
  const [open, setOpen] = useState(false);
  const own = useId();
  const anchor = useRef<HTMLSpanElement>(null);
  const bubble = useRef<HTMLSpanElement>(null);
  const said = text !== undefined && text !== null && text !== '';
  usePlaced(open && said, bubble, anchor, { side, align: 'center', gap: 6 });

  // listeners on the DOM node, because the handlers of the child belong to the caller
  const attach = useCallback(
    (around: HTMLSpanElement) => {
      anchor.current = around;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const after = (ms: number, shown: boolean) => {
        clearTimeout(timer);
        timer = setTimeout(() => setOpen(shown), ms);
      };
      const listeners = new AbortController();
      const { signal } = listeners;
      const point = ({ pointerType }: PointerEvent) => pointerType !== 'touch' && after(OPEN_AFTER_MS, true);
      const focus = ({ target }: FocusEvent) => {
        if (target instanceof Element && target.matches(':focus-visible')) after(0, true);
      };
      around.addEventListener('pointerover', point, { signal });
      around.addEventListener('pointerout', () => after(60, false), { signal });
      around.addEventListener('focusin', focus, { signal });
      around.addEventListener('focusout', () => after(0, false), { signal });
      around.addEventListener('click', () => after(0, onPress), { signal });
      return () => {
        anchor.current = null;
        clearTimeout(timer);
        listeners.abort();
      };
    },
    [onPress],
  );
  const close = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') setOpen(false);
  };
  useListener(document, 'keydown', close, { enabled: open });

  return (
    <span ref={attach} className={cx('contents', className)}>
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
