/** Calls `work` at most once at a time: a call during a run, or within `reuseMs` after it, gets the result of that run. */
export function onceAtATime<T>(work: () => Promise<T>, reuseMs: number): () => Promise<T> {
  let run: Promise<T> | undefined;
  let reusableUntilMs = Number.POSITIVE_INFINITY;
  return () => {
    if (run && performance.now() < reusableUntilMs) return run;
    reusableUntilMs = Number.POSITIVE_INFINITY;
    run = work().finally(() => {
      reusableUntilMs = performance.now() + reuseMs;
    });
    return run;
  };
}
