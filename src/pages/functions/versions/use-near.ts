/** Whether an element is in sight of the box that it scrolls in, or will soon be. */
import { type RefObject, useEffect, useState } from 'react';

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

/** `guess` is what holds until the browser has laid it out. */
export function useNear(element: RefObject<HTMLElement | null>, box: string, guess: boolean): boolean {
  const [isNear, setNear] = useState(guess);
  useEffect(() => {
    const target = element.current;
    const root = target?.closest(box);
    if (!target || !root) return;
    const { observer, callbacks } = watchOf(root);
    callbacks.set(target, setNear);
    observer.observe(target);
    return () => {
      callbacks.delete(target);
      observer.unobserve(target);
    };
  }, [element, box]);
  return isNear;
}
