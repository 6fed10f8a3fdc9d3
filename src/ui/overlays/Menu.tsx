import { type KeyboardEvent, type ReactElement, type ReactNode, type Ref, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { cx } from '../cx.ts';
import { MenuContext } from './menu-context.ts';
import { usePlaced } from './place.ts';
import { useDismiss } from './use-dismiss.ts';

/** The props of the button that opens a popup, to spread on a Button or IconButton. */
export interface TriggerProps {
  ref: Ref<HTMLButtonElement>;
  'aria-haspopup': 'menu' | 'dialog';
  'aria-expanded': boolean;
  'aria-controls': string | undefined;
  onClick: () => void;
  onKeyDown?: ((event: KeyboardEvent<HTMLButtonElement>) => void) | undefined;
}

export interface MenuProps {
  /** The accessible name of the menu: "Actions for erp". */
  label: string;
  trigger: (props: TriggerProps) => ReactElement;
  align?: 'start' | 'end' | undefined;
  children: ReactNode;
}

const ITEMS = '[role^="menuitem"]';

/** A menu of actions or choices. Arrows, Home, End and first letters move in it. Esc closes it. */
export function Menu({ label, trigger, align = 'start', children }: MenuProps) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();

  const close = (returnFocus = true) => {
    setOpen(false);
    if (returnFocus) button.current?.focus();
  };
  usePlaced(open, list, button, { side: 'bottom', align, gap: 4 });
  useDismiss(open, [button, list], () => close(false));

  const openAt = (end: 'first' | 'last' | 'chosen') => {
    // synchronously, because the next key is meant for the list
    flushSync(() => setOpen(true));
    const found = [...(list.current?.querySelectorAll<HTMLElement>(ITEMS) ?? [])];
    const chosen = found.find((item) => item.ariaChecked === 'true');
    (end === 'last' ? found.at(-1) : (end === 'chosen' && chosen) || found[0])?.focus();
  };

  return (
    <>
      {trigger({
        ref: button,
        'aria-haspopup': 'menu',
        'aria-expanded': open,
        'aria-controls': open ? id : undefined,
        onClick: () => (open ? close() : openAt('chosen')),
        onKeyDown: (event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
          event.preventDefault();
          openAt(event.key === 'ArrowUp' ? 'last' : 'first');
        },
      })}
      {open ? (
        <MenuContext value={close}>
          <div
            ref={list}
            id={id}
            role="menu"
            aria-label={label}
            tabIndex={-1}
            popover="manual"
            onKeyDown={(event) => walk(event, close)}
            className={cx(
              'fixed min-w-44 max-w-[min(22rem,calc(100vw-1rem))] animate-appear overflow-y-auto rounded-lg bg-raised p-1 text-13 font-normal text-fg shadow-pop outline-none',
            )}
          >
            {children}
          </div>
        </MenuContext>
      ) : null}
    </>
  );
}

function walk(event: KeyboardEvent<HTMLDivElement>, close: (returnFocus?: boolean) => void) {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>(ITEMS)];
  const focused = document.activeElement;
  const here = focused instanceof HTMLElement ? items.indexOf(focused) : -1;
  const to = (index: number) => items.at(index % items.length)?.focus();
  if (event.key === 'Tab') {
    close();
    return;
  }
  if (event.key === 'Escape') close();
  else if (event.key === 'ArrowDown') to(here + 1);
  else if (event.key === 'ArrowUp') to(here <= 0 ? -1 : here - 1);
  else if (event.key === 'Home') to(0);
  else if (event.key === 'End') to(-1);
  else if (event.key.length === 1 && event.key !== ' ' && !event.metaKey && !event.ctrlKey) {
    const letter = event.key.toLowerCase();
    const after = [...items.slice(here + 1), ...items.slice(0, here + 1)];
    after.find((item) => item.textContent.trim().toLowerCase().startsWith(letter))?.focus();
  } else return;
  event.preventDefault();
  event.stopPropagation();
}
