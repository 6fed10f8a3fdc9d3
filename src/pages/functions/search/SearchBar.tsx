import { Minus, Plus, SlidersHorizontal } from 'lucide-react';
import { isCaseSensitive, type ReadQuery, type SearchMode } from '../../../../contract/search/search-query.ts';
import type { SearchReply } from '../../../api/entities.ts';
import { CopyAsCurl, curlText } from '../../../components/deliveries/CopyAsCurl.tsx';
import { useSlow } from '../../../hooks/use-slow.ts';
import { formatCount, plural } from '../../../lib/format.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { CopyButton } from '../../../ui/controls/CopyButton.tsx';
import { IconButton } from '../../../ui/controls/IconButton.tsx';
import { SegmentedControl } from '../../../ui/controls/SegmentedControl.tsx';
import { Popover } from '../../../ui/overlays/Popover.tsx';
import { ExportHits } from './all/ExportHits.tsx';
import { HostImpact } from './HostImpact.tsx';
import { QueryTreeChips, writtenFilter } from './QueryTreeChips.tsx';
import { SavedSearches } from './SavedSearches.tsx';
import { SearchFacets } from './SearchFacets.tsx';
import { type CaseChoice, CONTEXT_MAX, type SearchState, searchInput, useSearchState } from './search-state.ts';

const WORDS: Record<SearchMode, string> = {
  ranked: 'words',
  literal: 'a literal',
  regex: 'a regular expression',
  boolean: 'several terms',
};
const CASES: readonly { value: CaseChoice; label: string }[] = [
  { value: 'auto', label: 'Aa auto' },
  { value: 'yes', label: 'yes' },
  { value: 'no', label: 'no' },
];

interface SearchBarProps {
  state: SearchState;
  read: ReadQuery;
  reply: SearchReply | undefined;
  /** The response belongs to the previous query. */
  stale: boolean;
  /** The pending operation in words. */
  waits: string | undefined;
  /** The response is incomplete, or may be. */
  more: boolean;
}

/** Most responses arrive earlier: until then the previous results stay. */
export const LATE_MS = 150;

/** How the query was parsed, its options, and the number of results. */
export function SearchBar({ state, read, reply, stale, waits, more }: SearchBarProps) {
  const [, set] = useSearchState();
  const { context } = state;
  const late = useSlow(stale, LATE_MS);
  const inCode = read.mode !== 'ranked';
  return (
    <div className="flex flex-none flex-wrap items-center gap-x-3 gap-y-1.5 px-4 pb-2 text-12 text-fg-3 max-sm:px-3">
      {state.asked.trim() ? <ReadAs read={read} choice={state.case} /> : null}
      {inCode ? (
        <>
          <SegmentedControl
            label="Case"
            size="sm"
            options={CASES}
            value={state.case}
            onChange={(choice) => set({ case: choice })}
          />
          <fieldset className="flex h-ctl-sm items-center rounded border border-line-2">
            <legend className="sr-only">Lines of context</legend>
            <IconButton
              size="sm"
              icon={Minus}
              label="Less context"
              reason={context === 0 ? 'No lines around the hit are shown.' : undefined}
              onClick={() => set({ context: String(context - 1) })}
            />
            <output className="min-w-16 px-1 text-center text-fg-2">± {plural(context, 'line')}</output>
            <IconButton
              size="sm"
              icon={Plus}
              label="More context"
              reason={context === CONTEXT_MAX ? `At most ${CONTEXT_MAX} lines are shown.` : undefined}
              onClick={() => set({ context: String(context + 1) })}
            />
          </fieldset>
        </>
      ) : null}
      {state.asked.trim() ? (
        <span className="lg:hidden">
          <Popover
            label="Search filters"
            trigger={(props) => (
              <Button {...props} size="sm" icon={SlidersHorizontal}>
                Filters
              </Button>
            )}
          >
            <div className="grid w-56 gap-4">
              <SearchFacets state={state} reply={reply} />
            </div>
          </Popover>
        </span>
      ) : null}
      <span role="status" className="ml-auto text-fg-2 tabular-nums">
        {reply && !late ? (
          // results of the previous query are not announced
          <span aria-hidden={stale || undefined}>
            <Count reply={reply} more={more} />
          </span>
        ) : (
          waits
        )}
      </span>
      <SavedSearches state={state} />
      {state.asked.trim() ? (
        <>
          <HostImpact read={read} />
          <CopyButton size="sm" text={() => location.href} label="Copy link to this search">
            Copy link
          </CopyButton>
          {inCode ? <ExportHits state={state} /> : null}
          <span className="max-xl:hidden">
            <CopyAsCurl size="sm" text={() => curlText('functionSearch', searchInput(state))} what="this search" />
          </span>
        </>
      ) : null}
    </div>
  );
}

function ReadAs({ read, choice }: { read: ReadQuery; choice: CaseChoice }) {
  const { mode, paths = [], runtime, owner, where = [], tree } = read;
  if (mode === 'boolean') return tree ? <QueryTreeChips tree={tree} /> : null;
  const cased = isCaseSensitive(read, choice);
  return (
    <span className="wrap-anywhere max-sm:basis-full">
      Read as{' '}
      <strong className="font-medium text-fg-2">{mode === 'ranked' && !read.query ? 'filters' : WORDS[mode]}</strong>
      {mode === 'ranked'
        ? read.query
          ? ' in names and descriptions'
          : ''
        : `${cased ? ', case-sensitive' : ', case-insensitive'}${choice === 'auto' && cased ? ' as it has an upper-case letter' : ''}`}
      {paths.map((part) => (
        <Filter key={part} words=", in paths with " value={part} />
      ))}
      {runtime === undefined ? null : <Filter words=", runtime " value={runtime} />}
      {owner === undefined ? null : <Filter words=", owner " value={owner} />}
      {where.map((each) => (
        <Filter key={each.at} words=", " value={writtenFilter(each)} />
      ))}
      .
    </span>
  );
}

function Filter({ words, value }: { words: string; value: string }) {
  return (
    <>
      {words}
      <code className="text-fg-2">{value}</code>
    </>
  );
}

function Count({ reply, more: isMore }: { reply: SearchReply; more: boolean }) {
  const hits = reply.functions.reduce((sum, { hit_count }) => sum + hit_count, 0);
  const functions = plural(reply.count, 'function');
  // the total of a pending response is unknown
  const more = reply.truncated ? (isMore ? ' so far' : ', and more') : '';
  if (reply.mode === 'ranked') return `${functions}${more}`;
  return (
    <>
      <strong className="font-medium text-fg">
        {formatCount(hits)} {hits === 1 ? 'hit' : 'hits'}
      </strong>{' '}
      in {functions}
      {more}
    </>
  );
}
