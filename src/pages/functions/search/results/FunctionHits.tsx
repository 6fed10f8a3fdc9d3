import { Braces, Star } from 'lucide-react';
import { memo } from 'react';
import type { SearchReply } from '../../../../api/entities.ts';
import { formatCount, plural } from '../../../../lib/format.ts';
import { path } from '../../../../lib/path.ts';
import { type Marker, noMarks } from '../../../../lib/search-marks.ts';
import { CodePieces } from '../../../../ui/code/CodePieces.tsx';
import { Tag } from '../../../../ui/Tag.tsx';
import { filesIn, versionWords } from '../../code/snippets.ts';
import { FunctionTags } from '../../FunctionTags.tsx';
import { useNear } from '../../versions/use-near.ts';
import type { OpenedSearch } from '../search-state.ts';
import { CopiesList } from './CopiesList.tsx';
import { HitSnippets } from './HitSnippets.tsx';

type Found = SearchReply['functions'][number];

interface FunctionHitsProps {
  found: Found;
  marker: Marker;
  search: OpenedSearch;
  owned: boolean;
  /** One of the first results, which are visible before anything is measured. */
  first: boolean;
}

/** The scroll container of the results. */
export const RESULTS = '[data-results]';
/** While typing, rows out of sight are not laid out for each letter. Otherwise they are, as Back returns to a place. */
const UNSEEN =
  'in-[search:focus-within~*]:[contain-intrinsic-block-size:auto_320px] in-[search:focus-within~*]:[content-visibility:auto]';
export const CARD = `min-w-0 overflow-hidden rounded-lg border border-line-2 focus-within:border-accent-line ${UNSEEN}`;

/** One function of the results: its properties, then its hits by file. */
export const FunctionHits = memo(function FunctionHits({ found, marker, search, owned, first }: FunctionHitsProps) {
  const [isNear, watched] = useNear(RESULTS, first);
  const drawn = isNear ? marker : noMarks;
  const versions = versionWords(found, found.version);
  const notSent = found.hit_count - found.hits.length;
  const inCode = found.hits.length > 0;
  return (
    <li ref={watched} className={CARD}>
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
      <HitSnippets found={found} hits={found.hits} marker={drawn} search={search} drawn={isNear} />
      {found.copies ? (
        <CopiesList function_id={found.function_id} name={found.name} copies={found.copies} owned={owned} />
      ) : null}
    </li>
  );
});

const Marked = ({ text, marker }: { text: string; marker: Marker }) => (
  <CodePieces pieces={[{ text, ink: undefined }]} marks={marker(text)} />
);
