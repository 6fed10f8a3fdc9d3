import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

const LONGEST_WAIT_MS = 60_000;

/** Until there may be a network again: the browser says so, or the wait is over. */
function nextTry(tries: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      window.clearTimeout(timer);
      window.removeEventListener('online', done);
      resolve();
    };
    const timer = window.setTimeout(done, Math.min(1000 * 2 ** tries, LONGEST_WAIT_MS));
    window.addEventListener('online', done);
  });
}

/**
 * Loads a part of the console, and again until it arrives: after a second, then after twice as long each time, and as
 * soon as there is a network again.
 */
export async function untilArrived<T>(load: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await load();
    } catch {
      await nextTry(tries);
    }
  }
}

/**
 * A part of the frame that is loaded after the first page. Where it doesn't arrive the page is rendered without it
 * until it does: the frame is never lost for a banner.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(() => untilArrived(load));
}
