import type { ReactNode } from 'react';
import { cx } from '../cx.ts';

interface FilterBarProps {
  children: ReactNode;
  label?: string;
  /** The first item; on a phone on a separate line. */
  lead?: ReactNode;
}

const SIDEWAYS = 'flex items-center gap-1.5 max-sm:overflow-x-auto max-sm:*:flex-none';

/** The filters of a list: text, time, then the rest. On a phone it scrolls sideways. */
export function FilterBar({ children, label = 'Filters', lead }: FilterBarProps) {
  return (
    <search
      aria-label={label}
      // the browser does not scroll if a part of the focused element is visible
      onFocus={({ target }) => target.scrollIntoView({ block: 'nearest', inline: 'nearest' })}
      className={cx(
        'min-h-9 flex-none px-4 pb-2 max-sm:px-3 sm:flex-wrap',
        lead ? 'flex items-center gap-1.5 max-sm:flex-col max-sm:items-stretch' : SIDEWAYS,
      )}
    >
      {lead ? (
        <>
          {lead}
          <div className={cx(SIDEWAYS, 'ui-rail sm:contents')}>{children}</div>
        </>
      ) : (
        children
      )}
    </search>
  );
}
