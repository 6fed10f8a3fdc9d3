import type { ReactNode } from 'react';

export interface PageHeadProps {
  title: ReactNode;
  /** The title is data, such as an id, in the monospace font. */
  mono?: boolean | undefined;
  /** The formatted number of rows. */
  count?: ReactNode;
  /** After the title: tags, status, the URL with its copy button. */
  meta?: ReactNode;
  /** Buttons at the end; at most one primary, which is last. */
  actions?: ReactNode;
  /** Below the title: tabs, details, the filter bar. */
  children?: ReactNode;
}

/** The title of a page and its actions. The h1 takes the focus after a navigation. */
export function PageHead({ title, mono = false, count, meta, actions, children }: PageHeadProps) {
  return (
    <div className="flex-none">
      <div className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2 max-sm:px-3">
        <h1
          tabIndex={-1}
          className={mono ? 'data min-w-0 truncate text-14! font-medium tracking-normal' : 'min-w-0 truncate text-18'}
        >
          {title}
        </h1>
        {count === undefined ? null : <span className="text-14 text-fg-3">{count}</span>}
        {meta}
        {actions ? <div className="ml-auto flex flex-wrap items-center gap-2">{actions}</div> : null}
      </div>
      {children}
    </div>
  );
}
