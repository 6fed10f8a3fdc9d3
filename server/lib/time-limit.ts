/**
 * Settles as `work` does, or rejects with the error that `onTimeout` returns when `work` has not settled after `ms`.
 * `work` is not stopped; what it does later has no effect here, and its rejection is not reported.
 */
export async function withinTime<T>(work: Promise<T>, ms: number, onTimeout: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(onTimeout()), Math.max(0, ms));
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Whether `work` resolves within `ms`; rejects as `work` does until then. What it does later has no effect here. */
export function isDoneWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, ms), false);
  });
  return Promise.race([work.then(() => true), late]).finally(() => clearTimeout(timer));
}
