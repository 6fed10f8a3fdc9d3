import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

const LONGEST_WAIT_MS = 60_000;

/** Resolves after a backoff, or when the browser reports that it is online. */
function backoff(attempts: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      window.clearTimeout(timer);
      window.removeEventListener('online', done);
      resolve();
    };
    const timer = window.setTimeout(done, Math.min(1000 * 2 ** attempts, LONGEST_WAIT_MS));
    window.addEventListener('online', done);
  });
}

/** Loads a part of the console; retries with exponential backoff, and when the browser is online again. */
export async function untilArrived<T>(load: () => Promise<T>): Promise<T> {
  for (let attempts = 0; ; attempts++) {
    try {
      return await load();
    } catch {
      await backoff(attempts);
    }
  }
}

/** A part of the frame that loads after the first page. Until it has loaded, the page renders without it. */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(() => untilArrived(load));
}
