/** When code search polls for changes: from the first search or function on, and soon after a nudge. */
export type LookTimers = {
  /** Starts them; returns false when they were started before. */
  start(): boolean;
  /** Looks soon, if started. */
  nudge(): void;
  close(): void;
};

const NUDGE_MS = 20;
const LOOK_MS = 15_000;
const RUNS_MS = 600_000;

/** `weigh`: looks at how often functions ran. */
export function createLookTimers({ look, weigh }: { look: () => void; weigh: () => void }): LookTimers {
  const timers: NodeJS.Timeout[] = [];
  let nudged: NodeJS.Timeout | undefined;
  return {
    start() {
      if (timers.length > 0) return false;
      timers.push(setInterval(look, LOOK_MS).unref(), setInterval(weigh, RUNS_MS).unref());
      return true;
    },
    nudge() {
      if (timers.length === 0) return;
      nudged ??= setTimeout(() => {
        nudged = undefined;
        look();
      }, NUDGE_MS).unref();
    },
    close() {
      clearTimeout(nudged);
      for (const timer of timers) clearInterval(timer);
    },
  };
}
