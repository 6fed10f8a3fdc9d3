/** Client-side hints on a query while it is typed: invalid queries, unclosed quotes. */
import { SEARCH_QUERY_MAX_CHARS } from '../../../../contract/limits.ts';
import { FILTER_NAMES, nearestFilter } from '../../../../contract/search/query-filters.ts';
import { queryParts, readQuery, typedPosition } from '../../../../contract/search/search-query.ts';
import { asTyped } from '../../../lib/search-as-typed.ts';

/** `refused`: the query is not sent. `at` is the position in the input. */
export type Hint = {
  readonly refused: boolean;
  readonly said: string;
  readonly at?: number;
  /** The query is unfinished. */
  readonly open?: true;
};

export function hintOf(typed: string): Hint | undefined {
  const { asked, open } = asTyped(typed);
  const refused = hintOfAsked(asked);
  if (refused?.refused || open === undefined) return refused;
  const name = typed[open] === '"' ? 'quote' : 'slash';
  const said = asked
    ? `This ${name} is not closed yet: the code is searched as if it were, and Enter closes it`
    : `The text after this ${name} is searched for in the code`;
  return { refused: false, said, at: open, open: true };
}

function hintOfAsked(typed: string): Hint | undefined {
  const chars = [...typed].length;
  if (chars > SEARCH_QUERY_MAX_CHARS)
    return {
      refused: true,
      said: `A query has at most ${count(SEARCH_QUERY_MAX_CHARS)} characters; this one has ${chars === CUT_CHARS ? 'more' : count(chars)}`,
    };
  const nul = typed.indexOf('\0');
  if (nul >= 0) return { refused: true, said: 'Code has no NUL characters', at: nul };
  const { mode, query, mistake } = readQuery(typed);
  if (mistake) return { refused: true, ...mistake };
  if (mode === 'boolean') return undefined;
  const { text, filters } = queryParts(typed);
  if (mode !== 'ranked') {
    const at = typedPosition(typed, 0) - 1;
    if (query === '') return { refused: true, said: 'The search is empty', at };
    return behindOf(typed, at + text.length);
  }
  if (text === '' && filters.length === 0) return undefined;
  const sign = text[0];
  if (sign !== '"' && sign !== '/') return beforeOf(typed);
  // no position if filters were removed from the middle of the text
  const found = typed.indexOf(text);
  const placed = (offset: number) => (found < 0 ? {} : { at: found + offset });
  const name = sign === '"' ? 'quote' : 'slash';
  const closing = text.lastIndexOf(sign);
  return {
    refused: false,
    said: `Text after the last ${name} makes this a word search: end with ${sign} to search in code`,
    ...placed(closing + 1),
  };
}

const count = (chars: number) => chars.toLocaleString('en');

/** A URL length that every server accepts, including the rest of the request. */
const ADDRESS_MAX_CHARS = 12_100;
/** One more than the limit: a cut query is still reported as too long. */
const CUT_CHARS = SEARCH_QUERY_MAX_CHARS + 1;

/** Cuts an overlong pasted query, as its URL could not be opened again. */
export function fitForAddress(typed: string): string {
  if (new URLSearchParams({ typed }).toString().length <= ADDRESS_MAX_CHARS) return typed;
  return [...typed].slice(0, CUT_CHARS).join('');
}

/** Filters that could be taken for the rest of the query, as they end with its delimiter. */
function behindOf(typed: string, end: number): Hint | undefined {
  const sign = typed[end - 1];
  if (typed.slice(end).trim() === '' || sign === undefined || !typed.trimEnd().endsWith(sign)) return undefined;
  const [name, what] = sign === '"' ? ['quote', 'literal'] : ['slash', 'expression'];
  return {
    refused: false,
    said: `The text after this ${name} is read as filters: to include it in the ${what}, write \\${sign} here`,
    at: end - 1,
  };
}

/** Text in typographic quotes, as phone keyboards and word processors produce them. */
const CURLY = /^[\u201c\u201d\u201e\u00ab].+[\u201c\u201d\u00bb]$/;
/** A word like a filter, perhaps with a minus. */
const NAMED = /(?<!\S)-?([A-Za-z]+):(?=\S)/g;

/** Words that may be meant as code or as filters. */
function beforeOf(typed: string): Hint | undefined {
  const { text } = queryParts(typed);
  if (CURLY.test(text))
    return { refused: false, said: 'These quotes are curly, so this is read as words: "straight" ones search in code' };
  for (const { 0: written, 1: name = '', index } of typed.matchAll(NAMED)) {
    const nearest = nearestFilter(name);
    const isKnown = FILTER_NAMES.some((each) => each === name);
    if (!nearest || isKnown) continue;
    return {
      refused: false,
      said: `There is no filter ${written} so it is read as a word: did you mean ${nearest}:?`,
      at: index,
    };
  }
  return undefined;
}
