import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { CircleAlert, RotateCw } from 'lucide-react';
import { memo, useRef, useState } from 'react';
import { readQuery } from '../../../../contract/search/search-query.ts';
import { type ApiError, toApiError } from '../../../api/api-error.ts';
import { useSession } from '../../../api/session.ts';
import { useChange } from '../../../hooks/use-change.ts';
import { useListener } from '../../../hooks/use-listener.ts';
import { useSlow } from '../../../hooks/use-slow.ts';
import type { Handle } from '../../../layouts/handle.ts';
import { rememberSearch } from '../../../layouts/palette/recent-searches.ts';
import { useScrollMemory } from '../../../table/use-scroll-memory.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { KeyHint } from '../../../ui/KeyCap.tsx';
import { SkeletonLines } from '../../../ui/Skeleton.tsx';
import { scrollRegion } from '../../../ui/scroll-region.ts';
import { FoundList } from './FoundList.tsx';
import { useHitLinks } from './hit-links.ts';
import { useHitWalk } from './hit-walk.ts';
import { hintOf } from './query-hints.ts';
import { useHitMemory, useReloadedPlace } from './result-place.ts';
import { useHitPreview } from './results/hit-preview.ts';
import { LATE_MS, SearchBar } from './SearchBar.tsx';
import { SearchFacets } from './SearchFacets.tsx';
import { SearchMistake } from './SearchMistake.tsx';
import { HowToType, SearchStart } from './SearchStart.tsx';
import { searchQuery } from './search-query.ts';
import { useSearchState } from './search-state.ts';

export const handle: Handle = { crumb: 'Search' };

/** The functions whose name, description or code matches, with their hits. */
export function Component() {
  const [state] = useSearchState();
  const { account_id } = useSession();
  const read = readQuery(state.asked);
  const isEmpty = state.asked.trim() === '';
  const hint = hintOf(state.q);
  const asked = !isEmpty && !hint?.refused;
  const { data, error, isFetching, isPaused, isPlaceholderData, refetch } = useQuery({
    ...searchQuery(state),
    placeholderData: keepPreviousData,
    enabled: asked,
  });
  const box = useRef<HTMLDivElement>(null);
  const preview = useHitPreview(box);
  useHitWalk();
  useScrollMemory(box, 'results');
  useHitMemory(box, () => rememberSearch(account_id, state));
  useHitLinks(box);
  useReloadedPlace(box, data !== undefined && !isFetching);
  const failure = error && asked ? toApiError(error) : undefined;
  const mistake = failure?.status === 400 ? failure : undefined;
  // while typing, a mistake is only an unfinished query
  const wrong =
    mistake && !hint?.refused ? { ...placeOf(mistake.message, state.asked), refused: !hint?.open } : undefined;
  // the previous results stay while the next response is in flight, and while the query has a mistake
  const [last, setLast] = useState(data);
  if (data !== undefined && data !== last) setLast(data);
  const shown = isEmpty ? undefined : mistake ? (last?.count ? last : undefined) : data;
  useScrollTopOnChange(box, shown && !isPlaceholderData ? `${shown.mode} ${shown.query}` : undefined);
  return (
    <>
      <SearchBar
        state={state}
        read={read}
        reply={mistake || hint?.refused ? undefined : shown}
        stale={isPlaceholderData}
        waits={isPaused ? 'Waiting for the network…' : isFetching ? 'Searching…' : undefined}
        more={isFetching || failure !== undefined}
      />
      <SearchMistake q={state.q} hint={wrong ?? hint} />
      <div className="relative flex min-h-0 flex-1 border-t border-line">
        <Pending when={isFetching && shown !== undefined} />
        {isEmpty || (!shown && !isFetching) ? null : (
          <aside
            aria-label="Search filters"
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
          ) : failure && !mistake && !shown?.count ? (
            <ErrorState
              title="The search did not finish"
              detail={failure.message}
              requestId={failure.requestId}
              onRetry={() => void refetch()}
            />
          ) : shown ? (
            <>
              {failure && !mistake ? <BrokeOff failure={failure} onRetry={() => void refetch()} /> : null}
              <FoundList
                reply={shown}
                state={state}
                whole={!isFetching && !failure}
                preview={preview}
                onAgain={() => void refetch()}
              />
            </>
          ) : asked && !mistake ? (
            <SkeletonLines lines={8} label="Searching" />
          ) : (
            <HowToType />
          )}
        </div>
      </div>
      <div className="flex min-h-8 flex-none flex-wrap items-center gap-4 border-t border-line px-4 text-12 text-fg-3 max-sm:hidden">
        {shown && shown.count > 0 ? <Keys inCode={shown.mode !== 'ranked'} /> : null}
        <span className="ml-auto">{state.history ? 'All versions are searched' : 'The live version is searched'}</span>
      </div>
    </>
  );
}

/** The keyboard shortcuts of the results. */
const Keys = ({ inCode }: { inCode: boolean }) => (
  <>
    {inCode ? <KeyHint keys={['j', 'k']}>hit</KeyHint> : null}
    <KeyHint keys={inCode ? ['J', 'K'] : ['j', 'k']}>function</KeyHint>
    <KeyHint keys={['Enter']}>{inCode ? 'open at the line' : 'open'}</KeyHint>
    {inCode ? <KeyHint keys={['p']}>preview</KeyHint> : null}
    <KeyHint keys={['y']}>copy its link</KeyHint>
  </>
);

/** A progress line over the previous results when a search is slow. */
const Pending = memo(function Pending({ when }: { when: boolean }) {
  return useSlow(when, LATE_MS) ? (
    <div aria-hidden data-pending className="absolute inset-x-0 top-0 z-10 h-0.5 bg-accent" />
  ) : null;
});

/** The response was interrupted after its first parts. */
const BrokeOff = ({ failure, onRetry }: { failure: ApiError; onRetry: () => void }) => (
  <div role="alert" className="mb-3 flex max-w-[1180px] flex-wrap items-center gap-x-3 gap-y-1 text-fg-2">
    <span className="flex min-w-0 items-center gap-1.5">
      <CircleAlert size={14} strokeWidth={2} className="flex-none text-bad-fg" aria-hidden />
      <span className="wrap-anywhere">The search was interrupted. These are partial results. {failure.message}</span>
    </span>
    <Button size="sm" icon={RotateCw} onClick={onRetry}>
      Search again
    </Button>
  </div>
);

const PLACED = /^q:\s*(.*?)\s*\(at character (\d+)\)$/s;

/** The service's message about the query, and its position. */
function placeOf(message: string, q: string): { said: string; at?: number } {
  const [, said, character] = PLACED.exec(message) ?? [];
  if (said === undefined) return { said: message.replace(/^q:\s*/, '') };
  return { said, at: [...q].slice(0, Number(character) - 1).join('').length };
}

/** Results of another query start at the top; a position that Back restores is kept. */
function useScrollTopOnChange(box: React.RefObject<HTMLElement | null>, shown: string | undefined): void {
  const before = useRef(shown);
  const isDown = useRef(false);
  const look = () => {
    isDown.current = box.current !== null && box.current.scrollTop > 0;
  };
  useListener(box, 'scroll', look, { passive: true });
  useChange(shown, () => {
    if (shown === undefined || shown === before.current) return;
    // a list at its top is not measured: that would cost a layout for each key press
    if (before.current !== undefined && isDown.current && box.current) box.current.scrollTop = 0;
    before.current = shown;
  });
}
