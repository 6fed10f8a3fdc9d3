import { Search, Square } from 'lucide-react';
import type { ReadQuery } from '../../../../../contract/search/search-query.ts';
import { formatCount, plural } from '../../../../lib/format.ts';
import { useMarker } from '../../../../lib/search-marks.ts';
import { Button } from '../../../../ui/controls/Button.tsx';
import { MoreFunctionHits } from '../results/MoreFunctionHits.tsx';
import { type SearchState, useOpenedSearch } from '../search-state.ts';
import { MOST_LISTED, type SearchedAll, useSearchAll } from './use-search-all.ts';

interface SearchOnProps {
  read: ReadQuery;
  state: SearchState;
  /** Whether to show it before it has been used. */
  isOffered: boolean;
  /** The functions that are listed above. */
  listed: ReadonlySet<string>;
}

/** Continues an incomplete search through all functions, and lists those that are not above. */
export function SearchOn({ read, state, isOffered, listed }: SearchOnProps) {
  const { searched, start, stop } = useSearchAll(state);
  const marker = useMarker(read, state.case);
  const search = useOpenedSearch(state);
  const { phase, reply } = searched;
  const isRunning = phase === 'running';
  if (phase === 'idle' && !isOffered) return null;
  const added = searched.functions.filter(({ function_id }) => !listed.has(function_id));
  return (
    <section aria-label="All functions" className="grid max-w-[1180px] gap-3 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-fg-2">
        <Button size="sm" icon={isRunning ? Square : Search} onClick={isRunning ? stop : start}>
          {isRunning ? 'Stop' : phase === 'whole' ? 'Search all again' : 'Search on'}
        </Button>
        <span role="status">
          {isRunning ? <span className="sr-only">Searching all functions…</span> : wordsOf(searched)}
        </span>
        {isRunning ? (
          <Progress searched={reply?.searched_count ?? 0} of={reply?.scope_count} found={reply?.found_count ?? 0} />
        ) : null}
      </div>
      {added.length > 0 ? (
        <MoreFunctionHits
          label="Other functions found"
          functions={added}
          marker={marker}
          search={search}
          owned={state.owner === 'SELF'}
        />
      ) : null}
      {(reply?.found_count ?? 0) > MOST_LISTED ? (
        <p className="text-fg-2">The first {formatCount(MOST_LISTED)} are listed. The export has all.</p>
      ) : null}
    </section>
  );
}

/** The state of a search that does not run. */
function wordsOf({ phase, reply, failure }: SearchedAll): string {
  if (failure !== undefined) return `The search was interrupted. ${failure}`;
  if (!reply) return phase === 'idle' ? 'Searches all functions for up to a minute, and counts them.' : 'Stopped.';
  const { searched_count, scope_count, found_count, hit_count, incomplete_count } = reply;
  const found = `${plural(hit_count, 'hit')} in ${plural(found_count, 'function')}`;
  if (phase === 'stopped')
    return `Stopped after ${formatCount(searched_count)} of ${plural(scope_count, 'function')}: ${found} so far.`;
  const missed = incomplete_count > 0 ? ` The code of ${formatCount(incomplete_count)} was not searched whole.` : '';
  return `All ${plural(searched_count, 'function')} searched: ${found}${missed ? ' or more.' : '.'}${missed}`;
}

interface ProgressProps {
  searched: number;
  /** Undefined until the first part of the response. */
  of: number | undefined;
  found: number;
}

function Progress({ searched, of, found }: ProgressProps) {
  const share = of ? Math.min(1, searched / of) : 0;
  return (
    <>
      <span
        role="progressbar"
        aria-label="Functions searched"
        aria-valuemin={0}
        aria-valuemax={of ?? 0}
        aria-valuenow={Math.min(searched, of ?? 0)}
        className="h-1.5 w-40 overflow-hidden rounded-full bg-press"
      >
        <span className="block h-full bg-accent" style={{ width: `${share * 100}%` }} />
      </span>
      <span className="tabular-nums">
        {of === undefined
          ? 'Searching…'
          : `${formatCount(searched)} of ${plural(of, 'function')}, ${formatCount(found)} found`}
      </span>
    </>
  );
}
