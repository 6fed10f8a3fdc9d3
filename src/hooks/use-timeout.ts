import { useEffect, useEffectEvent } from 'react';

/** Calls back once after `afterMs`; undefined means never. A change of `since` restarts the timer. */
export function useTimeout(onTimeout: () => void, afterMs: number | undefined, since?: unknown): void {
  const end = useEffectEvent(onTimeout);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of `since` restarts the timer
  useEffect(() => {
    if (afterMs === undefined) return;
    const timer = setTimeout(() => end(), afterMs);
    return () => clearTimeout(timer);
  }, [afterMs, since]);
}
