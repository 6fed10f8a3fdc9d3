/**
 * Limits of the lanes of this node: requests in flight, and the times at which requests may start. Only destinations
 * with limits have an entry. One node at a time sends to such a destination (sending/limited-sending.ts).
 *
 * Rate. Requests start one interval apart, on a grid of times. The interval is longer than period / requests by
 * `MARGIN`. A request that starts late, because this process was busy, does not shift the grid unless it is later than the
 * tolerance, and the next ones catch up. The log of recent starts limits that: no window of one period, plus a reserve
 * for requests that take different times to arrive, contains more starts than the limit. Time without waiting
 * deliveries earns nothing, so there is no burst after it.
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
  /** Records that a request starts, and whether other deliveries wait in the lane. */
  started(id: string, isLast: boolean): void;
  /** The number of requests that the rate allows to start within `ms`. */
  allowedWithin(id: string, ms: number): number;
  /** Reserves times for this many requests; returns the milliseconds from now to the last of them. */
  reserve(id: string, count: number): number | null;
};

/** How much longer the interval is than period / requests. Uses 0.962 of the rate. */
const MARGIN = 0.04;
/** The part of a period that is added to the window, for requests that take different times to arrive. */
const RESERVE = 0.035;
/** The part of a period by which a request may start late without a shift of the grid, and its maximum. */
const TOLERANCE = 0.2;
const TOLERANCE_MAX_MS = 1000;
/** A request may start this long after the last reserved time. The next node waits as long before it continues. */
export const GRACE_MS = 2000;
/** Entries of a log; with a higher limit each is a group of requests. */
const LOG_MAX = 512;

type Rate = NonNullable<LaneLimit['rate']>;
/**
 * `gridMs`: the place of the last request on the grid, `startedMs`: its start. `wantedMs`: since when
 * deliveries have waited in the lane without a break. All times are those of the clock.
 */
type Pace = {
  limit: LaneLimit;
  gridMs: number;
  startedMs: number;
  wantedMs: number | undefined;
  reservedMs: number;
  log: StartLog | undefined;
};

/** The starts of recent requests: the last one of each group, as many groups as a window may contain. */
type StartLog = { lastMs: Float64Array; groupSize: number; group: number; inGroup: number };

function newLog({ requests }: Rate): StartLog {
  const groupSize = Math.ceil(requests / LOG_MAX);
  const lastMs = new Float64Array(Math.floor(requests / groupSize)).fill(Number.NEGATIVE_INFINITY);
  return { lastMs, groupSize, group: 0, inGroup: 0 };
}

function note(log: StartLog, nowMs: number): void {
  log.lastMs[log.group] = nowMs;
  if (++log.inGroup < log.groupSize) return;
  log.inGroup = 0;
  log.group = (log.group + 1) % log.lastMs.length;
}

/** The earliest time of the next start: a new group replaces one that has left the window. */
const freeAt = (log: StartLog, { ms }: Rate): number =>
  log.inGroup > 0 ? Number.NEGATIVE_INFINITY : (log.lastMs[log.group] ?? 0) + ms * (1 + RESERVE);

const intervalOf = ({ requests, ms }: Rate) => (ms / requests) * (1 + MARGIN);
const toleranceOf = ({ ms }: Rate) => Math.min(ms * TOLERANCE, TOLERANCE_MAX_MS);
const isSame = (one: Rate | null, other: Rate | null) => one?.requests === other?.requests && one?.ms === other?.ms;

export function createPacer(clockMs: () => number = () => performance.now()): Pacer {
  const paces = new Map<string, Pace>();

  /** The place of the next request on the grid. */
  function nextOf({ limit: { rate }, gridMs, wantedMs }: Pace, nowMs: number): number {
    return rate ? Math.max(gridMs + intervalOf(rate), wantedMs ?? nowMs, nowMs - toleranceOf(rate)) : nowMs;
  }

  return {
    set(id, limit, lastMs) {
      const pace = paces.get(id);
      const log = limit.rate ? newLog(limit.rate) : undefined;
      if (!pace) {
        const gridMs = lastMs ?? clockMs();
        const reservedMs = Number.NEGATIVE_INFINITY;
        paces.set(id, { limit, gridMs, startedMs: gridMs, wantedMs: undefined, reservedMs, log });
        return;
      }
      if (!isSame(pace.limit.rate, limit.rate)) Object.assign(pace, { log, gridMs: pace.startedMs });
      pace.limit = limit;
      if (lastMs !== undefined) pace.gridMs = lastMs;
    },
    remove: (id) => void paces.delete(id),
    has: (id) => paces.has(id),
    ids: () => [...paces.keys()],
    inFlightOf: (id) => paces.get(id)?.limit.inFlight,
    readyIn(id) {
      const pace = paces.get(id);
      if (!pace?.limit.rate || !pace.log) return 0;
      const nowMs = clockMs();
      pace.wantedMs ??= nowMs;
      const startMs = Math.max(nowMs, nextOf(pace, nowMs), freeAt(pace.log, pace.limit.rate));
      return startMs > pace.reservedMs + GRACE_MS ? Number.POSITIVE_INFINITY : startMs - nowMs;
    },
    started(id, isLast) {
      const pace = paces.get(id);
      if (!pace) return;
      const nowMs = clockMs();
      pace.gridMs = nextOf(pace, nowMs);
      pace.startedMs = nowMs;
      if (isLast) pace.wantedMs = undefined;
      if (pace.log) note(pace.log, nowMs);
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
