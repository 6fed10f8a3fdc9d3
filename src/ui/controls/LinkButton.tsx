import type { ReactNode } from 'react';
import type { Icon } from '../icon.ts';
import { type Rendered, renderAs } from '../render-as.ts';
import { type ButtonSize, type ButtonVariant, buttonClass } from './button-class.ts';

export interface LinkButtonProps {
  /** The link itself: `<Link to="…" />` or `<a href="…" />`. */
  render: Rendered;
  variant?: ButtonVariant | undefined;
  size?: ButtonSize | undefined;
  icon?: Icon | undefined;
  children: ReactNode;
}

/** A link that looks like a button, for navigation only. */
export function LinkButton({ render, variant = 'default', size = 'md', icon: Mark, children }: LinkButtonProps) {
  return renderAs(render, {
    className: buttonClass(variant, size),
    children: (
      <>
        {Mark ? <Mark size={size === 'sm' ? 12 : 14} strokeWidth={1.75} aria-hidden /> : null}
        {children}
      </>
    ),
  });
}
