import { useRef, useState } from 'react';
import { PAGE, SEARCH_ALL_SECONDS } from '../../../../../contract/limits.ts';
import { toApiError } from '../../../../api/api-error.ts';
import type { Reply } from '../../../../api/operation.ts';
import { callStreaming } from '../../../../api/response-stream.ts';
import { useSession } from '../../../../api/session.ts';
import { useUnmount } from '../../../../hooks/use-unmount.ts';
import { type SearchState, searchInput } from '../search-state.ts';

type Page = Reply<'functionSearchAll'>;
/** `reply`: the counts and the position so far. */
export type SearchedAll = {
  readonly functions: readonly Page['functions'][number][];
  readonly reply: Page | undefined;
  readonly phase: 'idle' | 'running' | 'stopped' | 'whole';
  readonly failure?: string;
};

const NOTHING: SearchedAll = { functions: [], reply: undefined, phase: 'idle' };
/** The search that was left last, for Back from an opened hit. */
let last: { key: string; searched: SearchedAll } | undefined;
/** Functions that are listed. More are counted, and exported. */
export const MOST_LISTED = 1000;

/** The query of a search of all functions, and of an export. */
export function searchAllQuery(state: SearchState) {
  const { q, owner, visibility, case: choice, history } = searchInput(state).query;
  return { q, owner, visibility, case: choice, history };
}

/** A search of all functions: begins or continues it, for up to a minute, and stops it. */
export function useSearchAll(state: SearchState) {
  const { account_id } = useSession();
  const key = JSON.stringify([account_id, searchAllQuery(state)]);
  const [searched, setSearched] = useState(last?.key === key ? last.searched : NOTHING);
  const running = useRef<AbortController>(undefined);
  const stop = () => running.current?.abort();
  useUnmount(() => {
    stop();
    last = { key, searched: { ...searched, phase: searched.phase === 'running' ? 'stopped' : searched.phase } };
  });

  const start = async () => {
    const from = searched.phase === 'whole' ? undefined : searched.reply;
    const going = new AbortController();
    const { signal } = going;
    running.current = going;
    setSearched({ ...(from ? { functions: searched.functions, reply: from } : NOTHING), phase: 'running' });
    const end = (failure?: string) =>
      setSearched(({ functions, reply }) => ({
        functions,
        reply,
        phase: reply && reply.next_token === null ? 'whole' : 'stopped',
        ...(failure === undefined ? {} : { failure }),
      }));
    try {
      await readPages(state, from?.next_token ?? undefined, signal, (part) =>
        setSearched((before) => withPart(before, part)),
      );
      end();
    } catch (thrown) {
      end(signal.aborted ? undefined : toApiError(thrown).message);
    }
  };
  return { searched, start: () => void start(), stop };
}

/** Reads pages until the last one, or for a minute. */
async function readPages(
  state: SearchState,
  begin: string | undefined,
  signal: AbortSignal,
  onPart: (part: Page) => void,
): Promise<void> {
  const untilMs = performance.now() + SEARCH_ALL_SECONDS * 1000;
  const left = () => Math.ceil((untilMs - performance.now()) / 1000);
  for (let next: string | null | undefined = begin; next !== null && left() > 0; ) {
    const { context } = searchInput(state).query;
    const query = {
      ...searchAllQuery(state),
      context,
      limit: PAGE.searchAll.max,
      max_seconds: left(),
      next_token: next,
    };
    const page: Page = await callStreaming('functionSearchAll', { query }, signal, onPart);
    onPart(page);
    next = page.next_token;
  }
}

/** A part has what is new, and the last one of a page has the whole page. */
function withPart({ functions, phase }: SearchedAll, reply: Page): SearchedAll {
  const known = new Set(functions.map(({ function_id }) => function_id));
  const added = reply.functions.filter(({ function_id }) => !known.has(function_id));
  return { functions: [...functions, ...added].slice(0, MOST_LISTED), reply, phase };
}
