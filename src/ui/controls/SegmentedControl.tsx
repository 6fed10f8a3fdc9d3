import { useId } from 'react';
import { cx } from '../cx.ts';

export interface SegmentedControlProps<T extends string> {
  /** The accessible name: "Payload view". */
  label: string;
  options: readonly { readonly value: T; readonly label: string; readonly title?: string | undefined }[];
  value: T;
  onChange: (value: T) => void;
  size?: 'sm' | 'md' | undefined;
}

/** A choice between two to six visible options: tree or raw, UTC or local. Arrow keys change it. */
export function SegmentedControl<T extends string>({
  label,
  options,
  value,
  onChange,
  size = 'md',
}: SegmentedControlProps<T>) {
  const name = useId();
  return (
    <fieldset
      className={cx(
        // contain the visually hidden inputs, which would otherwise widen the page in a bar that scrolls sideways
        'relative inline-flex min-w-0 flex-none overflow-clip rounded border border-line-2 [overflow-clip-margin:4px]',
        size === 'sm' ? 'h-ctl-sm' : 'h-ctl',
      )}
    >
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          title={option.title}
          className={cx(
            'ui-segment relative flex items-center border-l border-line text-12 whitespace-nowrap first-of-type:rounded-l-[5px] first-of-type:border-l-0 last-of-type:rounded-r-[5px] has-focus-visible:z-1 has-focus-visible:outline-2 has-focus-visible:outline-accent',
            size === 'sm' ? 'px-2' : 'px-2.5',
            option.value === value ? 'bg-press font-medium text-fg' : 'text-fg-2 hover:bg-hover',
          )}
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="absolute inset-0 appearance-none outline-none"
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
