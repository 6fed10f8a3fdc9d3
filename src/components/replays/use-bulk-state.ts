import { useUrlState } from '../../lib/url-state.ts';

const defaults = { bulk: '' };

/** Which bulk replay is being prepared over a list of events: of what is picked (all or failed), of the open event, of all that match. */
export type BulkState = '' | 'picked' | 'failed' | 'event' | 'all';

export function useBulkState(): readonly [string, (bulk: BulkState) => void] {
  const [{ bulk }, set] = useUrlState(defaults);
  return [bulk, (next) => set({ bulk: next })];
}
