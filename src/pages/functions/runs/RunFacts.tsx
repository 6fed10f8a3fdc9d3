import type { ReactNode } from 'react';

/** A row of facts under a page's title. */
export function RunFacts({ facts }: { facts: readonly { readonly name: string; readonly value: ReactNode }[] }) {
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-2 px-4 pb-3 max-sm:px-3">
      {facts.map(({ name, value }) => (
        <div key={name} className="min-w-0">
          <dt className="text-12 text-fg-3">{name}</dt>
          <dd className="min-w-0 wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
