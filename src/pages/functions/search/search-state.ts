import { useMemo } from 'react';
import { readQuery } from '../../../../contract/search/search-query.ts';
import { SEARCH_SORTS, type SearchSort, VISIBILITIES, type Visibility } from '../../../../contract/states.ts';
import { path } from '../../../lib/path.ts';
import { asTyped } from '../../../lib/search-as-typed.ts';
import { useUrlState } from '../../../lib/url-state.ts';

const defaults = {
  q: '',
  owner: 'SELF',
  visibility: '',
  case: 'auto',
  context: '1',
  history: '',
  limit: '',
  sort: 'relevance',
  by: 'function',
  copies: 'fold',
};

export type CaseChoice = 'auto' | 'yes' | 'no';
export type SearchState = {
  /** The query as entered. */
  q: string;
  /** The query as sent: unclosed delimiters are closed. */
  asked: string;
  owner: 'SELF' | 'ALL';
  visibility: Visibility | undefined;
  case: CaseChoice;
  context: number;
  /** Searches all versions, not only the live one. */
  history: boolean;
  limit: number;
  sort: SearchSort;
  /** One card for each function, or for each of its files. */
  by: 'function' | 'file';
  /** Copies are listed below their original. */
  folded: boolean;
};

const CASES: readonly CaseChoice[] = ['auto', 'yes', 'no'];
export const CONTEXT_MAX = 10;
/** Results shown at first, and after "more". */
export const LIMITS = { first: 25, most: 100 } as const;

/** The orders of a search: how often functions of others run is not known. */
export function sortsFor(owner: SearchState['owner']): readonly SearchSort[] {
  return owner === 'ALL' ? SEARCH_SORTS.filter((each) => each !== 'runs') : SEARCH_SORTS;
}

/** The search state of a URL; invalid values are replaced with defaults. */
export function useSearchState() {
  const [url, set] = useUrlState(defaults);
  const context = Number(url.context);
  const owner = url.owner === 'ALL' ? 'ALL' : 'SELF';
  const state: SearchState = {
    q: url.q,
    asked: asTyped(url.q).asked,
    owner,
    visibility: owner === 'ALL' ? undefined : VISIBILITIES.find((each) => each === url.visibility),
    case: CASES.find((choice) => choice === url.case) ?? 'auto',
    context: Number.isInteger(context) && context >= 0 && context <= CONTEXT_MAX ? context : 1,
    history: url.history === 'on',
    limit: url.limit === String(LIMITS.most) ? LIMITS.most : LIMITS.first,
    sort: sortsFor(owner).find((each) => each === url.sort) ?? 'relevance',
    by: url.by === 'file' ? 'file' : 'function',
    folded: url.copies !== 'all',
  };
  return [state, set] as const;
}

/** The URL of the results page; without a query, of the list. */
export function searchAddress({ q, owner, ...state }: Omit<SearchState, 'asked'>): string {
  const whose = owner === 'ALL' ? { owner } : {};
  if (!q.trim()) return path.functions(whose);
  return path.functionSearch({
    q,
    ...whose,
    ...(state.visibility ? { visibility: state.visibility } : {}),
    ...(state.case === 'auto' ? {} : { case: state.case }),
    ...(state.context === 1 ? {} : { context: String(state.context) }),
    ...(state.history ? { history: 'on' } : {}),
    ...(sortsFor(owner).includes(state.sort) && state.sort !== 'relevance' ? { sort: state.sort } : {}),
    ...(state.by === 'file' ? { by: 'file' } : {}),
    ...(state.folded ? {} : { copies: 'all' }),
  });
}

/** The search as parameters of a link to a hit. */
export type OpenedSearch = { readonly q: string; readonly case?: string };

export function useOpenedSearch({ asked: q, case: choice }: SearchState): OpenedSearch {
  return useMemo(() => ({ q, ...(choice === 'auto' ? {} : { case: choice }) }), [q, choice]);
}

/** The API query; code search options are left out if they have no effect. */
export function searchInput({ asked: q, owner, visibility, case: choice, context, history, ...rest }: SearchState) {
  const { limit, sort, folded } = rest;
  const inCode = readQuery(q).mode !== 'ranked';
  return {
    query: {
      q,
      owner: owner === 'ALL' ? owner : undefined,
      visibility,
      case: inCode && choice !== 'auto' ? choice : undefined,
      context: inCode ? context : undefined,
      history: inCode && history ? true : undefined,
      limit: limit === LIMITS.first ? undefined : limit,
      sort: sort === 'relevance' ? undefined : sort,
      // the earlier versions of copies may differ
      copies: folded && !(inCode && history) ? ('fold' as const) : undefined,
    },
  };
}
