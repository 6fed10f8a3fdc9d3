import { useEffect, useEffectEvent } from 'react';

/** Calls back once after `afterMs`; undefined means never. Another `since` starts the time again. */
export function useTimeout(onTimeout: () => void, afterMs: number | undefined, since?: unknown): void {
  const end = useEffectEvent(onTimeout);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another `since` starts the time again
  useEffect(() => {
    if (afterMs === undefined) return;
    const timer = setTimeout(() => end(), afterMs);
    return () => clearTimeout(timer);
  }, [afterMs, since]);
}
