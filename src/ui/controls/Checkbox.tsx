import { type ComponentProps, type ReactNode, type Ref, useId } from 'react';
import { cx } from '../cx.ts';
import { useFieldWiring } from './field-context.ts';

export interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'size' | 'ref'> {
  /** Beside the box. Without it, pass an aria-label. */
  label?: ReactNode;
  help?: ReactNode;
  /** Some, but not all, are selected. */
  mixed?: boolean | undefined;
  ref?: Ref<HTMLInputElement> | undefined;
}

/** A checkbox with its label. The whole line is the target; without a label the target is 24 px. */
export function Checkbox({ label, help, mixed = false, className, ref, ...rest }: CheckboxProps) {
  const ownId = useId();
  const wiring = useFieldWiring(rest);
  const id = rest.id ?? wiring.id ?? ownId;
  const box = (
    <input
      {...rest}
      {...wiring}
      id={id}
      type="checkbox"
      ref={(element) => {
        if (element) element.indeterminate = mixed;
        if (typeof ref === 'function') return ref(element);
        if (ref) ref.current = element;
        return undefined;
      }}
      className="ui-check"
    />
  );
  if (label === undefined) return <span className={cx('inline-grid size-6 place-items-center', className)}>{box}</span>;
  return (
    <label htmlFor={id} className={cx('flex min-h-6 items-start gap-2 py-0.5 text-13', className)}>
      <span className="flex h-5 items-center">{box}</span>
      <span className="min-w-0">
        {label}
        {help ? <span className="block text-12 text-fg-3">{help}</span> : null}
      </span>
    </label>
  );
}
