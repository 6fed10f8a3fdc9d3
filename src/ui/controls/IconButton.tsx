import { type ComponentProps, useId } from 'react';
import { cx } from '../cx.ts';
import type { Icon } from '../icon.ts';
import { Tooltip } from '../overlays/Tooltip.tsx';
import { type ButtonSize, type ButtonVariant, buttonClass } from './button-class.ts';

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'disabled' | 'children'> {
  icon: Icon;
  /** The accessible name with its object: "Replay event 48fa8de1". Also the tooltip, unless `tip` is set. */
  label: string;
  tip?: string | undefined;
  variant?: ButtonVariant | undefined;
  size?: ButtonSize | undefined;
  reason?: string | undefined;
  pending?: boolean | undefined;
}

/** A button with an icon only, for bars and rows. */
export function IconButton({
  icon: Mark,
  label,
  tip = label,
  variant = 'ghost',
  size = 'md',
  reason,
  pending = false,
  className,
  onClick,
  ...rest
}: IconButtonProps) {
  const reasonId = useId();
  const off = pending || Boolean(reason);
  return (
    <Tooltip text={reason ?? tip} id={reason ? reasonId : undefined} onPress={Boolean(reason)}>
      <button
        type="button"
        {...rest}
        className={cx(buttonClass(variant, size, { off, square: true }), className)}
        aria-label={label}
        aria-disabled={off || undefined}
        aria-busy={pending || undefined}
        aria-describedby={reason ? reasonId : rest['aria-describedby']}
        onClick={(event) => {
          if (off) event.preventDefault();
          else onClick?.(event);
        }}
      >
        <Mark size={size === 'sm' ? 14 : 16} strokeWidth={1.75} aria-hidden />
      </button>
    </Tooltip>
  );
}
