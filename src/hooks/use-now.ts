import { useCallback, useSyncExternalStore } from 'react';
import { clockNow, subscribeClock } from '../stores/clock.ts';

/** The current time in ms, updated at the given interval (one shared timer per interval). */
export function useNow(everyMs: number): number {
  const subscribe = useCallback((onTick: () => void) => subscribeClock(everyMs, onTick), [everyMs]);
  const now = useCallback(() => clockNow(everyMs), [everyMs]);
  return useSyncExternalStore(subscribe, now, now);
}
