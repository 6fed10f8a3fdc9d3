/** One timer per interval for all displayed times. It does not tick while the page is hidden. */
interface Ticker {
  now: number;
  readonly listeners: Set<() => void>;
  timer: ReturnType<typeof setInterval> | undefined;
}

const tickers = new Map<number, Ticker>();

function ticker(everyMs: number): Ticker {
  let found = tickers.get(everyMs);
  if (!found) {
    found = { now: Date.now(), listeners: new Set(), timer: undefined };
    tickers.set(everyMs, found);
  }
  return found;
}

function tick(t: Ticker) {
  if (document.hidden) return;
  t.now = Date.now();
  for (const listener of t.listeners) listener();
}

/** The time at the last tick of this interval. */
export function clockNow(everyMs: number): number {
  const t = ticker(everyMs);
  if (t.listeners.size === 0) t.now = Math.max(t.now, roundedNow(everyMs));
  return t.now;
}

// React reads a store twice per render and requires equal values, so a clock without listeners also moves in steps.
function roundedNow(everyMs: number): number {
  return Math.floor(Date.now() / everyMs) * everyMs;
}

export function subscribeClock(everyMs: number, onTick: () => void): () => void {
  const t = ticker(everyMs);
  t.listeners.add(onTick);
  if (t.timer === undefined) {
    t.now = Date.now();
    t.timer = setInterval(() => tick(t), everyMs);
  }
  return () => {
    t.listeners.delete(onTick);
    if (t.listeners.size === 0) {
      clearInterval(t.timer);
      t.timer = undefined;
    }
  };
}
