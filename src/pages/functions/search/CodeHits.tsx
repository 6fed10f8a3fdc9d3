import { useQuery } from '@tanstack/react-query';
import { queryParts, typedFrom } from '../../../../contract/search/search-query.ts';
import { Link } from '../../../components/Link.tsx';
import { useMarker } from '../../../lib/search-marks.ts';
import { MoreFunctionHits } from './results/MoreFunctionHits.tsx';
import { searchQuery } from './search-query.ts';
import { type SearchState, searchAddress, useOpenedSearch } from './search-state.ts';
import { inQuotes } from './search-ways.ts';

/** Functions shown below the ranked ones. */
const MOST = 3;

/** The best functions whose code has all words of a word search; below those that have them in their name. */
export function CodeHits({ words, state }: { words: string; state: SearchState }) {
  const texts = words.split(/\s+/).map(inQuotes).join(' ');
  const q = typedFrom({ text: texts, filters: queryParts(state.asked).filters });
  const inCode: SearchState = { ...state, q, asked: q };
  const { data } = useQuery({ ...searchQuery(inCode), retry: false });
  const search = useOpenedSearch(inCode);
  const marker = useMarker({ mode: data?.mode ?? 'literal', query: data?.query ?? '' }, state.case);
  return (
    <section aria-label="In the code" className="grid max-w-[1180px] gap-3 pt-4">
      {/* above the hits, which arrive later: a link below them would move from under the pointer */}
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 className="text-13 font-medium text-fg-2">In the code</h2>
        <Link className="link" to={searchAddress(inCode)}>
          Search the code for <code className="wrap-anywhere">{texts}</code>
        </Link>
      </div>
      {data && data.count > 0 ? (
        <MoreFunctionHits
          functions={data.functions.slice(0, MOST)}
          marker={marker}
          search={search}
          owned={state.owner === 'SELF'}
        />
      ) : null}
    </section>
  );
}
