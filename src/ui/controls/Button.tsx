import { type ComponentProps, type MouseEvent, useId } from 'react';
import { cx } from '../cx.ts';
import type { Icon } from '../icon.ts';
import { KeyCap } from '../KeyCap.tsx';
import { Tooltip } from '../overlays/Tooltip.tsx';
import { type ButtonSize, type ButtonVariant, buttonClass } from './button-class.ts';

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled'> {
  variant?: ButtonVariant | undefined;
  size?: ButtonSize | undefined;
  icon?: Icon | undefined;
  /** Why the button is disabled. With a reason it is disabled but focusable, and shows the reason. */
  reason?: string | undefined;
  /** The action is in progress: disabled until it ends, without losing the focus. */
  pending?: boolean | undefined;
  /** The keyboard shortcut. */
  kbd?: string | undefined;
}

/** A button. It is only disabled with a reason. */
export function Button({
  variant = 'default',
  size = 'md',
  icon: Mark,
  reason,
  pending = false,
  kbd,
  className,
  onClick,
  children,
  type = 'button',
  ...rest
}: ButtonProps) {
  const reasonId = useId();
  const off = pending || Boolean(reason);
  const describedBy = cx(rest['aria-describedby'], reason && reasonId) || undefined;
  const button = (
    <button
      {...rest}
      type={type}
      className={cx(buttonClass(variant, size, { off }), className)}
      aria-disabled={off || undefined}
      aria-busy={pending || undefined}
      aria-describedby={describedBy}
      onClick={(event: MouseEvent<HTMLButtonElement>) => {
        if (off) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {Mark ? <Mark size={size === 'sm' ? 12 : 14} strokeWidth={size === 'sm' ? 2 : 1.75} aria-hidden /> : null}
      {children}
      {kbd ? <KeyCap>{kbd}</KeyCap> : null}
    </button>
  );
  return reason ? (
    <Tooltip text={reason} id={reasonId} onPress>
      {button}
    </Tooltip>
  ) : (
    button
  );
}
