import { VISIBILITIES, type Visibility } from '../../../../contract/states.ts';
import { readQuery } from '../../../../contract/text/search-query.ts';
import { path } from '../../../lib/path.ts';
import { asTyped } from '../../../lib/search-as-typed.ts';
import { useUrlState } from '../../../lib/url-state.ts';

const defaults = { q: '', owner: 'SELF', visibility: '', case: 'auto', context: '1', history: '', limit: '' };

export type CaseChoice = 'auto' | 'yes' | 'no';
export type SearchState = {
  /** As it was typed. */
  q: string;
  /** As the service is asked: what isn't closed yet is searched for as if it were. */
  asked: string;
  owner: 'SELF' | 'ALL';
  visibility: Visibility | undefined;
  case: CaseChoice;
  context: number;
  /** All versions, not only the one that serves. */
  history: boolean;
  limit: number;
};

const CASES: readonly CaseChoice[] = ['auto', 'yes', 'no'];
export const CONTEXT_MAX = 10;
/** Functions shown at first, and after "more". */
export const LIMITS = { first: 25, most: 100 } as const;

/** The search as the address keeps it; what a hand wrote there and doesn't exist is the default. */
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
  };
  return [state, set] as const;
}

/** The page's own address; without a query it is the list. */
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
  });
}

/** What the service is asked; the switches of code searches are left out where they say nothing. */
export function searchInput({ asked: q, owner, visibility, case: choice, context, history, limit }: SearchState) {
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
    },
  };
}
