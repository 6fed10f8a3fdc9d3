import { Plus, X } from 'lucide-react';
import type { ComponentProps } from 'react';
import { cx } from '../cx.ts';

export interface FilterChipProps {
  name: string;
  value: string;
  onClear: () => void;
  /** Attributes of the value, if clicking it opens a menu. */
  trigger?: ComponentProps<'button'> | undefined;
}

/** An active filter: name | value | ×. */
export function FilterChip({ name, value, onClear, trigger }: FilterChipProps) {
  const words = (
    <>
      <span className="px-[7px] text-fg-3">{name}</span>
      <span className="max-w-52 truncate border-l border-line-2 px-[7px] font-medium">{value}</span>
    </>
  );
  const part = 'inline-flex h-full items-center leading-none rounded-l-[4px]';
  return (
    <span className="inline-flex h-ctl-sm flex-none items-center rounded-[5px] border border-line-2 text-12 whitespace-nowrap">
      {trigger ? (
        <button type="button" {...trigger} className={cx(part, 'hover:bg-hover aria-expanded:bg-press')}>
          {words}
        </button>
      ) : (
        <span className={part}>{words}</span>
      )}
      <button
        type="button"
        aria-label={`Clear filter ${name}: ${value}`}
        onClick={onClear}
        className="grid h-full min-w-6 place-items-center rounded-r-[4px] border-l border-line-2 text-fg-3 hover:bg-hover hover:text-fg"
      >
        <X size={12} strokeWidth={2} aria-hidden />
      </button>
    </span>
  );
}

export interface AddFilterProps extends ComponentProps<'button'> {
  name: string;
}

/** An inactive filter: dashed, with a plus. Accepts the trigger attributes of a menu. */
export function AddFilter({ name, className, ...rest }: AddFilterProps) {
  return (
    <button
      type="button"
      {...rest}
      className={cx(
        'inline-flex h-ctl-sm flex-none items-center gap-1 rounded-[5px] border border-dashed border-line-2 px-[7px] text-12 font-medium whitespace-nowrap text-fg-2 hover:bg-hover hover:text-fg aria-expanded:bg-press',
        className,
      )}
    >
      <Plus size={12} strokeWidth={2} aria-hidden />
      {name}
    </button>
  );
}
