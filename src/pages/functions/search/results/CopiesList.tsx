import { Copy } from 'lucide-react';
import { flushSync } from 'react-dom';
import type { SearchReply } from '../../../../api/entities.ts';
import { plural } from '../../../../lib/format.ts';
import { path } from '../../../../lib/path.ts';
import { useOpened } from '../result-place.ts';

interface CopiesListProps {
  function_id: string;
  name: string;
  copies: NonNullable<SearchReply['functions'][number]['copies']>;
  owned: boolean;
}

/** Opens the list of the functions that have the same code. */
export function CopiesList({ function_id, name, copies, owned }: CopiesListProps) {
  const [open, show] = useOpened(`${function_id} copies`);
  const { count, has_more, functions } = copies;
  const words = has_more ? `${count} or more copies` : count === 1 ? '1 copy' : plural(count, 'copies', 'copies');
  if (!open)
    return (
      <button
        type="button"
        data-more
        onClick={({ currentTarget }) => {
          // the button is unmounted: the focus moves to the first copy
          const item = currentTarget.closest('li');
          flushSync(show);
          item?.querySelector<HTMLElement>('[data-hit="copy"]')?.focus({ preventScroll: true });
        }}
        className="flex h-8 w-full items-center gap-1.5 border-t border-line px-3 text-12 font-medium text-accent hover:bg-hover focus-visible:-outline-offset-2"
      >
        <Copy size={14} aria-hidden />
        <span>
          and {words}
          <span className="sr-only"> of {name}</span>
        </span>
      </button>
    );
  return (
    <section aria-label={`Copies of ${name}`} className="border-t border-line px-3 py-2 text-12">
      <p className="mb-1 text-fg-3">
        {words} with the same code, except for comments and formatting. The original is the oldest.
      </p>
      <ul className="grid gap-x-4 sm:grid-cols-2">
        {functions.map((copy) => (
          <li key={copy.function_id} className="flex min-h-6 min-w-0 items-center gap-2">
            <a
              data-hit="copy"
              className="link min-w-0 truncate"
              title={copy.name}
              href={path.function(copy.function_id)}
            >
              {copy.name}
            </a>
            <span className="data flex-none text-fg-3">v{copy.version}</span>
            {owned ? null : <span className="min-w-0 truncate text-fg-3">{copy.account_name}</span>}
          </li>
        ))}
      </ul>
      {has_more ? <p className="mt-1 text-fg-3">The others are listed when copies are not folded.</p> : null}
    </section>
  );
}
