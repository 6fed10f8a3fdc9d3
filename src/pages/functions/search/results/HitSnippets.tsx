import { ChevronDown } from 'lucide-react';
import { useMemo } from 'react';
import { flushSync } from 'react-dom';
import type { SearchReply } from '../../../../api/entities.ts';
import { formatCount, plural } from '../../../../lib/format.ts';
import type { Marker } from '../../../../lib/search-marks.ts';
import { filesIn, type Hit, type Snippet, snippetsOf } from '../../code/snippets.ts';
import { useOpened } from '../result-place.ts';
import type { OpenedSearch } from '../search-state.ts';
import { SnippetLines } from './SnippetLines.tsx';

/** The snippets, and about the number of lines, that are shown before "more" is pressed. */
const FIRST = { snippets: 3, lines: 20 };

function firstOf(snippets: readonly Snippet[]): readonly Snippet[] {
  let lines = 0;
  return snippets.filter((snippet, index) => {
    const hasRoom = index < FIRST.snippets && lines < FIRST.lines;
    lines += snippet.lines.length;
    return hasRoom;
  });
}

interface HitSnippetsProps {
  found: SearchReply['functions'][number];
  /** Those hits of the function that are shown here. */
  hits: readonly Hit[];
  /** Only hits of this file are shown, below its name. */
  file?: string | undefined;
  marker: Marker;
  search: OpenedSearch;
  drawn: boolean;
}

/** The first hits with the lines around them, and a button for the rest. */
export function HitSnippets({ found, hits, file, marker, search, drawn }: HitSnippetsProps) {
  const [all, showAll] = useOpened(file === undefined ? found.function_id : `${found.function_id} ${file}`);
  const snippets = useMemo(() => snippetsOf(hits, found.version), [hits, found.version]);
  const shown = all ? snippets : firstOf(snippets);
  const rest = snippets.slice(shown.length);
  const hidden = rest.reduce((sum, { hitLines }) => sum + hitLines.size, 0);
  const restFiles = filesIn(rest);
  const isOneFile = restFiles === 1 && rest[0]?.path === shown.at(-1)?.path;
  const notSent = found.hit_count - found.hits.length;
  return (
    <>
      {shown.map((snippet, index) => (
        <SnippetLines
          key={`${snippet.path}:${snippet.version}:${snippet.firstLine}`}
          snippet={snippet}
          function_id={found.function_id}
          marker={marker}
          search={search}
          drawn={drawn}
          first={index === 0}
          named={file === undefined && snippet.path !== shown[index - 1]?.path}
        />
      ))}
      {hidden > 0 ? (
        <button
          type="button"
          data-more
          onClick={({ currentTarget }) => {
            // the button is unmounted: the focus moves to the first added hit
            const item = currentTarget.closest('li');
            const before = item?.querySelectorAll('[data-hit]:not([data-hit="copy"])').length ?? 0;
            flushSync(showAll);
            item?.querySelectorAll<HTMLElement>('[data-hit]')[before]?.focus({ preventScroll: true });
          }}
          className="flex h-8 w-full items-center gap-1.5 border-t border-line px-3 text-12 font-medium text-accent hover:bg-hover focus-visible:-outline-offset-2"
        >
          <ChevronDown size={14} aria-hidden />
          <span>
            {plural(hidden, 'more hit')} in {isOneFile ? 'this file' : plural(restFiles, 'file')}
            <span className="sr-only"> of {found.name}</span>
          </span>
        </button>
      ) : notSent > 0 && file === undefined ? (
        <p className="border-t border-line px-3 py-1.5 text-12 text-fg-3">
          The first {formatCount(found.hits.length)} of {formatCount(found.hit_count)} hits are shown; a narrower query
          shows others.
        </p>
      ) : null}
    </>
  );
}
