import type { ReactNode } from 'react';

export interface EmptyStateProps {
  title: string;
  /** One sentence of what this is. */
  children: ReactNode;
  /** The button that makes the first one, and a link to the docs. */
  actions?: ReactNode;
}

/** First-time empty: says what would be here and has the button; shown in place of the first row. */
export function EmptyState({ title, children, actions }: EmptyStateProps) {
  return (
    <div className="max-w-[520px] px-4 py-5">
      <h2 className="text-14">{title}</h2>
      <p className="mt-1 text-fg-2">{children}</p>
      {actions ? <div className="mt-3 flex flex-wrap items-center gap-2">{actions}</div> : null}
    </div>
  );
}
