import { Braces, ChevronDown, Star } from 'lucide-react';
import { memo, useMemo } from 'react';
import { flushSync } from 'react-dom';
import type { SearchReply } from '../../../api/entities.ts';
import { formatCount, plural } from '../../../lib/format.ts';
import { path } from '../../../lib/path.ts';
import { type Marker, noMarks } from '../../../lib/search-marks.ts';
import { CodePieces } from '../../../ui/code/CodePieces.tsx';
import { cx } from '../../../ui/cx.ts';
import { Tag } from '../../../ui/Tag.tsx';
import { filesIn, type Snippet, snippetsOf, versionWords } from '../code/snippets.ts';
import { FunctionTags } from '../FunctionTags.tsx';
import { useNear } from '../versions/use-near.ts';
import { useOpened } from './result-place.ts';
import { SnippetLines } from './SnippetLines.tsx';
import type { OpenedSearch } from './search-state.ts';

type Found = SearchReply['functions'][number];

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

interface FunctionHitsProps {
  found: Found;
  marker: Marker;
  search: OpenedSearch;
  owned: boolean;
  /** One of the first results, which are visible before anything is measured. */
  first: boolean;
}

const BOX = '[data-results]';
/** While typing, rows out of sight are not laid out for each letter. Otherwise they are, as Back returns to a place. */
const UNSEEN =
  'in-[search:focus-within~*]:[contain-intrinsic-block-size:auto_320px] in-[search:focus-within~*]:[content-visibility:auto]';

/** One function of the results: its properties, then its hits by file. */
export const FunctionHits = memo(function FunctionHits({ found, marker, search, owned, first }: FunctionHitsProps) {
  const [isNear, watched] = useNear(BOX, first);
  const drawn = isNear ? marker : noMarks;
  const [all, showAll] = useOpened(found.function_id);
  const snippets = useMemo(() => snippetsOf(found.hits, found.version), [found.hits, found.version]);
  const versions = versionWords(found, found.version);
  const shown = all ? snippets : firstOf(snippets);
  const rest = snippets.slice(shown.length);
  const hidden = rest.reduce((sum, { hitLines }) => sum + hitLines.size, 0);
  const restFiles = filesIn(rest);
  const isOneFile = restFiles === 1 && rest[0]?.path === shown.at(-1)?.path;
  const notSent = found.hit_count - found.hits.length;
  const inCode = found.hits.length > 0;
  return (
    <li
      ref={watched}
      className={cx('min-w-0 overflow-hidden rounded-lg border border-line-2 focus-within:border-accent-line', UNSEEN)}
    >
      <div className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
        <h2 className="flex min-w-0 items-center gap-x-3 text-13 font-medium tracking-normal">
          <Braces size={14} strokeWidth={1.75} className="flex-none text-fg-3" aria-hidden />
          <a
            className="link min-w-0 truncate"
            data-hit={inCode ? undefined : 'first'}
            data-found
            title={found.name}
            href={path.function(found.function_id)}
          >
            {inCode ? found.name : <Marked text={found.name} marker={drawn} />}
          </a>
        </h2>
        <FunctionTags fn={found} />
        {found.star_count > 0 ? (
          <span className="inline-flex items-center gap-1 text-12 text-fg-3" title={plural(found.star_count, 'star')}>
            <Star size={12} aria-hidden />
            <span>
              {formatCount(found.star_count)}
              <span className="sr-only"> {found.star_count === 1 ? 'star' : 'stars'}</span>
            </span>
          </span>
        ) : null}
        {owned ? null : <span className="min-w-0 truncate text-12 text-fg-3">{found.account_name}</span>}
        {versions ? <Tag>hits {versions}</Tag> : null}
        {inCode ? (
          <span className="ml-auto text-12 text-fg-3">
            <strong className="font-medium text-fg">{formatCount(found.hit_count)}</strong>{' '}
            {found.hit_count === 1 ? 'hit' : 'hits'} in {plural(filesIn(found.hits), 'file')}
            {notSent > 0 ? ' or more' : null}
          </span>
        ) : null}
      </div>
      {found.description && !inCode ? (
        <p className="border-t border-line px-3 py-2 text-fg-2 wrap-anywhere">
          <Marked text={found.description} marker={drawn} />
        </p>
      ) : null}
      {shown.map((snippet, index) => (
        <SnippetLines
          key={`${snippet.path}:${snippet.version}:${snippet.firstLine}`}
          snippet={snippet}
          function_id={found.function_id}
          marker={drawn}
          search={search}
          drawn={isNear}
          first={index === 0}
          named={snippet.path !== shown[index - 1]?.path}
        />
      ))}
      {hidden > 0 ? (
        <button
          type="button"
          data-more
          onClick={({ currentTarget }) => {
            // the button is unmounted: the focus moves to the first added hit
            const item = currentTarget.closest('li');
            const before = item?.querySelectorAll('[data-hit]').length ?? 0;
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
      ) : notSent > 0 ? (
        <p className="border-t border-line px-3 py-1.5 text-12 text-fg-3">
          The first {formatCount(found.hits.length)} of {formatCount(found.hit_count)} hits are shown; a narrower query
          shows others.
        </p>
      ) : null}
    </li>
  );
});

const Marked = ({ text, marker }: { text: string; marker: Marker }) => (
  <CodePieces pieces={[{ text, ink: undefined }]} marks={marker(text)} />
);
