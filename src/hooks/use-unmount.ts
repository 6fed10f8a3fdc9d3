import { useEffect, useEffectEvent } from 'react';

/** Calls the callback of the last render when the component unmounts, for clean-up. */
export function useUnmount(onUnmount: () => void): void {
  const unmount = useEffectEvent(onUnmount);
  useEffect(() => () => unmount(), []);
}
