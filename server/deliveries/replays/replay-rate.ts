/** The current rate of a replay: deliveries done per second over the last seconds. */

const WINDOW_MS = 10_000;
/** Before this, one delivery more or less would change the rate much. */
const SHORTEST_MS = 1000;
/** A slow replay is observed until it has sent about this many. */
const DELIVERIES = 5;

export type Rate = {
  /** The rate when this many deliveries are done; null in the first second. */
  at(done: number, nowMs?: number): number | null;
};

export function createRate(perSecond: number): Rate {
  const windowMs = Math.max(WINDOW_MS, (DELIVERIES * 1000) / perSecond);
  const samples: { atMs: number; done: number }[] = [];
  return {
    at(done, nowMs = performance.now()) {
      samples.push({ atMs: nowMs, done });
      while (samples[1] && nowMs - samples[1].atMs >= windowMs) samples.shift();
      const [first] = samples;
      if (!first || nowMs - first.atMs < SHORTEST_MS) return null;
      return Math.max(0, Math.round(((done - first.done) / (nowMs - first.atMs)) * 10_000) / 10);
    },
  };
}

/** Seconds until the rest is done at this rate; null without a rate. */
export const secondsLeft = (rest: number, rate: number | null): number | null =>
  rate === null || rate === 0 ? null : Math.ceil(rest / rate);
