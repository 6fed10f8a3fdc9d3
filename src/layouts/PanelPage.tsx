import type { ReactNode } from 'react';
import { useOutlet } from 'react-router';

/**
 * A list and, while one of its child routes is shown, that child's Panel beside or over it. The list stays mounted, so
 * its place is kept. The children are the list's column: PageHead, FilterBar, table.
 */
export function PanelPage({ children }: { children: ReactNode }) {
  return (
    <div className="relative flex min-h-0 flex-1">
      <section className="flex min-w-0 flex-1 flex-col">{children}</section>
      {useOutlet()}
    </div>
  );
}
