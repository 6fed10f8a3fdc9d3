import { type ReactElement, type ReactNode, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { TriggerProps } from './Menu.tsx';
import { usePlaced } from './place.ts';
import { useDismiss } from './use-dismiss.ts';

export interface PopoverProps {
  label: string;
  trigger: (props: TriggerProps) => ReactElement;
  align?: 'start' | 'center' | 'end' | undefined;
  /** A function is called with `close`. */
  children: ReactNode | ((close: () => void) => ReactNode);
}

/** A popover beside a button: a custom time range, a few settings. Esc closes it and returns the focus. */
export function Popover({ label, trigger, align = 'start', children }: PopoverProps) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  usePlaced(open, box, button, { side: 'bottom', align, gap: 4 });
  useDismiss(open, [button, box], () => setOpen(false));
  const show = () => {
    // synchronously, because the next key is meant for its content
    flushSync(() => setOpen(true));
    const first = box.current?.querySelector<HTMLElement>('input, select, textarea, button, a[href]');
    (first ?? box.current)?.focus();
  };
  return (
    <>
      {trigger({
        ref: button,
        'aria-haspopup': 'dialog',
        'aria-expanded': open,
        'aria-controls': open ? id : undefined,
        onClick: () => (open ? setOpen(false) : show()),
      })}
      {open ? (
        <div
          ref={box}
          id={id}
          role="dialog"
          aria-label={label}
          tabIndex={-1}
          popover="manual"
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || event.defaultPrevented) return;
            event.preventDefault();
            event.stopPropagation();
            close();
          }}
          onBlur={(event) => {
            const next = event.relatedTarget;
            // A press of the trigger closes it by its click.
            const isOutside = next instanceof Node && next !== button.current && !event.currentTarget.contains(next);
            if (isOutside) setOpen(false);
          }}
          className="fixed max-w-[min(26rem,calc(100vw-1rem))] animate-appear overflow-y-auto rounded-lg bg-raised p-3 text-13 font-normal text-fg shadow-pop outline-none"
        >
          {typeof children === 'function' ? children(close) : children}
        </div>
      ) : null}
    </>
  );
}
