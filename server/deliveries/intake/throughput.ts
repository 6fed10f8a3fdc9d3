/** Deliveries per destination that left the queue on this node in the last one to two minutes. */
export type Throughput = {
  note(destination_id: string): void;
  /** Deliveries per second; null if none left the queue. */
  perSecond(destination_id: string): number | null;
};

type Count = { minute: number; current: number; previous: number };

const MINUTE_MS = 60_000;
const DESTINATIONS_MAX = 10_000;

export function createThroughput(nowMs: () => number = () => performance.now()): Throughput {
  const counts = new Map<string, Count>();

  function at(id: string, minute: number): Count | undefined {
    const count = counts.get(id);
    if (!count || count.minute === minute) return count;
    const isNext = count.minute === minute - 1;
    Object.assign(count, { minute, previous: isNext ? count.current : 0, current: 0 });
    return count;
  }

  return {
    note(id) {
      const minute = Math.floor(nowMs() / MINUTE_MS);
      const count = at(id, minute) ?? { minute, current: 0, previous: 0 };
      count.current++;
      counts.delete(id);
      counts.set(id, count);
      const [oldest] = counts.size > DESTINATIONS_MAX ? counts.keys() : [];
      if (oldest !== undefined) counts.delete(oldest);
    },
    perSecond(id) {
      const ms = nowMs();
      const minute = Math.floor(ms / MINUTE_MS);
      const count = at(id, minute);
      if (!count || count.current + count.previous === 0) return null;
      const spanMs = ms - minute * MINUTE_MS + (count.previous > 0 ? MINUTE_MS : 0);
      return (count.current + count.previous) / (Math.max(spanMs, 1000) / 1000);
    },
  };
}
