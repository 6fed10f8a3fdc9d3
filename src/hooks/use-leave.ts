import { useEffect, useEffectEvent } from 'react';

/** Calls back when the component leaves the page, with what its last render knew: to stop what it began. */
export function useLeave(onLeave: () => void): void {
  const leave = useEffectEvent(onLeave);
  useEffect(() => () => leave(), []);
}
