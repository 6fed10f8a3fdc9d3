import { useUrlState } from '../../lib/url-state.ts';

const defaults = { bulk: '' };

/** The bulk replay prepared over a list of events: of picked ones (all or failed), the open one, or all matching. */
export type BulkState = '' | 'picked' | 'failed' | 'event' | 'all';

export function useBulkState(): readonly [string, (bulk: BulkState) => void] {
  const [{ bulk }, set] = useUrlState(defaults);
  return [bulk, (next) => set({ bulk: next })];
}
