import type { ReactNode } from 'react';
import { cx } from '../../ui/cx.ts';
import type { Icon } from '../../ui/icon.ts';

export interface AttentionCardProps {
  tone: 'bad' | 'warn';
  icon: Icon;
  kind: string;
  aside?: ReactNode;
  title: string;
  children: ReactNode;
  actions: ReactNode;
}

/** One problem: its kind, subject, cause and action. */
export function AttentionCard({ tone, icon: Mark, kind, aside, title, children, actions }: AttentionCardProps) {
  return (
    <article className="flex min-w-0 flex-col gap-1 rounded-lg border border-line-2 bg-raised px-4 pt-3 pb-4">
      <div className="flex items-center gap-2 text-12 text-fg-3">
        <span className={cx('flex items-center gap-1.5 font-medium', tone === 'bad' ? 'text-bad-fg' : 'text-warn-fg')}>
          <Mark size={14} strokeWidth={2} className="flex-none" aria-hidden />
          {kind}
        </span>
        <span className="ml-auto min-w-0 truncate">{aside}</span>
      </div>
      <h2 className="truncate text-13" title={title}>
        {title}
      </h2>
      <div className="min-h-10 wrap-anywhere text-fg-2">{children}</div>
      <div className="mt-auto flex flex-wrap items-center gap-2 pt-2">{actions}</div>
    </article>
  );
}
