import { useEffect, useEffectEvent, useRef } from 'react';

/**
 * Calls back after a render whose value differs from the one before; not after the first. For what has to be done to
 * the page: state that depends on a value is computed while rendering.
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
