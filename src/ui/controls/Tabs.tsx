import type { ReactNode } from 'react';
import { cx } from '../cx.ts';
import { type Rendered, renderAs } from '../render-as.ts';

/** Tabs of a resource, each with a URL: a navigation that looks like tabs. Contains TabLinks. */
export function Tabs({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav aria-label={label} className="flex flex-none gap-4 overflow-x-auto border-b border-line px-4 max-sm:px-3">
      {children}
    </nav>
  );
}

export interface TabLinkProps {
  /** `<NavLink to="…" />` marks the current tab; with a plain link, pass `current`. */
  render: Rendered;
  current?: boolean | undefined;
  count?: ReactNode;
  children: ReactNode;
}

export function TabLink({ render, current, count, children }: TabLinkProps) {
  return renderAs(render, {
    ...(current === undefined ? {} : { 'aria-current': current ? 'page' : undefined }),
    className: cx(
      '-mb-px inline-flex h-9 flex-none items-center gap-1.5 border-b-2 border-transparent font-medium whitespace-nowrap text-fg-2 no-underline hover:text-fg focus-visible:-outline-offset-2 aria-[current=page]:border-accent aria-[current=page]:text-fg',
    ),
    children: (
      <>
        {children}
        {count === undefined ? null : <span className="text-12 font-normal text-fg-3">{count}</span>}
      </>
    ),
  });
}
