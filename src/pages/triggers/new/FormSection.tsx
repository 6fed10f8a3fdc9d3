import type { ReactNode } from 'react';

/** A section of a form page. */
export function FormSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="px-4 py-4 max-sm:px-3">
      <h2 className="mb-3 text-14">{title}</h2>
      {children}
    </section>
  );
}
