import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { isCaseSensitive, type ReadQuery, readQuery } from '../../../contract/search-query.ts';
import { toApiError } from '../../api/api-error.ts';
import type { SearchReply } from '../../api/entities.ts';
import { q as query } from '../../api/queries.ts';
import type { Handle } from '../../layouts/handle.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { KeyHint } from '../../ui/KeyCap.tsx';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { scrollRegion } from '../../ui/scroll-region.ts';
import { FunctionHits } from './FunctionHits.tsx';
import { useHitWalk } from './hit-walk.ts';
import { SearchBar } from './SearchBar.tsx';
import { SearchMistake } from './SearchMistake.tsx';
import { useMarker } from './search-marks.ts';
import { type SearchState, searchInput, useSearchState } from './search-state.ts';

export const handle: Handle = { crumb: 'Search' };

/** Functions whose words or code match, with every place. */
export function Component() {
  const [state] = useSearchState();
  const read = readQuery(state.q);
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    ...query('functionSearch', searchInput(state)),
    placeholderData: keepPreviousData,
    enabled: read.query !== '',
  });
  useHitWalk();
  const failure = error ? toApiError(error) : undefined;
  const mistake = failure?.status === 400 ? failure : undefined;
  // hits of the query before stay while the next answer is on its way
  const shown = read.query === '' ? undefined : data;
  return (
    <>
      <SearchBar state={state} read={read} reply={mistake ? undefined : shown} busy={isFetching} />
      {mistake ? <SearchMistake q={state.q} message={mistake.message} /> : null}
      <div
        {...scrollRegion('Results')}
        aria-busy={isPlaceholderData || undefined}
        className="min-h-0 flex-1 overflow-y-auto border-t border-line px-4 py-3 focus-visible:-outline-offset-2 max-sm:px-3"
      >
        {mistake || read.query === '' ? null : failure ? (
          <ErrorState
            title="The search did not finish"
            detail={failure.message}
            requestId={failure.requestId}
            onRetry={() => void refetch()}
          />
        ) : shown ? (
          <Found reply={shown} state={state} />
        ) : (
          <SkeletonLines lines={8} label="Searching" />
        )}
      </div>
      <div className="flex min-h-8 flex-none flex-wrap items-center gap-4 border-t border-line px-4 text-12 text-fg-3 max-sm:hidden">
        <KeyHint keys={['j', 'k']}>hit</KeyHint>
        <KeyHint keys={['J', 'K']}>function</KeyHint>
        <KeyHint keys={['Enter']}>open at the line</KeyHint>
        <span className="ml-auto">The version serving traffic is searched</span>
      </div>
    </>
  );
}

function Found({ reply, state }: { reply: SearchReply; state: SearchState }) {
  const read: ReadQuery = { mode: reply.mode, query: reply.query };
  const marker = useMarker(read, isCaseSensitive(read, state.case));
  if (reply.functions.length === 0) return <Nothing read={read} owner={state.owner} />;
  return (
    <ul className="grid max-w-[1180px] gap-3">
      {reply.functions.map((found) => (
        <FunctionHits key={found.function_id} found={found} marker={marker} />
      ))}
    </ul>
  );
}

function Nothing({ read, owner }: { read: ReadQuery; owner: SearchState['owner'] }) {
  const whose = owner === 'ALL' ? 'public functions' : 'functions of this account';
  return (
    <div role="status" className="max-w-[560px] py-2 text-fg-2">
      <p>
        {read.mode === 'ranked'
          ? `No names or descriptions of ${whose} have these words`
          : `No code of ${whose} matches`}
        : <code className="text-fg wrap-anywhere">{read.query}</code>
      </p>
      {read.mode === 'ranked' ? (
        <p className="mt-1">
          To search the code put it in quotes,{' '}
          <code className="text-fg wrap-anywhere">{JSON.stringify(read.query)}</code>, or between slashes for a regular
          expression.
        </p>
      ) : null}
    </div>
  );
}
