import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * A ref to the value of the last render, for functions that outlive a render: those given to an editor once, and those
 * that must stay the same so that what takes them isn't drawn again.
 */
export function useLatest<T>(value: T): RefObject<T> {
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  });
  return latest;
}
