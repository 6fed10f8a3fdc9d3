import type { ReactNode } from 'react';
import { scrollRegion } from '../ui/scroll-region.ts';

/** The body of a page without a list. It scrolls as a whole. */
export function ScrollPage({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div {...scrollRegion(label)} className="relative min-h-0 flex-1 overflow-y-auto focus-visible:-outline-offset-2">
      {children}
    </div>
  );
}
