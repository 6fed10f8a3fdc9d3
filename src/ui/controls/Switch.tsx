import type { ComponentProps, ReactNode } from 'react';
import { cx } from '../cx.ts';
import { useFieldWiring } from './field-context.ts';

export interface SwitchProps extends Omit<ComponentProps<'input'>, 'type' | 'size' | 'role'> {
  /** Beside the switch, usually the state in words; without it give an aria-label. */
  label?: ReactNode;
}

// the browser exposes whether it is on; an aria-checked of ours could only contradict it
const SWITCH = { type: 'checkbox', role: 'switch' } as const;

/** On or off, at once: where a form would need Save, use a Checkbox. */
export function Switch({ label, className, ...rest }: SwitchProps) {
  return (
    <label className={cx('inline-flex min-h-6 items-center gap-2 text-13 text-fg-2', className)}>
      <input {...rest} {...useFieldWiring(rest)} {...SWITCH} className="ui-switch" />
      {label}
    </label>
  );
}
