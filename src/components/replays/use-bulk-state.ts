import { useCallback } from 'react';
import { useUrlState } from '../../lib/url-state.ts';

const defaults = { bulk: '' };
const STATES = ['', 'picked', 'failed', 'event', 'all'] as const;

/** The bulk replay prepared over a list of events: of picked ones (all or failed), the open one, or all matching. */
export type BulkState = (typeof STATES)[number];

/** The bulk replay in the URL, and the function that changes it. */
export function useBulkState(): readonly [BulkState, (bulk: BulkState) => void] {
  const [{ bulk }, set] = useUrlState(defaults);
  const setBulk = useCallback((next: BulkState) => set({ bulk: next }), [set]);
  return [STATES.find((state) => state === bulk) ?? '', setBulk];
}
