/** Reports whether an element is in, or near, the visible part of its scroll container. */
import { type RefCallback, useCallback, useState } from 'react';

/** A distance that takes longer to scroll than the content takes to render. */
const MARGIN = '800px 0px';
type Watch = { observer: IntersectionObserver; callbacks: Map<Element, (isNear: boolean) => void> };
const watches = new WeakMap<Element, Watch>();

function watchOf(root: Element): Watch {
  const known = watches.get(root);
  if (known) return known;
  const callbacks: Watch['callbacks'] = new Map();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) callbacks.get(target)?.(isIntersecting);
    },
    { root, rootMargin: MARGIN },
  );
  const watch = { observer, callbacks };
  watches.set(root, watch);
  return watch;
}

/** Returns whether the element is near, and its ref callback. `guess` applies until the browser has laid it out. */
export function useNear(box: string, guess: boolean): readonly [boolean, RefCallback<HTMLElement>] {
  const [isNear, setNear] = useState(guess);
  const watched = useCallback(
    (element: HTMLElement) => {
      const root = element.closest(box);
      if (!root) return;
      const { observer, callbacks } = watchOf(root);
      callbacks.set(element, setNear);
      observer.observe(element);
      return () => {
        callbacks.delete(element);
        observer.unobserve(element);
      };
    },
    [box],
  );
  return [isNear, watched];
}
