import { ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';

export interface DisclosureProps {
  readonly summary: ReactNode;
  /** Rendered once it is expanded. */
  readonly children: ReactNode;
}

/** Content that is collapsed by default. */
export function Disclosure({ summary, children }: DisclosureProps) {
  const [open, setOpen] = useState(false);
  return (
    <details
      open={open}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      className="group [contain:inline-size]"
    >
      <summary className="flex min-h-6 w-fit cursor-pointer list-none items-center gap-1 text-12 text-fg-2 hover:text-fg [&::-webkit-details-marker]:hidden">
        <ChevronRight size={14} aria-hidden className="flex-none group-open:rotate-90" />
        {summary}
      </summary>
      {open ? <div className="mt-1.5">{children}</div> : null}
    </details>
  );
}
