import type { ComponentProps, ReactNode } from 'react';
import { cx } from '../cx.ts';
import { useFieldWiring } from './field-context.ts';

export interface SwitchProps extends Omit<ComponentProps<'input'>, 'type' | 'size' | 'role'> {
  /** Beside the switch, usually the state. Without it, pass an aria-label. */
  label?: ReactNode;
}

// the browser exposes the checked state, so no aria-checked is needed
const SWITCH = { type: 'checkbox', role: 'switch' } as const;

/** A switch that takes effect immediately. In a form with a save button, use a Checkbox. */
export function Switch({ label, className, ...rest }: SwitchProps) {
  return (
    <label className={cx('inline-flex min-h-6 items-center gap-2 text-13 text-fg-2', className)}>
      <input {...rest} {...useFieldWiring(rest)} {...SWITCH} className="ui-switch" />
      {label}
    </label>
  );
}
