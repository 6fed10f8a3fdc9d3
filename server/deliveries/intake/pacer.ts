/**
 * Limits of the lanes of this node: requests in flight, and the times at which requests may start. Only destinations
 * with limits have an entry. One node at a time sends to such a destination (sending/limited-sending.ts).
 *
 * Rate. Requests start at least one interval apart, on a grid of times. A request that starts late by no more than the
 * tolerance does not shift the grid; otherwise the timers would lower the rate. The interval is longer than
 * period / requests by `MARGIN`, and the tolerance is less than the margin of one period. So no window of one period
 * contains more starts than the limit, and the rest of the margin is for requests that take different times to arrive.
 *
 * A request also needs a reservation: the database has the latest time for which this node has reserved a request, so
 * that the next node continues the grid after it.
 */

/** `rate`: the maximum number of requests in a period of `ms`. */
export type LaneLimit = { inFlight: number; rate: { requests: number; ms: number } | null };

export type Pacer = {
  /** Sets the limit of a lane. `lastMs`: the last time of its grid (performance.now), if this node does not know it. */
  set(id: string, limit: LaneLimit, lastMs?: number): void;
  remove(id: string): void;
  has(id: string): boolean;
  ids(): string[];
  /** The maximum number in flight; undefined if it has no limit. */
  inFlightOf(id: string): number | undefined;
  /** Milliseconds until its next request may start: 0 if it may start now, Infinity without a reservation. */
  readyIn(id: string): number;
  /** Records that a request starts. */
  started(id: string): void;
  /** The number of requests that the rate allows to start within `ms`. */
  allowedWithin(id: string, ms: number): number;
  /** Reserves times for this many requests; returns the milliseconds from now to the last of them. */
  reserve(id: string, count: number): number | null;
};

/** How much longer the interval is than period / requests. Uses 0.966 of the rate. */
const MARGIN = 0.035;
/** The part of a period by which a request may start late without a shift of the grid, and its maximum. */
const TOLERANCE = 0.01;
const TOLERANCE_MAX_MS = 100;
/** A request may start this long after the last reserved time. The next node waits as long before it continues. */
export const GRACE_MS = 2000;

type Pace = { limit: LaneLimit; lastMs: number; reservedMs: number };

export function createPacer(clockMs: () => number = () => performance.now()): Pacer {
  const paces = new Map<string, Pace>();

  const intervalOf = ({ requests, ms }: { requests: number; ms: number }) => (ms / requests) * (1 + MARGIN);
  const toleranceOf = ({ ms }: { ms: number }) => Math.min(ms * TOLERANCE, TOLERANCE_MAX_MS);
  /** The place on the grid of a request that starts at `nowMs` or later. */
  function nextOf({ limit: { rate }, lastMs }: Pace, nowMs: number): number {
    return rate ? Math.max(lastMs + intervalOf(rate), nowMs - toleranceOf(rate)) : nowMs;
  }

  return {
    set(id, limit, lastMs) {
      const pace = paces.get(id);
      if (!pace) {
        paces.set(id, { limit, lastMs: lastMs ?? clockMs(), reservedMs: Number.NEGATIVE_INFINITY });
        return;
      }
      const before = pace.limit.rate;
      // The last request started up to the tolerance after its place on the grid.
      if (before && before.ms !== limit.rate?.ms) pace.lastMs += toleranceOf(before);
      pace.limit = limit;
      if (lastMs !== undefined) pace.lastMs = lastMs;
    },
    remove: (id) => void paces.delete(id),
    has: (id) => paces.has(id),
    ids: () => [...paces.keys()],
    inFlightOf: (id) => paces.get(id)?.limit.inFlight,
    readyIn(id) {
      const pace = paces.get(id);
      if (!pace?.limit.rate) return 0;
      const nowMs = clockMs();
      const nextMs = nextOf(pace, nowMs);
      if (nextMs > pace.reservedMs + GRACE_MS) return Number.POSITIVE_INFINITY;
      return Math.max(0, nextMs - nowMs);
    },
    started(id) {
      const pace = paces.get(id);
      if (pace) pace.lastMs = nextOf(pace, clockMs());
    },
    allowedWithin(id, ms) {
      const pace = paces.get(id);
      if (!pace?.limit.rate) return Number.POSITIVE_INFINITY;
      const nowMs = clockMs();
      return Math.max(0, Math.floor((nowMs + ms - nextOf(pace, nowMs)) / intervalOf(pace.limit.rate)) + 1);
    },
    reserve(id, count) {
      const pace = paces.get(id);
      if (!pace?.limit.rate || count <= 0) return null;
      const nowMs = clockMs();
      pace.reservedMs = nextOf(pace, nowMs) + (count - 1) * intervalOf(pace.limit.rate);
      return pace.reservedMs - nowMs;
    },
  };
}

/** Timers of lanes whose rate permits their next request later. */
export type Wakers = { wakeIn(id: string, ms: number): void; close(): void };

/** A timer waits at most this long; then the lane sets another. */
const WAKE_MAX_MS = 60_000;

export function createWakers(wake: (id: string) => void): Wakers {
  const timers = new Map<string, NodeJS.Timeout>();
  return {
    wakeIn(id, ms) {
      if (timers.has(id)) return;
      const onTime = () => {
        timers.delete(id);
        wake(id);
      };
      timers.set(id, setTimeout(onTime, Math.min(Math.ceil(ms), WAKE_MAX_MS)).unref());
    },
    close() {
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}
