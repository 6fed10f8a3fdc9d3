import { readQuery } from '../../../contract/search-query.ts';
import { useUrlState } from '../../lib/url-state.ts';

const defaults = { q: '', owner: 'SELF', case: 'auto', context: '1' };

export type CaseChoice = 'auto' | 'yes' | 'no';
export type SearchState = { q: string; owner: 'SELF' | 'ALL'; case: CaseChoice; context: number };

const CASES: readonly CaseChoice[] = ['auto', 'yes', 'no'];
export const CONTEXT_MAX = 10;

/** The search as the address keeps it; what a hand wrote there and doesn't exist is the default. */
export function useSearchState() {
  const [url, set] = useUrlState(defaults);
  const context = Number(url.context);
  const state: SearchState = {
    q: url.q,
    owner: url.owner === 'ALL' ? 'ALL' : 'SELF',
    case: CASES.find((choice) => choice === url.case) ?? 'auto',
    context: Number.isInteger(context) && context >= 0 && context <= CONTEXT_MAX ? context : 1,
  };
  return [state, set] as const;
}

/** What the service is asked; the switches of code searches are left out where they say nothing. */
export function searchInput({ q, owner, case: choice, context }: SearchState) {
  const inCode = readQuery(q).mode !== 'ranked';
  return {
    query: {
      q,
      owner: owner === 'ALL' ? owner : undefined,
      case: inCode && choice !== 'auto' ? choice : undefined,
      context: inCode ? context : undefined,
    },
  };
}
