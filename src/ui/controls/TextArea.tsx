import type { ComponentProps } from 'react';
import { cx } from '../cx.ts';
import { useFieldWiring } from './field-context.ts';
import { EDGE } from './input-class.ts';

export interface TextAreaProps extends ComponentProps<'textarea'> {
  mono?: boolean | undefined;
}

/** A multi-line text input. It grows with its text up to a third of the window, if the browser supports that. */
export function TextArea({ mono = false, className, rows = 3, ...rest }: TextAreaProps) {
  return (
    <textarea
      rows={rows}
      spellCheck={mono ? false : undefined}
      {...rest}
      {...useFieldWiring(rest)}
      className={cx(
        'block pointer-coarse:text-[16px] read-only:bg-sunken field-sizing-content max-h-[33vh] min-h-16 w-full resize-y rounded px-2 py-1',
        EDGE,
        mono ? 'font-mono text-12/5 tracking-[-0.01em] [font-variant-ligatures:none]' : 'text-13',
        className,
      )}
    />
  );
}
