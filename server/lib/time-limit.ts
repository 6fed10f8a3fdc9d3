/**
 * Settles like `work`, or rejects with the error of `onTimeout` after `ms`. `work` is not stopped; its later result or
 * rejection is ignored.
 */
export async function withinTime<T>(work: Promise<T>, ms: number, onTimeout: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(onTimeout()), Math.max(0, ms));
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Whether `work` resolves within `ms`; rejects if `work` rejects by then. A later result is ignored. */
export function isDoneWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, ms), false);
  });
  return Promise.race([work.then(() => true), late]).finally(() => clearTimeout(timer));
}
