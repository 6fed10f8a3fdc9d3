import { ChevronRight } from 'lucide-react';
import { cx } from '../cx.ts';

/** The chevron of an expandable row. It points down while the row is expanded. */
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
