import type { ReactNode } from 'react';

/** A part of a problem's page. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="min-w-0">
      <h2 className="mb-2 text-13">{title}</h2>
      {children}
    </section>
  );
}
