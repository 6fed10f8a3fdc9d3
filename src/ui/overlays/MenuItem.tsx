import { Check } from 'lucide-react';
import { type MouseEvent, type ReactNode, useId } from 'react';
import { cx } from '../cx.ts';
import type { Icon } from '../icon.ts';
import { KeyCap } from '../KeyCap.tsx';
import { type Rendered, renderAs } from '../render-as.ts';
import { useMenuClose } from './menu-context.ts';

function itemClass(off: boolean, danger: boolean): string {
  return cx(
    'flex min-h-7 w-full items-center gap-2 rounded-sm px-2 py-1 text-left text-13 no-underline outline-none select-none pointer-coarse:min-h-9',
    off
      ? 'cursor-not-allowed text-fg-off focus:bg-sunken'
      : danger
        ? 'text-bad-fg hover:bg-bad-bg focus:bg-bad-bg'
        : 'text-fg hover:bg-press focus:bg-press',
  );
}

export interface MenuItemProps {
  onSelect: () => void;
  icon?: Icon | undefined;
  /** Why the item is disabled, shown in its second line. */
  reason?: string | undefined;
  danger?: boolean | undefined;
  kbd?: string | undefined;
  /** Muted text at the end. */
  note?: ReactNode;
  children: ReactNode;
}

/** An action in a Menu. */
export function MenuItem({ onSelect, icon: Mark, reason, danger = false, kbd, note, children }: MenuItemProps) {
  const close = useMenuClose();
  const reasonId = useId();
  return (
    <div role="none">
      <button
        type="button"
        role="menuitem"
        tabIndex={-1}
        aria-disabled={reason ? true : undefined}
        aria-describedby={reason ? reasonId : undefined}
        className={itemClass(Boolean(reason), danger)}
        onClick={() => {
          if (reason) return;
          close();
          onSelect();
        }}
      >
        {Mark ? <Mark size={14} strokeWidth={1.75} className="flex-none text-fg-3" aria-hidden /> : null}
        <span className="min-w-0 flex-1">{children}</span>
        {note === undefined ? null : <span className="text-12 text-fg-3">{note}</span>}
        {kbd ? <KeyCap>{kbd}</KeyCap> : null}
      </button>
      {reason ? (
        <span id={reasonId} className={cx('block pr-2 pb-1 text-12 text-fg-3', Mark ? 'pl-[30px]' : 'pl-2')}>
          {reason}
        </span>
      ) : null}
    </div>
  );
}

export interface MenuLinkProps {
  render: Rendered;
  icon?: Icon | undefined;
  children: ReactNode;
}

/** A link in a Menu. */
export function MenuLink({ render, icon: Mark, children }: MenuLinkProps) {
  const close = useMenuClose();
  const before = render.props.onClick;
  return renderAs(render, {
    role: 'menuitem',
    tabIndex: -1,
    className: itemClass(false, false),
    onClick: (event: MouseEvent) => {
      if (typeof before === 'function') before(event);
      close();
    },
    children: (
      <>
        {Mark ? <Mark size={14} strokeWidth={1.75} className="flex-none text-fg-3" aria-hidden /> : null}
        {children}
      </>
    ),
  });
}

export interface MenuChoiceProps {
  checked: boolean;
  onSelect: () => void;
  mono?: boolean | undefined;
  note?: ReactNode;
  children: ReactNode;
}

/** A radio item in a Menu, with a tick at the selected one. */
export function MenuChoice({ checked, onSelect, mono = false, note, children }: MenuChoiceProps) {
  const close = useMenuClose();
  return (
    <button
      type="button"
      role="menuitemradio"
      aria-checked={checked}
      tabIndex={-1}
      className={itemClass(false, false)}
      onClick={() => {
        close();
        onSelect();
      }}
    >
      <Check
        size={14}
        strokeWidth={2}
        className={checked ? 'flex-none text-accent' : 'invisible flex-none'}
        aria-hidden
      />
      <span className={cx('min-w-0 flex-1 truncate', mono && 'data')}>{children}</span>
      {note === undefined ? null : <span className="text-12 text-fg-3">{note}</span>}
    </button>
  );
}

/** A separator between groups of a Menu. */
export function MenuSeparator() {
  return <hr className="mx-2 my-1 border-t border-line" />;
}

/** The heading of a group of a Menu. */
export function MenuHead({ children }: { children: ReactNode }) {
  return <div className="px-2 pt-1.5 pb-1 text-11 font-medium text-fg-3">{children}</div>;
}
