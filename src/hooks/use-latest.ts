import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * A ref to the value of the last render, for functions that outlive a render: callbacks registered with an editor once,
 * and functions whose identity must be stable to avoid re-renders.
 */
export function useLatest<T>(value: T): RefObject<T> {
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  });
  return latest;
}
