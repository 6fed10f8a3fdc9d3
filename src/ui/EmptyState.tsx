import type { ReactNode } from 'react';

export interface EmptyStateProps {
  title: string;
  /** One sentence about the resource. */
  children: ReactNode;
  /** The button that creates the first one, and a link to the docs. */
  actions?: ReactNode;
}

/** The empty state of a list before the first row exists. */
export function EmptyState({ title, children, actions }: EmptyStateProps) {
  return (
    <div className="max-w-[520px] px-4 py-5">
      <h2 className="text-14">{title}</h2>
      <p className="mt-1 text-fg-2">{children}</p>
      {actions ? <div className="mt-3 flex flex-wrap items-center gap-2">{actions}</div> : null}
    </div>
  );
}
