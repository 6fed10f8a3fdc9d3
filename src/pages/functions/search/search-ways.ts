/** Alternatives to a search without results: fewer filters, or another search mode. */
import {
  isCaseSensitive,
  queryParts,
  readQuery,
  type SearchMode,
  typedFrom,
} from '../../../../contract/search/search-query.ts';
import type { SearchState } from './search-state.ts';

export type Way = {
  readonly words: string;
  /** The alternative query, if it differs. */
  readonly code?: string;
  readonly state: SearchState;
};

/** Maximum number of alternatives. */
const MOST = 7;
/** Character sequences that are typical of regular expressions and rare elsewhere. */
const LIKE_REGEX = /[.\])\w][*+](?!\w)|\.\*|\\[wdsbWDSB.()[\]{}]|\w\|\w|\[\^?\w-\w/;

export function waysFrom(state: SearchState): readonly Way[] {
  const { text, filters } = queryParts(state.asked);
  const read = readQuery(state.asked);
  const { mode, query } = read;
  const inCode = mode !== 'ranked';
  const ask = (q: string, change: Partial<SearchState> = {}): SearchState => ({ ...state, ...change, q, asked: q });
  const other = (next: string) => typedFrom({ text: next, filters });
  const ways: Way[] = [];
  if (inCode && isCaseSensitive(read, state.case))
    ways.push({ words: 'Ignoring case', state: ask(state.asked, { case: 'no' }) });
  if (query && mode !== 'boolean')
    for (const filter of filters) {
      const rest = filters.filter((each) => each !== filter);
      const code = typedFrom({ text: '', filters: [filter] });
      ways.push({ words: 'Without', code, state: ask(typedFrom({ text, filters: rest })) });
    }
  if (state.visibility) ways.push({ words: 'With any visibility', state: ask(state.asked, { visibility: undefined }) });
  for (const [words, code] of readOtherwise(mode, query)) ways.push({ words, code, state: ask(other(code)) });
  if (inCode && !state.history) ways.push({ words: 'In all versions', state: ask(state.asked, { history: true }) });
  const others = state.owner === 'ALL' ? 'SELF' : 'ALL';
  const whose = others === 'ALL' ? 'In public functions of every account' : 'In functions of this account';
  const last = { words: whose, state: ask(state.asked, { owner: others, visibility: undefined }) };
  return [...ways.slice(0, MOST - 1), last];
}

export const inQuotes = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

function readOtherwise(mode: SearchMode, query: string): readonly (readonly [string, string])[] {
  if (query === '' || mode === 'boolean') return [];
  if (mode === 'ranked') return [['Search the code for', inQuotes(query)]];
  if (mode === 'regex') return /^[^\\^$.*+?()[\]{}|]+$/.test(query) ? [['As plain text,', inQuotes(query)]] : [];
  const said: [string, string][] = [];
  if (LIKE_REGEX.test(query)) said.push(['As an expression,', `/${query.replace(/(?<!\\)\//g, '\\/')}/`]);
  const words = query.match(/[\p{L}\p{M}\p{N}_$]+/gu) ?? [];
  if (words.length > 1) said.push(['With anything between the words,', `/${words.map(plain).join('.*')}/`]);
  if (words.length > 0) said.push(['In names and descriptions,', words.join(' ')]);
  return said;
}

const plain = (word: string): string => word.replaceAll('$', '\\$');
