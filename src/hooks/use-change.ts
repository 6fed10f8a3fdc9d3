import { useEffect, useEffectEvent, useRef } from 'react';

/**
 * Calls back after a render in which the value differs from the previous render, but not after the first render. Use it
 * for DOM side effects only; derive state during rendering.
 */
export function useChange(value: unknown, onChange: () => void): void {
  const seen = useRef(value);
  const change = useEffectEvent(onChange);
  useEffect(() => {
    if (Object.is(seen.current, value)) return;
    seen.current = value;
    change();
  }, [value]);
}
