import type { ReactNode } from 'react';

export interface KeyValueListProps {
  items: readonly {
    readonly name: string;
    readonly value: ReactNode;
    /** The value is data, in the monospace font. */
    readonly mono?: boolean | undefined;
  }[];
}

/** Names and values in two columns: details of a resource, or headers. */
export function KeyValueList({ items }: KeyValueListProps) {
  return (
    <dl className="grid content-start grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-0.5 text-12/5">
      {items.map((item) => (
        <div key={item.name} className="contents">
          <dt className="text-fg-3">{item.name}</dt>
          <dd className={item.mono ? 'data leading-5 wrap-anywhere' : 'wrap-anywhere'}>{item.value}</dd>
        </div>
      ))}
    </dl>
  );
}
