import { type ReactNode, useId } from 'react';
import { cx } from '../cx.ts';

export interface RadioCard<T extends string> {
  readonly value: T;
  readonly title: string;
  readonly description?: ReactNode;
  /** At the end: a tag. */
  readonly aside?: ReactNode;
  /** Why the option is disabled. */
  readonly reason?: string | undefined;
}

export interface RadioCardsProps<T extends string> {
  label: string;
  /** Hides the label, which is shown above. */
  hideLabel?: boolean | undefined;
  options: readonly RadioCard<T>[];
  value: T | undefined;
  onChange: (value: T) => void;
}

/** Radio options that each need a sentence: connection method, network access. */
export function RadioCards<T extends string>({
  label,
  hideLabel = false,
  options,
  value,
  onChange,
}: RadioCardsProps<T>) {
  const name = useId();
  return (
    <fieldset className="min-w-0">
      <legend className={hideLabel ? 'sr-only' : 'mb-1 text-12 font-medium text-fg-2'}>{label}</legend>
      <div className="grid">
        {options.map((option) => {
          const off = option.reason !== undefined;
          const on = option.value === value;
          return (
            <label
              key={option.value}
              className={cx(
                'relative -mt-px flex min-h-11 items-center gap-3 border px-3 py-2 first:mt-0 first:rounded-t-lg last:rounded-b-lg',
                on ? 'z-1 border-accent bg-selected' : 'border-line-2',
                !on && !off && 'hover:bg-hover',
              )}
            >
              <input
                type="radio"
                name={name}
                value={option.value}
                checked={on}
                disabled={off}
                onChange={() => onChange(option.value)}
                className="ui-radio"
              />
              <span className="min-w-0 flex-1">
                <span className={cx('block font-medium', off && 'text-fg-3')}>{option.title}</span>
                {option.reason || option.description ? (
                  <span className="block text-12 text-fg-3">{option.reason ?? option.description}</span>
                ) : null}
              </span>
              {option.aside}
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}
