import { formatCount, plural } from '../../lib/format.ts';
import { cx } from '../../ui/cx.ts';

interface RunBarProps {
  /** The time or duration range of the bar. */
  readonly span: string;
  readonly runs: number;
  readonly failed: number;
  /** The largest count of all bars. */
  readonly most: number;
  /** Whether the list is filtered by this bar. */
  readonly chosen: boolean;
  readonly onPick: () => void;
  /** The text below the bar. */
  readonly caption: string;
  readonly wide?: boolean;
  readonly tabIndex?: number;
  readonly onFocus?: () => void;
}

/** A clickable bar with the number of runs and of failed runs. */
export function RunBar({ span, runs, failed, most, chosen, onPick, caption, wide, tabIndex, onFocus }: RunBarProps) {
  const words = `${span}: ${plural(runs, 'run')}${failed > 0 ? `, ${formatCount(failed)} failed` : ''}`;
  const height = runs === 0 ? 1 : Math.max(3, (runs / most) * 40);
  return (
    <button
      type="button"
      tabIndex={tabIndex}
      aria-pressed={chosen}
      aria-label={words}
      title={words}
      onFocus={onFocus}
      onClick={onPick}
      className={cx(
        'flex h-16 flex-col items-center justify-end rounded-sm hover:bg-hover focus-visible:-outline-offset-2',
        wide ? 'w-11' : 'w-6',
        chosen && 'bg-selected',
      )}
    >
      <span
        className={cx('relative overflow-hidden rounded-t-[2px] bg-chart-1', wide ? 'w-7' : 'w-5')}
        style={{ height }}
      >
        {failed > 0 ? (
          <span
            className="absolute inset-x-0 bottom-0 bg-bad-solid"
            style={{ height: Math.max(2, (failed / runs) * height) }}
          />
        ) : null}
      </span>
      <span className={cx('data mt-0.5 text-11 whitespace-nowrap text-fg-3', !wide && 'h-4 w-6 text-left')}>
        {caption}
      </span>
    </button>
  );
}
