import type { ReactNode, Ref } from 'react';
import { cx } from '../../../ui/cx.ts';

interface PartProps {
  readonly title: string;
  /** Its position in the grid. */
  readonly className?: string | undefined;
  readonly ref?: Ref<HTMLElement> | undefined;
  readonly children: ReactNode;
}

/** A section of the request builder, as wide as its column. */
export function Part({ title, className, ref, children }: PartProps) {
  return (
    <section
      ref={ref}
      aria-label={title}
      className={cx('min-w-0 border-b border-line px-4 py-4 max-sm:px-3', className)}
    >
      <h2 className="mb-3 text-14">{title}</h2>
      {children}
    </section>
  );
}
