import { RotateCw } from 'lucide-react';
import { useDeferredValue } from 'react';
import type { ReadQuery } from '../../../../contract/search/search-query.ts';
import type { SearchReply } from '../../../api/entities.ts';
import { useMarker } from '../../../lib/search-marks.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { SearchOn } from './all/SearchOn.tsx';
import { searchAllQuery } from './all/use-search-all.ts';
import { CodeHits } from './CodeHits.tsx';
import { NothingFound } from './NothingFound.tsx';
import { FileHits } from './results/FileHits.tsx';
import { FunctionHits } from './results/FunctionHits.tsx';
import type { HitPreview } from './results/hit-preview.ts';
import { PreviewCard } from './results/PreviewCard.tsx';
import { ResultOptions } from './results/ResultOptions.tsx';
import { LIMITS, type SearchState, useOpenedSearch, useSearchState } from './search-state.ts';

/** Rows in the tallest window. */
const FIRST_DRAWN = 8;
/** Rows in a usual window. */
const FIRST_SEEN = 4;

interface FoundListProps {
  reply: SearchReply;
  state: SearchState;
  /** The response is complete. */
  whole: boolean;
  preview: HitPreview;
  /** Repeats the search. */
  onAgain: () => void;
}

/** The matching functions, and a note if the list is incomplete. */
export function FoundList({ reply, state, whole, preview, onAgain }: FoundListProps) {
  const read: ReadQuery = { mode: reply.mode, query: reply.query };
  const marker = useMarker(read, state.case);
  const search = useOpenedSearch(state);
  const settled = useDeferredValue(reply);
  // for a new query the first rows are rendered at once, the rest when idle
  const isNew = settled.query !== reply.query || settled.mode !== reply.mode;
  const functions = isNew ? reply.functions.slice(0, FIRST_DRAWN) : reply.functions;
  const searchOn =
    reply.truncated && read.mode !== 'ranked' ? (
      <SearchOn
        key={JSON.stringify(searchAllQuery(state))}
        read={read}
        state={state}
        isOffered={whole}
        listed={
          new Set(
            reply.functions.flatMap((fn) => [fn, ...(fn.copies?.functions ?? [])].map((each) => each.function_id)),
          )
        }
      />
    ) : null;
  if (reply.functions.length === 0 && whole)
    return (
      <>
        <NothingFound read={read} state={state} truncated={reply.truncated} onAgain={onAgain} />
        {searchOn}
      </>
    );
  if (reply.functions.length === 0) return null;
  return (
    <>
      <ResultOptions state={state} inCode={read.mode !== 'ranked'} />
      <ul className="grid max-w-[1180px] gap-3">
        {functions.flatMap((found, index) => {
          const shared = { found, marker, search, owned: state.owner === 'SELF', first: index < FIRST_SEEN };
          const files = state.by === 'file' ? [...new Set(found.hits.map((hit) => hit.path))] : [];
          if (files.length === 0) return <FunctionHits key={found.function_id} {...shared} />;
          return files.map((file, at) => (
            <FileHits key={`${found.function_id} ${file}`} file={file} isFirstFile={at === 0} {...shared} />
          ));
        })}
      </ul>
      <PreviewCard preview={preview} marker={marker} />
      {whole && reply.truncated ? <NotAll count={reply.count} limit={state.limit} onAgain={onAgain} /> : null}
      {whole && read.mode === 'ranked' && read.query ? <CodeHits words={read.query} state={state} /> : null}
      {searchOn}
    </>
  );
}

function NotAll({ count, limit, onAgain }: { count: number; limit: number; onAgain: () => void }) {
  const [, set] = useSearchState();
  const isFull = count >= limit;
  return (
    <div role="status" className="flex flex-wrap items-center gap-3 py-3 text-fg-2">
      {isFull && limit < LIMITS.most ? (
        <>
          <span>Only the {count} best matches are shown.</span>
          <Button size="sm" onClick={() => set({ limit: String(LIMITS.most) })}>
            Show up to {LIMITS.most}
          </Button>
        </>
      ) : isFull ? (
        <span>Only the {count} best matches are shown. Narrow the query to see others.</span>
      ) : (
        <>
          <span>
            The search reached its time or size limit before all code was searched. Narrow the query to find the rest.
          </span>
          <Button size="sm" icon={RotateCw} onClick={onAgain}>
            Search again
          </Button>
        </>
      )}
    </div>
  );
}
