import type { ReactNode } from 'react';
import { useOutlet } from 'react-router';

/**
 * A list page and, while a child route is active, that route's Panel beside or over it. The list stays mounted, so it
 * keeps its scroll position. The children are the column of the list: PageHead, FilterBar, table.
 */
export function PanelPage({ children }: { children: ReactNode }) {
  return (
    <div className="relative flex min-h-0 flex-1">
      <section className="flex min-w-0 flex-1 flex-col">{children}</section>
      {useOutlet()}
    </div>
  );
}
