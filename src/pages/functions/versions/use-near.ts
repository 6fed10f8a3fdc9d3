/** Whether an element is in sight of the box that it scrolls in, or will soon be. */
import { type RefCallback, useCallback, useState } from 'react';

/** Scrolled through in less time than it takes to draw what comes. */
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

/** And the ref of the element. `guess` is what holds until the browser has laid it out. */
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
