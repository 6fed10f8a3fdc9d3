import { RotateCw } from 'lucide-react';
import { useDeferredValue } from 'react';
import { SEARCH_BUDGET_MS } from '../../../contract/limits.ts';
import { queryParts, type ReadQuery, typedFrom } from '../../../contract/search-query.ts';
import type { SearchReply } from '../../api/entities.ts';
import { Link } from '../../components/Link.tsx';
import { Button } from '../../ui/Button.tsx';
import { FunctionHits } from './FunctionHits.tsx';
import { useMarker } from './search-marks.ts';
import { LIMITS, type SearchState, searchAddress, useSearchState } from './search-state.ts';

/** As many as the tallest window shows. */
const FIRST_DRAWN = 8;
/** As many as a usual one shows. */
const FIRST_SEEN = 4;

interface FoundListProps {
  reply: SearchReply;
  state: SearchState;
  caseSensitive: boolean;
  /** Nothing more is on its way. */
  whole: boolean;
  /** Asks the same once more. */
  onAgain: () => void;
}

/** The functions found, and what is said when that isn't all. */
export function FoundList({ reply, state, caseSensitive, whole, onAgain }: FoundListProps) {
  const read: ReadQuery = { mode: reply.mode, query: reply.query };
  const marker = useMarker(read, caseSensitive);
  const settled = useDeferredValue(reply);
  // of another query the first ones are drawn at once, the rest when there is time
  const isNew = settled.query !== reply.query || settled.mode !== reply.mode;
  const functions = isNew ? reply.functions.slice(0, FIRST_DRAWN) : reply.functions;
  if (reply.functions.length === 0)
    return whole ? <Nothing read={read} state={state} truncated={reply.truncated} onAgain={onAgain} /> : null;
  return (
    <>
      <ul className="grid max-w-[1180px] gap-3">
        {functions.map((found, index) => (
          <FunctionHits
            key={found.function_id}
            found={found}
            marker={marker}
            owned={state.owner === 'SELF'}
            first={index < FIRST_SEEN}
          />
        ))}
      </ul>
      {whole && read.mode === 'ranked' && read.query ? (
        <p className="pt-3">
          <InCode query={read.query} state={state} />
        </p>
      ) : null}
      {whole && reply.truncated ? <NotAll count={reply.count} limit={state.limit} onAgain={onAgain} /> : null}
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
          <span>More functions match than the {count} best.</span>
          <Button size="sm" onClick={() => set({ limit: String(LIMITS.most) })}>
            Show up to {LIMITS.most}
          </Button>
        </>
      ) : isFull ? (
        <span>More functions match than the {count} best: narrow the query to see others.</span>
      ) : (
        <>
          <span>
            Time was up, or the answer too large, before all was looked through: narrow the query for the rest.
          </span>
          <Button size="sm" icon={RotateCw} onClick={onAgain}>
            Look again
          </Button>
        </>
      )}
    </div>
  );
}

/** The same words, as they stand in code; filters stay. */
function InCode({ query, state }: { query: string; state: SearchState }) {
  const inQuotes = `"${query.replace(/["\\]/g, '\\$&')}"`;
  const { filters } = queryParts(state.q);
  return (
    <Link className="link" to={searchAddress({ ...state, q: typedFrom({ text: inQuotes, filters }) })}>
      Search the code for <code className="wrap-anywhere">{inQuotes}</code>
    </Link>
  );
}

interface NothingProps {
  read: ReadQuery;
  state: SearchState;
  truncated: boolean;
  onAgain: () => void;
}

function Nothing({ read, state, truncated, onAgain }: NothingProps) {
  const whose = state.owner === 'ALL' ? 'public functions' : 'functions of this account';
  const other = state.owner === 'ALL' ? 'SELF' : 'ALL';
  const { text, filters } = queryParts(state.q);
  const narrowed = typedFrom({ text: '', filters });
  return (
    <div role="status" className="max-w-[560px] py-2 text-fg-2">
      <p>
        {truncated
          ? `Nothing found yet in ${whose}`
          : read.mode === 'ranked'
            ? `No names or descriptions of ${whose} have these words`
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
            The {SEARCH_BUDGET_MS / 1000} seconds of a search were up before all code was looked through.
            {read.mode === 'regex'
              ? ' An expression with some plain text in it, such as a name, is much quicker.'
              : null}
          </p>
          <Button className="mt-2" size="sm" icon={RotateCw} onClick={onAgain}>
            Look again
          </Button>
        </>
      ) : null}
      <ul className="mt-2 grid gap-1">
        {read.mode === 'ranked' && read.query ? (
          <li>
            <InCode query={read.query} state={state} />
          </li>
        ) : null}
        {narrowed && read.query ? (
          <li>
            <Link className="link" to={searchAddress({ ...state, q: text })}>
              Without these filters
            </Link>
          </li>
        ) : null}
        {read.mode !== 'ranked' && !state.history ? (
          <li>
            <Link className="link" to={searchAddress({ ...state, history: true })}>
              In all versions
            </Link>
          </li>
        ) : null}
        <li>
          <Link className="link" to={searchAddress({ ...state, owner: other, visibility: undefined })}>
            {other === 'ALL' ? 'In public functions of every account' : 'In functions of this account'}
          </Link>
        </li>
      </ul>
    </div>
  );
}
