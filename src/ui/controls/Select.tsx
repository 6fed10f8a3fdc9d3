import type { ComponentProps } from 'react';
import { cx } from '../cx.ts';
import { useFieldWiring } from './field-context.ts';
import { type InputSize, inputClass } from './input-class.ts';

export interface SelectOption {
  readonly value: string;
  readonly label: string;
  readonly disabled?: boolean | undefined;
}

export interface SelectProps extends Omit<ComponentProps<'select'>, 'size' | 'multiple'> {
  options: readonly SelectOption[];
  size?: InputSize | undefined;
  mono?: boolean | undefined;
  /** Shown while nothing is selected; selecting it clears the value (""). */
  placeholder?: string | undefined;
}

/** A native select, which works on every device, styled where browsers allow it (index.css). */
export function Select({ options, size = 'md', mono = false, placeholder, className, ...rest }: SelectProps) {
  return (
    <select {...rest} {...useFieldWiring(rest)} className={cx('ui-select pl-2', inputClass(size, mono), className)}>
      {placeholder === undefined ? null : <option value="">{placeholder}</option>}
      {options.map((option) => (
        <option key={option.value} value={option.value} disabled={option.disabled}>
          {option.label}
        </option>
      ))}
    </select>
  );
}
