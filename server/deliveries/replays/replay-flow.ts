/**
 * How many deliveries of a replay a destination has open at a time: about as many as it completed in the last two
 * seconds. So the replay goes at the pace of the destination, which it shares with live traffic, and what is sent after
 * a pause ends within seconds, however many deliveries wait. Other destinations of the replay do not wait for a slow
 * one.
 */
import { IN_FLIGHT, PERIOD_SECONDS } from '../../../contract/limits.ts';
import type { LimitColumns } from '../destinations/pace.ts';

const WINDOW_MS = 2000;

type Closed = { atMs: number; count: number };
type Stream = { open: number; most: number; closed: Closed[] };

export type Flow = {
  /** Adds deliveries that ended since the last step. */
  closed(counts: ReadonlyMap<string, number>): void;
  /** Sets the number of open deliveries by destination. */
  setOpen(counts: ReadonlyMap<string, number>): void;
  /** Whether the destination may have one more open delivery; counts it if so. */
  take(destination_id: string, limits: LimitColumns): boolean;
  /** Whether a destination was full at the last `take`. */
  isFull(destination_id: string): boolean;
  /** Whether any destination is full. */
  anyFull(): boolean;
};

export function createFlow(): Flow {
  const streams = new Map<string, Stream>();
  const streamOf = (id: string): Stream => {
    const stream = streams.get(id) ?? { open: 0, most: Number.POSITIVE_INFINITY, closed: [] };
    streams.set(id, stream);
    return stream;
  };
  const isFull = ({ open, most }: Stream) => open >= most;
  return {
    closed(counts) {
      const atMs = performance.now();
      for (const [id, count] of counts) streamOf(id).closed.push({ atMs, count });
      for (const stream of streams.values())
        stream.closed = stream.closed.filter((each) => atMs - each.atMs < WINDOW_MS);
    },
    setOpen(counts) {
      for (const id of counts.keys()) streamOf(id);
      // `take` sets `most` again, from the destination as it is now.
      for (const [id, stream] of streams)
        Object.assign(stream, { open: counts.get(id) ?? 0, most: Number.POSITIVE_INFINITY });
    },
    take(destination_id, limits) {
      const stream = streamOf(destination_id);
      stream.most = Math.max(
        leastOf(limits),
        stream.closed.reduce((sum, { count }) => sum + count, 0),
      );
      if (isFull(stream)) return false;
      stream.open++;
      return true;
    },
    isFull: (destination_id) => isFull(streamOf(destination_id)),
    anyFull: () => [...streams.values()].some(isFull),
  };
}

/** The number of open deliveries that a destination may have before any has ended. */
function leastOf({ rate_requests, rate_per, max_in_flight }: LimitColumns): number {
  const atOnce = 2 * (max_in_flight ?? IN_FLIGHT.default);
  if (rate_requests === null || rate_per === null) return atOnce;
  const perSecond = rate_requests / PERIOD_SECONDS[rate_per];
  return Math.min(atOnce, Math.ceil((perSecond * WINDOW_MS) / 1000) + 1);
}
