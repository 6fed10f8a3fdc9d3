/**
 * What this node holds of the queue: leased deliveries, in one lane for each destination. A lane lets a few out at once
 * and the rest wait their turn; ready lanes take turns. So a destination that doesn't answer fills its own lane and
 * nobody else's. A full lane takes no more: what comes stays in the table, and until that has been fetched the lane is
 * `behind`, so that nothing newer overtakes it.
 */
export type Lanes<T> = {
  /** Starts handing out, one call of `send` for each. */
  open(handlers: { send: (item: T) => Promise<void>; onRoom: () => void }): void;
  /** Takes everything back that waits. */
  takeBack(): T[];
  /** Hands out no more. */
  close(): void;
  /** Resolves when nothing is in flight. */
  idle(): Promise<void>;
  /** Whether a new delivery may come here directly instead of through the table. */
  hasRoom(destination_id: string): boolean;
  push(item: T): void;
  /** A new delivery stayed in the table. */
  spilled(destination_id: string): void;
  /** Before fetching from the table: which lanes to leave out, and a mark for `fetched`. */
  fetching(): Fetch;
  /** After it: each lane's share of at most `most`, and whether the fetch ended before every lane was looked at. */
  fetched(fetch: Fetch, shares: Map<string, number>, most: number, cut: boolean): void;
};

type Fetch = { without: string[]; mark: number };

type Lane<T> = { id: string; waiting: T[]; inFlight: number; ready: boolean };

export type LaneLimits = { inFlightPerLane: number; inFlight: number; perLane: number; waiting: number };
const LIMITS: LaneLimits = { inFlightPerLane: 8, inFlight: 128, perLane: 64, waiting: 2000 };

export function createLanes<T extends { destination_id: string }>(limits: LaneLimits = LIMITS): Lanes<T> {
  const lanes = new Map<string, Lane<T>>();
  const ready: Lane<T>[] = [];
  /** Lanes with older deliveries in the table, each with the number of the latest spill. */
  const behind = new Map<string, number>();
  let spills = 0;
  let inFlight = 0;
  let waiting = 0;
  let handlers: Parameters<Lanes<T>['open']>[0] | undefined;
  const idlers: (() => void)[] = [];

  function laneOf(id: string): Lane<T> {
    let lane = lanes.get(id);
    if (!lane) {
      lane = { id, waiting: [], inFlight: 0, ready: false };
      lanes.set(id, lane);
    }
    return lane;
  }

  function makeReady(lane: Lane<T>) {
    if (lane.ready || lane.waiting.length === 0 || lane.inFlight >= limits.inFlightPerLane) return;
    lane.ready = true;
    ready.push(lane);
  }

  function pump() {
    while (handlers && inFlight < limits.inFlight) {
      const lane = ready.shift();
      if (!lane) return;
      lane.ready = false;
      const item = lane.waiting.shift();
      if (!item) continue;
      waiting--;
      inFlight++;
      lane.inFlight++;
      makeReady(lane);
      void handlers.send(item).finally(() => finished(lane));
    }
  }

  function finished(lane: Lane<T>) {
    inFlight--;
    lane.inFlight--;
    makeReady(lane);
    pump();
    if (handlers && behind.has(lane.id) && lane.waiting.length < limits.inFlightPerLane) handlers.onRoom();
    if (lane.waiting.length === 0 && lane.inFlight === 0) lanes.delete(lane.id);
    if (inFlight === 0) for (const idle of idlers.splice(0)) idle();
  }

  const sizeOf = (id: string) => {
    const lane = lanes.get(id);
    return lane ? lane.waiting.length + lane.inFlight : 0;
  };

  return {
    open(given) {
      handlers = given;
      pump();
    },
    takeBack() {
      const left = [...lanes.values()].flatMap((lane) => lane.waiting.splice(0));
      ready.length = 0;
      waiting = 0;
      for (const lane of lanes.values()) lane.ready = false;
      return left;
    },
    close() {
      handlers = undefined;
    },
    idle: () => (inFlight === 0 ? Promise.resolve() : new Promise((ok) => idlers.push(ok))),
    hasRoom: (id) =>
      handlers !== undefined && !behind.has(id) && waiting < limits.waiting && sizeOf(id) < limits.perLane,
    push(item) {
      const lane = laneOf(item.destination_id);
      lane.waiting.push(item);
      waiting++;
      makeReady(lane);
      pump();
    },
    spilled(id) {
      behind.set(id, ++spills);
    },
    fetching: () => ({
      without: [...lanes.values()].filter((lane) => sizeOf(lane.id) >= limits.perLane).map((lane) => lane.id),
      mark: spills,
    }),
    fetched({ without, mark }, shares, most, cut) {
      for (const [id, count] of shares) if (count >= most) behind.set(id, ++spills);
      for (const [id, spill] of behind) {
        const lookedAt = shares.has(id) || (!cut && !without.includes(id));
        if (lookedAt && spill <= mark) behind.delete(id);
      }
    },
  };
}
