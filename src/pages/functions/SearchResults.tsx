import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { isCaseSensitive, readQuery } from '../../../contract/search-query.ts';
import { toApiError } from '../../api/api-error.ts';
import { useSession } from '../../api/session.ts';
import type { Handle } from '../../layouts/handle.ts';
import { useScrollMemory } from '../../table/use-scroll-memory.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { KeyHint } from '../../ui/KeyCap.tsx';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { scrollRegion } from '../../ui/scroll-region.ts';
import { FoundList } from './FoundList.tsx';
import { useHitLinks } from './hit-links.ts';
import { useHitWalk } from './hit-walk.ts';
import { hintOf } from './query-hints.ts';
import { rememberSearch } from './recent-searches.ts';
import { useHitMemory } from './result-place.ts';
import { SearchBar } from './SearchBar.tsx';
import { SearchFacets } from './SearchFacets.tsx';
import { SearchMistake } from './SearchMistake.tsx';
import { SearchStart } from './SearchStart.tsx';
import { searchQuery } from './search-query.ts';
import { useSearchState } from './search-state.ts';

export const handle: Handle = { crumb: 'Search' };

/** Functions whose words or code match, with every place. */
export function Component() {
  const [state] = useSearchState();
  const { account_id } = useSession();
  const read = readQuery(state.q);
  const isEmpty = state.q.trim() === '';
  const hint = hintOf(state.q);
  const asked = !isEmpty && !hint?.refused;
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    ...searchQuery(state),
    placeholderData: keepPreviousData,
    enabled: asked,
  });
  const box = useRef<HTMLDivElement>(null);
  useHitWalk();
  useScrollMemory(box, 'results');
  useHitMemory(box, () => rememberSearch(account_id, state));
  useHitLinks(box);
  const failure = error && asked ? toApiError(error) : undefined;
  const mistake = failure?.status === 400 ? failure : undefined;
  // hits of the query before stay while the next answer is on its way, and while a mistake is being typed
  const [last, setLast] = useState(data);
  if (data !== undefined && data !== last) setLast(data);
  const shown = isEmpty ? undefined : mistake ? (last?.count ? last : undefined) : data;
  useTopOnNews(box, shown && !isPlaceholderData ? `${shown.mode} ${shown.query}` : undefined);
  return (
    <>
      <SearchBar state={state} read={read} reply={mistake || hint?.refused ? undefined : shown} busy={isFetching} />
      {hint ? <SearchMistake q={state.q} said={hint.said} at={hint.at} refused={hint.refused} /> : null}
      {mistake && !hint ? <SearchMistake q={state.q} {...placeOf(mistake.message, state.q)} refused /> : null}
      <div className="flex min-h-0 flex-1 border-t border-line">
        {isEmpty ? null : (
          <aside
            aria-label="Narrow the search"
            className="grid w-48 flex-none auto-rows-min gap-4 overflow-y-auto border-r border-line px-4 py-3 max-lg:hidden"
          >
            <SearchFacets state={state} reply={shown} />
          </aside>
        )}
        <div
          {...scrollRegion('Results')}
          ref={box}
          aria-busy={isPlaceholderData || undefined}
          data-results
          data-shown={shown && !isPlaceholderData && !mistake ? state.q : undefined}
          className="min-h-0 min-w-0 flex-1 overflow-y-auto px-4 py-3 focus-visible:-outline-offset-2 max-sm:px-3"
        >
          {isEmpty ? (
            <div className="max-w-[760px]">
              <SearchStart owner={state.owner} />
            </div>
          ) : failure && !mistake ? (
            <ErrorState
              title="The search did not finish"
              detail={failure.message}
              requestId={failure.requestId}
              onRetry={() => void refetch()}
            />
          ) : shown ? (
            <FoundList
              reply={shown}
              state={state}
              whole={!isFetching}
              onAgain={() => void refetch()}
              caseSensitive={isCaseSensitive({ mode: shown.mode, query: shown.query }, state.case)}
            />
          ) : asked && !mistake ? (
            <SkeletonLines lines={8} label="Searching" />
          ) : null}
        </div>
      </div>
      <div className="flex min-h-8 flex-none flex-wrap items-center gap-4 border-t border-line px-4 text-12 text-fg-3 max-sm:hidden">
        {shown && shown.count > 0 && (!failure || mistake) ? <Keys inCode={shown.mode !== 'ranked'} /> : null}
        <span className="ml-auto">
          {state.history ? 'All versions are searched' : 'The version serving traffic is searched'}
        </span>
      </div>
    </>
  );
}

/** What keys do on hits; where there are none they do nothing. */
const Keys = ({ inCode }: { inCode: boolean }) => (
  <>
    {inCode ? <KeyHint keys={['j', 'k']}>hit</KeyHint> : null}
    <KeyHint keys={inCode ? ['J', 'K'] : ['j', 'k']}>function</KeyHint>
    <KeyHint keys={['Enter']}>{inCode ? 'open at the line' : 'open'}</KeyHint>
    <KeyHint keys={['y']}>copy its link</KeyHint>
  </>
);

const PLACED = /^q:\s*(.*?)\s*\(at character (\d+)\)$/s;

/** What the service says of the query, and where. */
function placeOf(message: string, q: string): { said: string; at?: number } {
  const [, said, character] = PLACED.exec(message) ?? [];
  if (said === undefined) return { said: message.replace(/^q:\s*/, '') };
  return { said, at: [...q].slice(0, Number(character) - 1).join('').length };
}

/** Another query's hits are read from the top; a place that Back restores is left alone. */
function useTopOnNews(box: React.RefObject<HTMLElement | null>, shown: string | undefined): void {
  const before = useRef(shown);
  useEffect(() => {
    if (shown === undefined || shown === before.current) return;
    if (before.current !== undefined && box.current) box.current.scrollTop = 0;
    before.current = shown;
  }, [box, shown]);
}
