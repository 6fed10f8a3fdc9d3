import { ChevronRight } from 'lucide-react';
import { cx } from '../cx.ts';

/** At the start of a row that opens: points down while it is open. */
export function RowChevron({ open }: { open: boolean }) {
  return (
    <ChevronRight
      size={12}
      strokeWidth={2}
      aria-hidden
      className={cx('flex-none text-fg-3 transition-transform duration-fast', open && 'rotate-90')}
    />
  );
}
