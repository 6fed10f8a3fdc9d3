import { Skeleton } from '../ui/Skeleton.tsx';

const WIDTHS = ['w-1/3', 'w-1/2', 'w-2/5', 'w-3/5'] as const;

/** Placeholder rows while rows load. */
export function TableSkeleton({ rows = 12, label }: { rows?: number | undefined; label: string }) {
  return (
    <div role="status">
      <span className="sr-only">{label}</span>
      {Array.from({ length: rows }, (_, row) => (
        <div
          key={`${label} ${String(row)}`}
          className="flex h-row items-center gap-4 border-b border-line px-4 max-sm:px-3"
          aria-hidden
        >
          <Skeleton className="w-16" />
          <Skeleton className={WIDTHS[row % WIDTHS.length]} />
        </div>
      ))}
    </div>
  );
}
