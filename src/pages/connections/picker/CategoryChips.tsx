import { cx } from '../../../ui/cx.ts';
import type { AppGroup } from './app-search.ts';

export interface CategoryChipsProps {
  readonly groups: readonly AppGroup<unknown>[];
  readonly total: number;
  /** The chosen category; empty for all. */
  readonly value: string;
  readonly onChange: (category: string) => void;
}

/** The app categories. On a phone the chips scroll sideways. */
export function CategoryChips({ groups, total, value, onChange }: CategoryChipsProps) {
  const chips = [
    { category: '', name: 'All', count: total },
    ...groups.map(({ category, name, apps }) => ({ category, name, count: apps.length })),
  ];
  return (
    <fieldset className="-my-1 flex min-w-0 gap-1.5 py-1 max-sm:-mx-3 max-sm:overflow-x-auto max-sm:px-3 sm:flex-wrap">
      <legend className="sr-only">Category</legend>
      {chips.map(({ category, name, count }) => (
        <button
          key={category}
          type="button"
          aria-pressed={category === value}
          onClick={() => onChange(category)}
          className={cx(
            'inline-flex h-ctl-sm flex-none items-center gap-1.5 rounded-[5px] border px-2 text-12 font-medium whitespace-nowrap',
            category === value
              ? 'border-accent-line bg-accent-soft text-accent'
              : 'border-line-2 text-fg-2 hover:bg-hover hover:text-fg',
          )}
        >
          {name} <span className="font-normal">{count}</span>
        </button>
      ))}
    </fieldset>
  );
}
