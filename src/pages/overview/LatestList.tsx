import type { ReactNode } from 'react';
import { Link } from '../../components/Link.tsx';

export interface LatestListProps<Row> {
  title: string;
  all: { to: string; label: string };
  rows: readonly Row[];
  rowId: (row: Row) => string;
  empty: string;
  children: (row: Row) => ReactNode;
}

/** The latest rows of a list, each a link, with a link to the whole list. */
export function LatestList<Row>({ title, all, rows, rowId, empty, children }: LatestListProps<Row>) {
  return (
    <section className="min-w-0 border-b border-line lg:odd:border-r" aria-label={title}>
      <div className="flex items-center gap-2 px-4 pt-4 pb-2 max-sm:px-3">
        <h2 className="flex-1 text-14">{title}</h2>
        <Link to={all.to} className="link text-12">
          {all.label}
        </Link>
      </div>
      {rows.length === 0 ? <p className="px-4 pb-4 text-fg-2 max-sm:px-3">{empty}</p> : null}
      <ul>
        {rows.map((row) => (
          <li
            key={rowId(row)}
            className="relative flex h-row items-center gap-3 overflow-hidden border-t border-line px-4 hover:bg-hover max-sm:px-3"
          >
            {children(row)}
          </li>
        ))}
      </ul>
    </section>
  );
}
