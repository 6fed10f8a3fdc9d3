import type { ReactNode } from 'react';

/** The row of filters of a list: text first, then time, then the rest. On a phone it scrolls sideways. */
export function FilterBar({ children, label = 'Filters' }: { children: ReactNode; label?: string }) {
  return (
    <search
      aria-label={label}
      // the browser is content when a sliver of what has the focus is in sight
      onFocus={({ target }) => target.scrollIntoView({ block: 'nearest', inline: 'nearest' })}
      className="flex min-h-9 flex-none items-center gap-1.5 px-4 pb-2 max-sm:overflow-x-auto max-sm:px-3 max-sm:*:flex-none sm:flex-wrap"
    >
      {children}
    </search>
  );
}
