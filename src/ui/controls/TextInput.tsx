import type { ComponentProps } from 'react';
import { cx } from '../cx.ts';
import { useFieldWiring } from './field-context.ts';
import { type InputSize, inputClass } from './input-class.ts';

export interface TextInputProps extends Omit<ComponentProps<'input'>, 'size'> {
  size?: InputSize | undefined;
  /** Monospace, for data: ids, URLs, paths. */
  mono?: boolean | undefined;
}

/** A single-line text input. Compatible with react-hook-form's `register`. */
export function TextInput({ size = 'md', mono = false, className, type = 'text', ...rest }: TextInputProps) {
  return (
    <input
      type={type}
      autoComplete="off"
      spellCheck={mono ? false : undefined}
      {...rest}
      {...useFieldWiring(rest)}
      className={cx('block px-2 read-only:bg-sunken', inputClass(size, mono), className)}
    />
  );
}
