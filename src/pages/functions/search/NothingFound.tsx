import { useQueries } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { SEARCH_BUDGET_MS } from '../../../../contract/limits.ts';
import { queryParts, type ReadQuery, typedFrom } from '../../../../contract/search/search-query.ts';
import type { SearchReply } from '../../../api/entities.ts';
import { q } from '../../../api/queries.ts';
import { Link } from '../../../components/Link.tsx';
import { useTimeout } from '../../../hooks/use-timeout.ts';
import { formatCount, plural } from '../../../lib/format.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { type SearchState, searchAddress, searchInput } from './search-state.ts';
import { type Way, waysFrom } from './search-ways.ts';

/** Debounce before suggesting alternatives. */
const SETTLED_MS = 400;

interface NothingFoundProps {
  read: ReadQuery;
  state: SearchState;
  truncated: boolean;
  onAgain: () => void;
}

/** The query without results, and alternatives that have results. */
export function NothingFound({ read, state, truncated, onAgain }: NothingFoundProps) {
  const whose = state.owner === 'ALL' ? 'public functions' : 'functions of this account';
  const narrowed = typedFrom({ text: '', filters: queryParts(state.asked).filters });
  return (
    <div className="max-w-[640px] py-2 text-fg-2">
      <p role="status">
        {truncated
          ? `Nothing found yet in ${whose}`
          : read.mode === 'ranked'
            ? `No names or descriptions of ${whose} contain these words`
            : state.history
              ? `No version of the code of ${whose} matches`
              : `No code of ${whose} matches`}
        : <code className="text-fg wrap-anywhere">{read.query || narrowed}</code>
        {read.query && narrowed ? (
          <>
            {' '}
            with <code className="text-fg wrap-anywhere">{narrowed}</code>
          </>
        ) : null}
      </p>
      {truncated ? (
        <>
          <p className="mt-1">
            The search reached its limit of {SEARCH_BUDGET_MS / 1000} seconds before all code was searched.
            {read.mode === 'regex' ? ' An expression that contains plain text, such as a name, is much faster.' : null}
          </p>
          <Button className="mt-2" size="sm" icon={RotateCw} onClick={onAgain}>
            Search again
          </Button>
        </>
      ) : null}
      <Ways key={JSON.stringify(searchInput(state))} ways={waysFrom(state)} />
    </div>
  );
}

/** Alternative searches. Their result counts are loaded after a pause in typing, which also fills the cache. */
function Ways({ ways }: { ways: readonly Way[] }) {
  const [settled, setSettled] = useState(false);
  useTimeout(() => setSettled(true), SETTLED_MS);
  const found = useQueries({
    queries: ways.map(({ state }) => ({
      ...q('functionSearch', searchInput(state)),
      enabled: settled,
      retry: false,
    })),
  });
  return (
    <ul className="mt-2 grid gap-1">
      {ways.map(({ words, code, state }, index) => (
        <li key={`${words} ${code}`} className="flex flex-wrap items-baseline gap-x-2">
          <Link className="link" to={searchAddress(state)}>
            {words}
            {code ? (
              <>
                {' '}
                <code className="wrap-anywhere">{code}</code>
              </>
            ) : null}
          </Link>
          <span className="text-12 text-fg-3">{wordsOf(found[index]?.data)}</span>
        </li>
      ))}
    </ul>
  );
}

function wordsOf(reply: SearchReply | undefined): string | undefined {
  if (!reply) return undefined;
  if (reply.count === 0) return reply.truncated ? undefined : 'no results';
  const more = reply.truncated ? ', and more' : '';
  if (reply.mode === 'ranked') return plural(reply.count, 'function') + more;
  const hits = reply.functions.reduce((sum, { hit_count }) => sum + hit_count, 0);
  return `${formatCount(hits)} ${hits === 1 ? 'hit' : 'hits'} in ${plural(reply.count, 'function')}${more}`;
}
