import type { ReactNode } from 'react';

export interface SectionProps {
  readonly title: ReactNode;
  readonly lead?: ReactNode;
  readonly children: ReactNode;
}

/** A section of a page that is not a list, separated from the next by a hairline. */
export function Section({ title, lead, children }: SectionProps) {
  return (
    <section className="px-4 py-4 max-sm:px-3">
      <div className="max-w-[688px]">
        <h2 className="text-14">{title}</h2>
        {lead === undefined ? null : <p className="mt-1 text-fg-2">{lead}</p>}
        <div className="mt-3">{children}</div>
      </div>
    </section>
  );
}
