import { CircleAlert, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from './cx.ts';

export interface BannerProps {
  /** `warn`: offline, reconnecting. `bad`: nothing works until the cause is fixed. */
  tone: 'warn' | 'bad';
  children: ReactNode;
  action?: ReactNode;
}

/** A full-width message below the top bar that concerns the whole page. */
export function Banner({ tone, children, action }: BannerProps) {
  const Icon = tone === 'bad' ? CircleAlert : TriangleAlert;
  return (
    <div
      role="status"
      className={cx(
        'flex min-h-8 flex-none items-center gap-2 border-b px-4 py-1 text-12 max-sm:flex-wrap',
        tone === 'bad' ? 'border-bad-line bg-bad-bg text-bad-fg' : 'border-warn-line bg-warn-bg text-warn-fg',
      )}
    >
      <Icon size={14} strokeWidth={2} className="flex-none" aria-hidden />
      <span className="min-w-0 flex-1 max-sm:basis-[calc(100%-2rem)]">{children}</span>
      {action}
    </div>
  );
}
