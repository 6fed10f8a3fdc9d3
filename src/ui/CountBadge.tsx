import { cx } from './cx.ts';

export interface CountBadgeProps {
  count: number;
  tone: 'bad' | 'warn';
  /** What is counted: "failed connections". For screen readers only. */
  label: string;
}

/** The number of resources that need attention, in the navigation. Hidden for zero. */
export function CountBadge({ count, tone, label }: CountBadgeProps) {
  if (count === 0) return null;
  return (
    <span
      className={cx(
        'ml-auto min-w-[18px] rounded-sm border px-1 text-center text-11/4 font-medium',
        tone === 'bad' ? 'border-bad-line bg-bad-bg text-bad-fg' : 'border-warn-line bg-warn-bg text-warn-fg',
      )}
    >
      {count > 99 ? '99+' : count}
      <span className="sr-only"> {label}</span>
    </span>
  );
}
