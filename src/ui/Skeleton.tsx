import { cx } from './cx.ts';

/** The placeholder of a value. It appears after 150 ms, so that fast responses do not flicker. */
export function Skeleton({ className = 'w-24' }: { className?: string | undefined }) {
  return <span aria-hidden className={cx('ui-skeleton inline-block h-2.5 rounded-sm bg-press', className)} />;
}

const WIDTHS = ['w-2/3', 'w-1/2', 'w-3/4', 'w-2/5', 'w-3/5'] as const;

/** Placeholder lines of text for panels and cards, announced once to screen readers. */
export function SkeletonLines({ lines = 3, label = 'Loading' }: { lines?: number; label?: string }) {
  return (
    <div role="status" className="grid gap-2.5">
      <span className="sr-only">{label}</span>
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={WIDTHS[line % WIDTHS.length] + String(line)} className={WIDTHS[line % WIDTHS.length]} />
      ))}
    </div>
  );
}
