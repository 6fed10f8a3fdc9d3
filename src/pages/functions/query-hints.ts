/** What is said of a query while it is typed, before the service is asked: what can't be searched for, what isn't closed. */
import { SEARCH_QUERY_MAX_CHARS } from '../../../contract/limits.ts';
import { queryParts, readQuery } from '../../../contract/search-query.ts';

/** `refused`: it is not sent. `at` is the place in what was typed that it is about. */
export type Hint = { readonly refused: boolean; readonly said: string; readonly at?: number };

export function hintOf(typed: string): Hint | undefined {
  if (typed.length > SEARCH_QUERY_MAX_CHARS)
    return {
      refused: true,
      said: `A query has at most ${SEARCH_QUERY_MAX_CHARS.toLocaleString('en')} characters; this one has ${typed.length.toLocaleString('en')}`,
    };
  const nul = typed.indexOf('\0');
  if (nul >= 0) return { refused: true, said: 'Code has no NUL characters', at: nul };
  const { mode, query } = readQuery(typed);
  const { text, filters } = queryParts(typed);
  const at = typed.indexOf(text);
  if (mode !== 'ranked') {
    if (query === '') return { refused: true, said: 'Nothing stands between the signs yet', at };
    const newline = typed.indexOf('\n');
    if (newline >= 0) return { refused: true, said: 'Code is searched line by line: expected one line', at: newline };
    return behindOf(typed, at + text.length);
  }
  if (text === '' && filters.length === 0) return undefined;
  const sign = text[0];
  if (sign !== '"' && sign !== '/') return undefined;
  const name = sign === '"' ? 'quote' : 'slash';
  const closing = text.lastIndexOf(sign);
  if (closing <= 0)
    return {
      refused: false,
      said: `This ${name} is not closed yet, so it is read as words: end with ${sign} to search in code`,
      at,
    };
  if (closing === text.length - 1)
    return {
      refused: false,
      said: `The last ${name} is escaped by the backslash before it, so this is read as words: \\\\ is one backslash`,
      at: at + closing - 1,
    };
  return {
    refused: false,
    said: `Something stands behind the last ${name}, so this is read as words: end with ${sign} to search in code`,
    at: at + closing + 1,
  };
}

/** Filters that could be taken for the rest of the query, as they end with its sign. */
function behindOf(typed: string, end: number): Hint | undefined {
  const sign = typed[end - 1];
  if (typed.slice(end).trim() === '' || sign === undefined || !typed.trimEnd().endsWith(sign)) return undefined;
  const [name, what] = sign === '"' ? ['quote', 'literal'] : ['slash', 'expression'];
  return {
    refused: false,
    said: `What stands behind this ${name} is read as filters: to search for it as part of the ${what}, write \\${sign} here`,
    at: end - 1,
  };
}
